import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import type { Request } from '../crash/deed.ts'
import { DEEDS, DOORS_OF_PARTS } from '../crash/deeds.ts'
import { ledgerOf } from '../crash/ledger.ts'
import { ofParts } from '../facts-of-parts.ts'
import { PASSWORD, World } from '../support.ts'
import { CONFIRM, formIdOf } from './steps.ts'

const TABS = 20

const passwordAtStepUp: Request = {
  name: 'a password at a step-up',
  async prepare(world) {
    const browser = await world.inside(await world.person('ada'))
    world.clock.advance(300)
    return { browser, facts: formIdOf(await browser.open(CONFIRM)) }
  },
  act: (browser, { form_id = '' }) => browser.submit(CONFIRM, { password: PASSWORD, form_id }),
}

/** What is left of a request that so many tabs of one browser send at once. */
async function leftOf(tabs: number, test: TestContext, { prepare, act }: Request): Promise<unknown> {
  const world = await World.create(test, ofParts('settings'))
  const { browser, facts } = await prepare(world)
  const all = Array.from({ length: tabs }, () => browser.twin())

  await Promise.all(all.map((tab) => act(tab, facts, world)))

  assert.deepEqual(world.faults, [])
  const sessions = new Set<string | undefined>()
  for (const tab of all) if (await tab.isSignedIn()) sessions.add(tab.sessionId)
  return {
    ledger: await ledgerOf(world.database),
    mails: world.mailbox.list().map(({ subject }) => subject),
    sessions: sessions.size,
  }
}

describe('one request that many tabs send at once', () => {
  const once = DEEDS.filter(({ isRepeated }) => isRepeated !== true)
  for (const request of [...once, passwordAtStepUp, ...DOORS_OF_PARTS])
    it(`does what it does once, and nothing else is recorded or told: ${request.name} [RA-2502 RA-2702 RA-0008 RA-2801 FACTOR-17]`, async (test) => {
      assert.deepEqual(await leftOf(TABS, test, request), await leftOf(1, test, request))
    })
})
