import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type Browser, PASSWORD, World } from '../support.ts'
import { newestLink } from './steps.ts'

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
  return (await browser.send(path, { email })).status
}

// What is one address, as it is typed and as browsers and the DNS spell it.
const READABLE = 'grace@bücher.example'
const SAME = [
  READABLE,
  ' Grace@BÜCHER.example ',
  'grace@xn--bcher-kva.example',
  'grace@XN--BCHER-KVA.example',
]

describe('an address that gets a mail because somebody typed it', () => {
  for (const path of ['/forgot', '/sign-up'])
    it(`has one spelling at ${path}, and gets no more mails by another: what would be counted apart is refused [MEND-05]`, async (test) => {
      const world = await World.create(test)
      for (const email of SPELLINGS) assert.equal(await send(world.browser(), path, email), 422, email)
      assert.deepEqual(world.mailbox.list(), [])

      for (let round = 0; round < 4; round += 1)
        for (const email of SAME) await send(world.browser(), path, email)
      const all = world.mailbox.list().length
      await send(world.browser(), path, READABLE)

      assert.equal(world.mailbox.list().length, all)
      assert.ok(all < 12, `${all} mails`)
    })

  it('gets the link for a new password as the account has it, however it was typed [RA-1602]', async (test) => {
    const world = await World.create(test)
    const browser = world.browser()
    await send(browser, '/sign-up', 'grace@xn--bcher-kva.example')
    await browser.open(newestLink(world))
    assert.equal((await browser.submit(newestLink(world), { name: 'Grace', password: PASSWORD })).status, 303)

    for (const email of SAME) {
      await send(world.browser(), '/forgot', email)
      const [mail] = world.mailbox.list()
      assert.deepEqual([mail?.subject, mail?.to], ['Choose a new password', READABLE], email)
    }
  })
})
