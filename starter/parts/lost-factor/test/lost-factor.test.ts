import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import {
  FactorRecovery,
  LOST_FACTOR_LIMIT,
  RECOVERY_LONG_WAIT_SECONDS,
  RECOVERY_OPEN_SECONDS,
  RECOVERY_PAUSE_SECONDS,
  RECOVERY_WAIT_SECONDS,
} from '../factor-recovery.ts'
import { type Browser, type Person, World } from '../../../test/support.ts'
import { ALL_DOORS } from '../../../test/doors.ts'
import { ofParts } from '../../../test/facts-of-parts.ts'
import { testNewIdentifiers } from '../../../test/flow/new-identifiers.ts'
import {
  atDoor,
  codesOf,
  DOOR,
  enroll,
  linkIn,
  mailsOf,
  newestLink,
  personOf,
} from '../../../test/flow/steps.ts'
import { ask, begin, CANCEL_LINK, CONFIRM_LINK, goOn, reachSetUp } from './steps.ts'

const NEW = 'a quiet orchard in the rain'
const YEAR = 365 * 24 * 60 * 60

interface Owner {
  readonly world: World
  readonly ada: Person
}

async function withFactor(test: TestContext): Promise<Owner> {
  const world = await World.create(test)
  return { world, ada: await world.person('ada', { factor: 'enabled' }) }
}

/** Somebody whose waiting time is over. */
async function ready(test: TestContext): Promise<Owner> {
  const owner = await withFactor(test)
  await begin(owner.world, owner.ada)
  owner.world.clock.advance(RECOVERY_WAIT_SECONDS)
  return owner
}

async function outcomes(world: World): Promise<readonly unknown[]> {
  const rows = await world.database.selectFrom('factor_recovery').select('outcome').execute()
  return rows.map(({ outcome }) => outcome)
}

