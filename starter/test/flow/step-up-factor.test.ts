import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { AUTHENTICATOR_LIMIT, FACTOR_LIMIT } from '../../core/limits/limits.ts'
import { PASSWORD } from '../support.ts'
import { CONFIRM } from './step-up-steps.ts'
import { addFailures, failuresOf } from '../failures.ts'
import { type TwoApps, withTwoApps, wrongForBoth } from './two-apps.ts'

const PATH = '/account/recovery-codes'
const ASKED = `${CONFIRM}?return_url=${encodeURIComponent(PATH)}`

/** Whose proofs of the login count no more. */
async function longInside(test: TestContext): Promise<TwoApps> {
  const scene = await withTwoApps(test)
  scene.world.clock.advance(300)
  return scene
}

describe('the form that confirms, of an account with two authenticators', () => {
  it('takes a code of either, and counts a wrong one for both [RA-0301 RA-1401]', async (test) => {
    const scene = await longInside(test)
    const { world, spare, app, other, browser } = scene
    await browser.open(ASKED)
    const fields = { return_url: PATH, password: PASSWORD }

    const wrong = await browser.submit(CONFIRM, { ...fields, code: await wrongForBoth(scene) })
    const right = await browser.submit(CONFIRM, { ...fields, code: await world.code(spare) })

    assert.deepEqual([wrong.status, right.location], [422, PATH])
    const failed = await failuresOf(world.database, '%authenticator%')
    // The right one has forgiven those of its own authenticator.
    assert.deepEqual(failed, [`authenticator:${app}`])
    assert.notEqual(app, other)
  })

  it('takes none of one that is locked, and says how long to wait when no other is left [RA-0801 RA-2804]', async (test) => {
    const scene = await longInside(test)
    const { world, ada, spare, other, browser } = scene
    const locked = { times: AUTHENTICATOR_LIMIT.failures, at: world.clock.timestamp() }
    await addFailures(world.database, [AUTHENTICATOR_LIMIT.of(other)], locked)
    await browser.open(ASKED)
    const fields = { return_url: PATH, password: PASSWORD }

    const refused = await browser.submit(CONFIRM, { ...fields, code: await world.code(spare) })
    await world.database.deleteFrom('attempt').execute()
    await addFailures(world.database, [FACTOR_LIMIT.of(ada.id)], { ...locked, times: FACTOR_LIMIT.failures })
    const paused = await browser.submit(CONFIRM, { ...fields, code: await world.code(ada) })

    assert.deepEqual([refused.status, paused.status], [422, 429])
    assert.match((await browser.open(ASKED)).html, /Too many wrong codes. Wait 15 minutes/)
  })
})
