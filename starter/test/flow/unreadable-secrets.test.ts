import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Secret } from 'sallyport'
import { HttpException } from 'sallyport/http'
import { KeyRing } from 'sallyport-app/keys'
import { FACTOR_SECRET } from '../../core/factors/factor-vault.ts'
import { failuresOf } from '../failures.ts'
import { KEY, type Person, type World } from '../support.ts'
import { atDoor, CONFIRM, enrolled, factorIds, ownerOf, RECOVERY } from './steps.ts'

const OTHER = new Secret('c3'.repeat(32))
// More than lock an authenticator, an account or a challenge.
const MANY = 12

/** Seals the secrets of an account as a key does that is not configured, or as the configured one does. */
async function seal(world: World, { id }: Person, key: Secret, factorId?: string): Promise<void> {
  const [ring, both] = [new KeyRing([key]), new KeyRing([KEY, OTHER])]
  const rows = await world.database.selectFrom('factor').selectAll().where('account_id', '=', id).execute()
  assert.ok(rows.length > 0)
  for (const row of rows.filter((each) => factorId === undefined || each.id === factorId)) {
    const secret = ring.seal([id, FACTOR_SECRET], both.open([id, FACTOR_SECRET], row.secret ?? ''))
    await world.database.updateTable('factor').set({ secret }).where('id', '=', row.id).execute()
  }
}

// What the operator hears, once for each request.
function remedies(world: World): readonly string[] {
  return world.faults.splice(0).map((fault) => {
    assert.ok(fault instanceof HttpException && fault.cause instanceof Error)
    return fault.cause.message
  })
}

describe('a factor sealed with a key that is not configured', () => {
  it('blames no code at the second door, counts none, tells the operator, and locks nobody out who has a recovery code [RA-0404 FACTOR-17 RA-0603]', async (test) => {
    const { world, person: eve, codes } = await enrolled(test)
    world.clock.advance(30)
    await seal(world, eve, OTHER)
    const browser = await atDoor(world, eve)
    const code = await world.code(eve)
    const page = await browser.submit('/login/2fa', { code })

    assert.equal(page.status, 503)
    assert.match(page.html, /check that second step right now/)
    assert.match(page.html, /href="\/login\/2fa"/)
    assert.match(page.headers.get('retry-after') ?? '', /^\d+$/)
    const [remedy = '', ...more] = remedies(world)
    assert.match(remedy, /key "[0-9a-f]{8}" is not configured. Append it to FACTOR_KEY/)
    assert.deepEqual(more, [])

    for (let tries = 0; tries < MANY; tries += 1)
      assert.equal((await browser.code(await world.wrongCode(eve))).status, 503)
    const recovering = await atDoor(world, eve, RECOVERY)
    assert.equal((await recovering.submit(RECOVERY, { code: codes[0] ?? '' })).location, '/account')
    await seal(world, eve, KEY)
    assert.equal((await browser.code(code)).location, '/account')
  })

  it('leaves the other authenticator of the account as it is: a right code counts, and a wrong one is counted for it [RA-0404]', async (test) => {
    const { world, person: ada } = await ownerOf(test)
    world.clock.advance(30)
    const second = await world.identity.factors.add(ada.id, 'Tablet', world.clock)
    await world.identity.factors.enableUnproven(second.id, world.clock)
    await seal(world, ada, OTHER, second.id)

    assert.equal((await world.browser().signIn(ada)).location, '/account')
    world.clock.advance(60)
    const thief = await atDoor(world, ada)
    assert.equal((await thief.code(await world.wrongCode(ada))).status, 422)
    const [first] = await factorIds(world, ada)
    const counted = await failuresOf(world.database)
    for (const subject of [`authenticator:${first}`, `factor:${ada.id}`])
      assert.ok(counted.includes(subject), subject)
  })

  it('refuses the step-up without counting, and the suspended action does not happen [RA-1701]', async (test) => {
    const { world, person: ada, browser } = await ownerOf(test)
    await browser.signIn(ada)
    world.clock.advance(600)
    await seal(world, ada, OTHER)

    const asked = await browser.open('/account/password')
    await browser.open(asked.location ?? '')
    const typed = { return_url: '/account/password', password: 'a gate of two doors' }
    const page = await browser.submit(CONFIRM, { ...typed, code: await world.code(ada) })

    assert.equal(page.status, 503)
    assert.match(page.html, /check that second step right now/)
    assert.equal((await browser.open('/account/password')).status, 303)
    assert.equal(remedies(world).length, 1)
  })
})
