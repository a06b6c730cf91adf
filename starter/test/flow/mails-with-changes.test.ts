import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import type { Telling } from '../crash/deed.ts'
import { DEEDS } from '../crash/deeds.ts'
import { ledgerOf } from '../crash/ledger.ts'
import { databases } from '../databases.ts'
import { ofParts, TELLINGS_OF_PARTS } from '../facts-of-parts.ts'
import { World } from '../support.ts'

const SOMEWHERE = { clientAddress: '203.0.113.7' }
const ELSEWHERE = { clientAddress: '198.51.100.9' }

const unusual: Telling = {
  name: 'a sign-in from an unusual place',
  async prepare(world) {
    const ada = await world.person('ada', { factor: 'enabled' })
    await world.browser(SOMEWHERE).signIn(ada)
    world.clock.advance(30)
    const browser = world.browser(ELSEWHERE)
    await browser.password(ada)
    await browser.open('/login/2fa')
    return { browser, facts: { code: await world.code(ada) } }
  },
  act: (browser, { code = '' }) => browser.submit('/login/2fa', { code }),
}

/** @returns What sends the request, in a world that is ready for it. */
async function ready(
  test: TestContext,
  { prepare, act }: Telling,
): Promise<{ readonly world: World; readonly send: () => Promise<number | undefined> }> {
  const world = await World.create(test, ofParts('settings'))
  const { browser, facts } = await prepare(world)
  // What no request does fails with an error in place of a page.
  const send = (): Promise<number | undefined> =>
    act(browser, facts, world).then(
      (page) => page?.status ?? 200,
      () => 500,
    )
  return { world, send }
}

/** Whom the mails went to, and what about. */
function mailsOf({ mailbox }: World): readonly string[] {
  return mailbox.list().map(({ to, subject }) => `${to}: ${subject}`)
}

describe('a mail and what it tells of', () => {
  for (const telling of [...DEEDS, ...TELLINGS_OF_PARTS, unusual]) {
    const isSilent = telling.isSilent === true

    it(`come together, and once: ${telling.name} [RA-2401 RA-3205]`, async (test) => {
      const { world, send } = await ready(test, telling)
      const known = mailsOf(world).length

      const status = await send()

      assert.ok(status === 200 || status === 303, String(status))
      const mails = mailsOf(world).slice(0, mailsOf(world).length - known)
      assert.equal(mails.length === 0, isSilent, mails.join(', '))
      assert.equal(new Set(mails).size, mails.length, mails.join(', '))
    })

    it(`come together or not at all when no mail can be written: ${telling.name} [RA-2401 RA-3205]`, async (test) => {
      const { world, send } = await ready(test, telling)
      const before = await ledgerOf(world.database)
      await databases.breakTable(world.database, 'mail')

      const status = await send()

      const after = await ledgerOf(world.database)
      if (isSilent) assert.notDeepEqual(after, before)
      else assert.deepEqual([status, after], [500, before])
    })
  }
})
