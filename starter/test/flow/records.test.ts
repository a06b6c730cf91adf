import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type Person, World } from '../support.ts'
import { atDoor, confirm, enroll, newestLink, RECOVERY, enrolled } from './steps.ts'

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'

/** With which factor sign-ins and confirmations of an account were recorded, in their order. */
async function recordedFactors(world: World, { id }: Person): Promise<readonly (string | null)[]> {
  const rows = await world.database
    .selectFrom('event')
    .select('detail')
    .where('account_id', '=', id)
    .where('kind', 'in', ['logged-in', 'step-up-confirmed'])
    .orderBy('id')
    .execute()
  return rows.map(({ detail }) => detail)
}

describe('the record of a sign-in', () => {
  it('says with which factor, if there was one, and so does that of a confirmation [RA-0008]', async (test) => {
    const { world, person: eve, codes } = await enrolled(test)
    const bob = await world.person('bob')
    await world.browser().signIn(bob)
    const browser = world.browser()
    world.clock.advance(30)
    await browser.signIn(eve)
    await (await atDoor(world, eve, RECOVERY)).submit(RECOVERY, { code: codes[0] ?? '' })
    world.clock.advance(300)
    await browser.open('/account')
    await confirm(world, browser, { person: eve, path: '/account/password' })

    assert.deepEqual(await recordedFactors(world, bob), [null])
    assert.deepEqual(await recordedFactors(world, eve), ['totp', 'recovery', 'totp'])
  })
})

describe('an event', () => {
  it('has the device of the browser: of an enrollment, a refused and a right sign-in, a step-up, a change and a reset [RA-2001]', async (test) => {
    const world = await World.create(test)
    const browser = world.browser({ clientAddress: '192.0.2.7', userAgent: FIREFOX })
    const { person: ada, codes } = await enroll(world, browser, 'ada')
    await browser.password(ada, 'wrong')
    await browser.password(ada)
    await browser.send(RECOVERY, { code: codes[0] ?? '' })
    world.clock.advance(300)
    await confirm(world, browser, { person: ada, path: '/account/recovery-codes' })
    await browser.submit('/account/recovery-codes')
    await browser.send('/forgot', { email: ada.email })
    const link = newestLink(world)
    await browser.send(link, { password: 'a quiet orchard in the rain' })

    const rows = await world.database.selectFrom('event').select(['kind', 'device']).execute()
    const kinds = new Set(rows.map(({ kind }) => kind))
    for (const kind of ['account-created', 'factor-enabled', 'password-refused', 'recovery-code-used'])
      assert.ok(kinds.has(kind), kind)
    for (const kind of ['step-up-confirmed', 'recovery-codes-renewed', 'reset-requested', 'password-reset'])
      assert.ok(kinds.has(kind), kind)
    assert.deepEqual(
      rows.filter(({ device }) => !device.startsWith('Firefox/')),
      [],
    )
  })
})
