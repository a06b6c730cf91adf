import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type Browser, World } from '../support.ts'
import { confirm } from './step-up-steps.ts'

const VICTIM = 'victim@example.test'

// What a mailer may read as the address of the victim, and a limit that counts what was typed as another one.
const SPELLINGS = [
  `<${VICTIM}>`,
  `<<${VICTIM}>>`,
  `"${VICTIM}"`,
  '"victim"@example.test',
  `Victim <${VICTIM}>`,
  `${VICTIM}.`,
  `${VICTIM}\0`,
  `${VICTIM}(comment)`,
  `${VICTIM},`,
  `victim@example.test@`,
  `victim\u200b@example.test`,
]

async function send(browser: Browser, path: string, email: string): Promise<number> {
  await browser.open(path)
  return (await browser.submit(path, { email })).status
}

describe('an address that gets a mail because somebody typed it', () => {
  for (const path of ['/forgot', '/sign-up'])
    it(`has one spelling at ${path}: what would be counted as another one is refused [MEND-05]`, async (test) => {
      const world = await World.create(test)

      for (const email of SPELLINGS) assert.equal(await send(world.browser(), path, email), 422, email)

      assert.deepEqual(world.mailbox.list(), [])
    })

  it('has one spelling for a signed-in owner, too [MEND-05]', async (test) => {
    const world = await World.create(test)
    const ada = await world.person('ada', { factor: 'enabled' })
    const browser = world.browser()
    await browser.signIn(ada)
    await confirm(world, browser, { person: ada, path: '/account/address' })

    for (const email of SPELLINGS)
      assert.equal((await browser.submit('/account/address', { email })).status, 422, email)

    assert.equal(
      world.mailbox.list().some(({ to }) => to.includes('victim')),
      false,
    )
  })

  for (const path of ['/forgot', '/sign-up'])
    it(`gets no more mails by ${path} in capitals, with blanks around it or as the DNS spells it [MEND-05]`, async (test) => {
      const world = await World.create(test)
      const spellings = ['victim@bücher.example', ' VICTIM@BÜCHER.example ', 'victim@xn--bcher-kva.example']

      for (let round = 0; round < 4; round += 1)
        for (const email of spellings) await send(world.browser(), path, email)
      const all = world.mailbox.list().length
      await send(world.browser(), path, 'victim@bücher.example')

      assert.equal(world.mailbox.list().length, all)
      assert.ok(all < 12, `${all} mails`)
    })
})