describe('a lost factor', () => {
  it('offers a recovery code, another factor, and then a verified recovery [RA-2101 RA-0303 FACTOR-33]', async (test) => {
    const { world, ada } = await withFactor(test)
    assert.equal((await world.browser().open('/lost')).location, '/login')
    const browser = await atDoor(world, ada)

    const challenge = await browser.open(DOOR)
    const page = await browser.open('/lost')

    assert.match(challenge.html, /href="\/lost"/)
    assert.match(page.html, /id="lost-code"[^]*id="lost-other"[^]*id="lost-verified"/)
    assert.equal(await browser.isSignedIn(), false)
  })

  it('ends in a new factor after the waiting time, which counts for no protected action; the old ones die [RA-2101 RA-2102 FACTOR-33 FACTOR-34]', async (test) => {
    const { world, ada } = await ready(test)
    const browser = await reachSetUp(world, ada)
    const shown = await browser.open('/enroll')
    assert.equal(await world.identity.secondFactors.isRequired(ada.id), true)
    const again = await personOf(world, 'ada', shown)
    assert.equal((await browser.submit('/enroll', { code: await world.wrongCode(again) })).status, 422)
    assert.deepEqual(await outcomes(world), [null])

    const codes = await browser.submit('/enroll', { code: await world.code(again) })
    assert.equal(codesOf(codes).length, 10)
    assert.equal(await browser.isSignedIn(), false)
    await browser.open('/enroll')
    assert.equal((await browser.submit('/enroll/done')).location, '/account')

    const { html } = await browser.open('/account/recovery-codes', { follow: true })
    assert.deepEqual([/name="password"/.test(html), /name="code"/.test(html)], [true, true])
    assert.equal((await world.database.selectFrom('factor').selectAll().execute()).length, 1)
    assert.deepEqual(await outcomes(world), ['completed'])
    world.clock.advance(30)
    assert.equal((await (await atDoor(world, ada)).code(await world.code(ada))).status, 422)
    assert.equal((await world.browser().signIn(again)).location, '/account')
    assert.match(world.mailbox.list()[0]?.subject ?? '', /Your second step was replaced/)
    assert.deepEqual(world.faults, [])
  })

  it('is password-only at no step, and an abandoned set-up leaves the old factor [RA-2102 RA-2706 FACTOR-34]', async (test) => {
    const { world, ada } = await ready(test)
    const browser = await reachSetUp(world, ada)
    for (const path of ['/account', '/account/security', DOOR])
      assert.match((await browser.open(path)).location ?? '', /^\/login/, path)
    await browser.open('/enroll')
    assert.equal((await browser.submit('/enroll/done')).location, '/enroll')
    assert.equal(await browser.isSignedIn(), false)

    const again = await reachSetUp(world, ada)
    await again.open('/enroll')
    await again.submit('/enroll/cancel')

    assert.equal((await world.browser().password(ada)).location, DOOR)
    assert.equal((await world.browser().signIn(ada)).location, '/account')
  })

  it('nothing is possible before the waiting time, and nothing after the time to go on [RA-2101]', async (test) => {
    const { world, ada } = await withFactor(test)
    await begin(world, ada)
    world.clock.advance(RECOVERY_WAIT_SECONDS - 1)
    const early = await goOn(world, ada)
    assert.equal(early.location, '/lost')
    assert.equal((await early.browser.send('/lost')).location, '/lost')
    assert.deepEqual(await outcomes(world), [null])

    world.clock.advance(RECOVERY_OPEN_SECONDS + 1)

    assert.equal((await goOn(world, ada)).location, '/lost')
    assert.deepEqual(await outcomes(world), ['outdated'])
  })

  it('is told in every mail with a link that stops it, and on every page of a signed-in session [RA-2101 RA-2401]', async (test) => {
    const { world, ada } = await withFactor(test)
    const browser = world.browser()
    await browser.signIn(ada)
    assert.doesNotMatch((await browser.open('/account')).html, /action="\/lost\/stop"/)
    await begin(world, ada)

    for (const path of ['/account', '/', '/account/security'])
      assert.match((await browser.open(path)).html, /action="\/lost\/stop"/, path)
    assert.ok(world.mailbox.list().every(({ text }) => text.includes(CANCEL_LINK)))
    assert.equal((await browser.submit('/lost/stop')).location, '/account')

    const { html } = await browser.open('/account')
    assert.doesNotMatch(html, /action="\/lost\/stop"/)
    assert.deepEqual(await outcomes(world), ['cancelled'])
    const stranger = world.browser()
    await stranger.open('/login')
    assert.equal((await stranger.submit('/lost/stop')).status, 401)
  })

  it('any change of the credentials ends it, before and after the waiting time [RA-3001 RA-3002]', async (test) => {
    const { world, ada } = await withFactor(test)
    await begin(world, ada)
    await world.identity.users.endSessions(ada.id)
    world.clock.advance(RECOVERY_WAIT_SECONDS)
    assert.equal((await goOn(world, ada)).location, '/lost')
    assert.deepEqual(await outcomes(world), ['outdated'])

    await begin(world, ada)
    world.clock.advance(RECOVERY_WAIT_SECONDS)
    const setUp = await reachSetUp(world, ada)
    const again = await personOf(world, 'ada', await setUp.open('/enroll'))
    await world.disable(ada)
    await world.identity.users.enable(ada.id)

    assert.equal((await setUp.submit('/enroll', { code: await world.code(again) })).location, '/login')
    const enabled = world.database.selectFrom('factor').select('id').where('state', '=', 'enabled')
    assert.equal((await enabled.execute()).length, 1)
  })

  it('a clock that was set back leaves a waiting time, and a pause after a stop, and no longer ones than the longest [RA-2708 RA-2101]', async (test) => {
    const { world, ada } = await withFactor(test)
    const recoveries = world.app.get(FactorRecovery)
    world.clock.advance(YEAR)
    await begin(world, ada)
    world.clock.advance(-YEAR)
    assert.equal((await goOn(world, ada)).location, '/lost')
    world.clock.advance(RECOVERY_LONG_WAIT_SECONDS)
    await reachSetUp(world, ada)

    world.clock.advance(YEAR)
    await ask(world, ada)
    await recoveries.cancelOf(ada.id, { clientAddress: '192.0.2.7', device: '' })
    world.clock.advance(-YEAR)
    assert.equal((await recoveries.stateOf(ada.id)).kind, 'paused')
    world.clock.advance(RECOVERY_PAUSE_SECONDS)
    assert.equal((await recoveries.stateOf(ada.id)).kind, 'none')
  })
})

