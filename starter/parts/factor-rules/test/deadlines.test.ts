import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { CODE_PAGE, type HeldKind } from '../../../core/factors/factor-kinds.ts'
import type { Part } from '../../../core/part.ts'
import { PARTS } from '../../../parts.ts'
import { ofParts } from '../../../test/facts-of-parts.ts'
import { type Person, START, World } from '../../../test/support.ts'

const DAY = 24 * 60 * 60
const GRACE = 14 * DAY
const ADMIN = { permissions: ['admin.access'] }
// Kinds of factors that can be demanded, beside an authenticator: accounts hold them, and a page sets them up.
const DEMANDED = PARTS.flatMap(({ factorKinds = [] }) =>
  factorKinds.flatMap(({ kind, isHeld, setUp }) => (isHeld && setUp !== undefined ? [kind as HeldKind] : [])),
)
const HELD = Object.entries(ofParts('doors')).filter(([, { kind }]) => DEMANDED.some((each) => each === kind))
const RULE = { holders: 'admin.access', from: Date.parse(START) / 1000, graceSeconds: GRACE }

describe('a rule about factors', () => {
  it('is refused when nobody could set up what it demands [RA-0901 RA-2203]', async (test) => {
    const kind = 'of-a-test' as HeldKind
    const part: Part = { name: kind, factorKinds: [{ kind, isHeld: true, page: CODE_PAGE }] }
    const rules = { parts: [...PARTS, part], factorRules: [{ ...RULE, kinds: [kind] }] }

    await assert.rejects(World.create(test, rules), {
      name: 'TypeError',
      message:
        /^Cannot demand a factor of the kinds of-a-test: name one whose part has a page that sets it up/,
    })
  })

  it('is reminded before the deadline, and signs in as before [RA-0901 RA-2203]', async (test) => {
    const world = await World.create(test, { factorRules: [RULE] })
    const [ada, eve] = [await world.person('ada', ADMIN), await world.person('eve')]
    const browser = world.browser()

    assert.equal((await browser.password(ada)).location, '/account')
    assert.match((await browser.open('/account')).html, /must have a second step\. From 15 Jan 2026 on/)
    world.clock.advance(GRACE - 1)
    assert.equal((await world.browser().password(ada)).location, '/account')

    const other = world.browser()
    await other.password(eve)
    assert.doesNotMatch((await other.open('/account')).html, /must have a second step/)
  })

  for (const [name, { kind }] of HELD)
    it(`for ${name} is reminded, and lets an app sign in until then [RA-0901 RA-2203]`, async (test) => {
      const world = await World.create(test, { factorRules: [{ ...RULE, kinds: [kind as HeldKind] }] })
      const ada = await world.person('ada', { ...ADMIN, factor: 'enabled' })
      const browser = world.browser()

      assert.equal((await browser.signIn(ada)).location, '/account')
      const { html } = await browser.open('/account')
      assert.match(html, /From 15 Jan 2026 on/)
      assert.doesNotMatch(html, /must have a second step/)
      world.clock.advance(GRACE - 30)
      assert.equal((await world.browser().signIn(ada)).location, '/account')
      world.clock.advance(30)
      assert.equal((await world.browser().signIn(ada)).location, '/enroll')
    })

  it('has a deadline that is fixed once: no login and no role makes it later [RA-0901 RA-2708]', async (test) => {
    const world = await World.create(test, { factorRules: [RULE] })
    const ada = await world.person('ada', ADMIN)
    const deadline = async (): Promise<number | undefined> => {
      const identity = await world.identity.users.authenticationIdentity(ada.id)
      return identity === null ? undefined : (await world.identity.policy.dutyOf(identity))?.from
    }
    const fixed = RULE.from + GRACE
    assert.equal(await deadline(), fixed)

    world.clock.advance(3 * DAY)
    await world.browser().password(ada)
    assert.equal(await deadline(), fixed)
    await world.database.deleteFrom('account_permission').execute()
    assert.equal(await deadline(), undefined)
    world.clock.advance(3 * DAY)
    const role = { account_id: ada.id, permission: 'admin.access' }
    await world.database.insertInto('account_permission').values(role).execute()
    assert.equal(await deadline(), fixed)
  })

  it('a clock that was ahead leaves no deadline beyond the grace, and one that is set back asks no sooner [RA-2708]', async (test) => {
    const world = await World.create(test, { factorRules: [RULE] })
    const ada = await world.person('ada', ADMIN)
    world.clock.advance(365 * DAY)
    await world.browser().password(ada)
    world.clock.advance(-365 * DAY)

    assert.equal((await world.browser().password(ada)).location, '/account')
    world.clock.advance(GRACE)
    assert.equal((await world.browser().password(ada)).location, '/enroll')
    world.clock.advance(-DAY)
    assert.equal((await world.browser().password(ada)).location, '/account')
  })

  const another = { skip: DEMANDED.length === 0 && 'no part has another kind that can be demanded' }
  it('rules name the accounts, the date and the kinds [RA-2203]', another, async (test) => {
    const from = Date.parse('2026-03-01T00:00:00Z') / 1000
    const kinds = DEMANDED
    const world = await World.create(test, {
      factorRules: [{ holders: 'everyone', from, graceSeconds: 0, kinds }],
    })
    const { identity, clock } = world
    const [eve, fay] = [await world.person('eve', { factor: 'enabled' }), await world.person('fay')]
    const dutyOf = async ({ id }: Person): Promise<unknown> => {
      const found = await identity.users.authenticationIdentity(id)
      return found === null ? null : identity.policy.dutyOf(found)
    }

    assert.deepEqual(await dutyOf(fay), { from, isDue: false, kinds })
    clock.set('2026-03-01T00:00:00Z')
    // Another kind does not fulfill the rule.
    for (const person of [fay, eve]) assert.deepEqual(await dutyOf(person), { from, isDue: true, kinds })
  })
})