describe('a sign-in while a factor is said to be lost', () => {
  for (const [kind, { page, isProof: ends, prove }] of Object.entries(ALL_DOORS))
    it(`with ${kind} ${ends ? 'ends the recovery that waits' : 'does not stop the recovery, which ends in a new factor'} [RA-2101 RA-2102 FACTOR-34]`, async (test) => {
      const world = await World.create(test, ofParts('settings'))
      const { person: ada, codes } = await enroll(world, world.browser(), 'ada')
      world.clock.advance(30)
      await begin(world, ada)
      const browser = await atDoor(world, ada, page)

      const fields = await prove(browser, { world, person: ada, codes })
      assert.equal((await browser.submit(page, fields)).location, '/account')

      assert.deepEqual(await outcomes(world), [ends ? 'cancelled' : null])
      const { html } = await browser.open('/account')
      assert.equal(/A recovery of your second step was under way/.test(html), ends)
      assert.equal(/action="\/lost\/stop"/.test(html), !ends)
      assert.equal(mailsOf(world, /recovery of your second step was stopped/), ends ? 1 : 0)
      world.clock.advance(RECOVERY_WAIT_SECONDS)
      assert.equal((await goOn(world, ada)).location, ends ? '/lost' : '/enroll')
    })

  it('ends the set-up of a new one, too [RA-2101]', async (test) => {
    const { world, ada } = await ready(test)
    const attacker = await reachSetUp(world, ada)
    const secret = await personOf(world, 'ada', await attacker.open('/enroll'))
    const owner = world.browser()
    await owner.signIn(ada)

    const late = await attacker.submit('/enroll', { code: await world.code(secret) })

    assert.equal(late.location, '/login')
    assert.deepEqual(await outcomes(world), ['cancelled'])
    assert.equal(await owner.isSignedIn(), true)
  })
})

describe('an attacker', () => {
  it('with the password only, sends the owner a few mails and gets nowhere [RA-2101]', async (test) => {
    const { world, ada } = await withFactor(test)
    await ask(world, ada)
    const replaced = linkIn(world, CONFIRM_LINK)
    for (let times = 1; times < LOST_FACTOR_LIMIT.failures; times += 1) await ask(world, ada)
    assert.equal((await world.browser().open(replaced)).status, 410)
    const browser = await atDoor(world, ada, '/lost')

    assert.equal((await browser.submit('/lost')).status, 429)

    assert.equal(world.mailbox.list().length, LOST_FACTOR_LIMIT.failures)
    world.clock.advance(RECOVERY_WAIT_SECONDS)
    assert.equal((await goOn(world, ada)).location, '/lost')
    // The owner can use the link that the attacker made the application send.
    await begin(world, ada)
  })

  it('with the mailbox only, needs two weeks, and ends every session of the owner on the way [RA-2101 RA-1601]', async (test) => {
    const { world, ada } = await withFactor(test)
    const owner = world.browser()
    await owner.signIn(ada)
    const reset = async (browser: Browser, password: string): Promise<void> => {
      await browser.send('/forgot', { email: ada.email })
      assert.equal((await browser.send(newestLink(world), { password })).location, '/login')
    }
    await reset(world.browser(), NEW)
    assert.equal(await owner.isSignedIn(), false)
    await begin(world, ada, NEW)

    world.clock.advance(RECOVERY_LONG_WAIT_SECONDS - 1)
    assert.equal((await goOn(world, ada, NEW)).location, '/lost')
    assert.deepEqual(await outcomes(world), [null])
    // An owner who resets the password in that time ends it, without knowing of it.
    await reset(owner, `${NEW} again`)
    world.clock.advance(1)
    assert.equal((await goOn(world, ada, `${NEW} again`)).location, '/lost')
    assert.deepEqual(await outcomes(world), ['outdated'])
  })
})

testNewIdentifiers({
  'the end of the waiting time of a recovery': {
    gains: ['sets up a factor'],
    before: async (test) => {
      const { world, ada } = await ready(test)
      const browser = await atDoor(world, ada, '/lost')
      return { browser, act: () => browser.submit('/lost/continue') }
    },
  },
})
