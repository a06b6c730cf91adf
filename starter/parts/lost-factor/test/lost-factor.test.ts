import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { LOST_FACTOR_LIMIT } from '../limit.ts'
import {
  RECOVERY_CONFIRM_SECONDS,
  RECOVERY_LONG_WAIT_SECONDS,
  RECOVERY_OPEN_SECONDS,
  RECOVERY_PAUSE_SECONDS,
  RECOVERY_WAIT_SECONDS,
} from '../factor-recovery.ts'
import { type Browser, type Page, type Person, World } from '../../../test/support.ts'
import { testNewIdentifiers } from '../../../test/flow/new-identifiers.ts'
import { codesOf, personOf } from '../../../test/flow/steps.ts'

const NEW = 'a quiet orchard in the rain'

/** Path of a link in the newest mail that has one of this kind. */
function linkOf(world: World, kind: 'confirm' | 'cancel' | 'forgot' | 'enroll'): string {
  const pattern = {
    confirm: /https:\/\/app\.test(\/lost\/confirm\/[\w-]{43})/,
    cancel: /https:\/\/app\.test(\/lost\/cancel\/[\w-]{43})/,
    forgot: /https:\/\/app\.test(\/forgot\/[\w-]{43})/,
    enroll: /https:\/\/app\.test(\/enroll\/confirm\/[\w-]{43})/,
  }[kind]
  const found = world.mailbox.list().map(({ text }) => pattern.exec(text)?.[1])
  return found.find((link) => link !== undefined) ?? ''
}

async function post(browser: Browser, path: string): Promise<Page> {
  await browser.open(path)
  return browser.submit(path)
}

/** Proves the password, and asks for a recovery. */
async function ask(world: World, person: Person, password?: string): Promise<Browser> {
  const browser = world.browser()
  assert.equal((await browser.password(person, password)).location, '/login/2fa')
  await browser.open('/lost')
  assert.equal((await browser.submit('/lost')).location, '/lost')
  return browser
}

/** Asks and confirms: the waiting time begins. */
async function begin(world: World, person: Person, password?: string): Promise<void> {
  await ask(world, person, password)
  const page = await post(world.browser(), linkOf(world, 'confirm'))
  assert.deepEqual([page.status, /The waiting time has begun/.test(page.html)], [200, true])
}

/** Goes on after the waiting time, up to the page with the secret. */
async function reachSetUp(world: World, person: Person, password?: string): Promise<Browser> {
  const browser = world.browser()
  assert.equal((await browser.password(person, password)).location, '/login/2fa')
  await browser.open('/lost')
  assert.equal((await browser.submit('/lost/continue')).location, '/enroll')
  const link = linkOf(world, 'enroll')
  assert.equal((await post(browser, link)).location, '/enroll')
  return browser
}

async function withFactor(test: TestContext): Promise<{ readonly world: World; readonly ada: Person }> {
  const world = await World.create(test)
  return { world, ada: await world.person('ada', { factor: 'enabled' }) }
}

async function outcomes(world: World): Promise<readonly unknown[]> {
  const rows = await world.database.selectFrom('factor_recovery').select('outcome').execute()
  return rows.map(({ outcome }) => outcome)
}

describe('a lost factor', () => {
  it('offers a recovery code, another factor, and then a verified recovery [RA-2101 RA-0303 FACTOR-33]', async (test) => {
    const { world, ada } = await withFactor(test)
    const browser = world.browser()
    assert.equal((await browser.open('/lost')).location, '/login')
    await browser.password(ada)

    const challenge = await browser.open('/login/2fa')
    const page = await browser.open('/lost')

    assert.match(challenge.html, /href="\/lost"/)
    const places = ['id="lost-code"', 'id="lost-other"', 'id="lost-verified"'].map((part) =>
      page.html.indexOf(part),
    )
    assert.ok(places.every((place) => place > 0))
    assert.deepEqual(
      places,
      places.toSorted((one, other) => one - other),
    )
    assert.match(page.html, /No recovery code is left/)
    assert.match(page.html, /After 72 hours/)
    assert.equal(await browser.isSignedIn(), false)
  })

  it('ends in a new factor after the waiting time, and the old ones die with it [RA-2101 RA-2102 FACTOR-34]', async (test) => {
    const { world, ada } = await withFactor(test)
    await begin(world, ada)
    world.clock.advance(RECOVERY_WAIT_SECONDS)
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

    assert.equal(await browser.isSignedIn(), true)
    assert.equal((await world.database.selectFrom('factor').selectAll().execute()).length, 1)
    assert.deepEqual(await outcomes(world), ['completed'])
    world.clock.advance(30)
    const [old, present] = [world.browser(), world.browser()]
    await old.password(ada)
    assert.equal((await old.code(await world.code(ada))).status, 422)
    await present.password(ada)
    assert.equal((await present.code(await world.code(again))).location, '/account')
    assert.match(world.mailbox.list()[0]?.subject ?? '', /Your second step was replaced/)
    assert.deepEqual(world.faults, [])
  })

  it('counts for no protected action [RA-2102 FACTOR-33]', async (test) => {
    const { world, ada } = await withFactor(test)
    await begin(world, ada)
    world.clock.advance(RECOVERY_WAIT_SECONDS)
    const browser = await reachSetUp(world, ada)
    const again = await personOf(world, 'ada', await browser.open('/enroll'))
    await browser.submit('/enroll', { code: await world.code(again) })
    await browser.open('/enroll')
    await browser.submit('/enroll/done')

    const { html } = await browser.open('/account/recovery-codes', { follow: true })

    assert.deepEqual([/name="password"/.test(html), /name="code"/.test(html)], [true, true])
  })

  it('is password-only at no step, and an abandoned set-up leaves the old factor [RA-2102 RA-2706 FACTOR-34]', async (test) => {
    const { world, ada } = await withFactor(test)
    await begin(world, ada)
    world.clock.advance(RECOVERY_WAIT_SECONDS)
    const browser = await reachSetUp(world, ada)
    await browser.open('/enroll')
    for (const path of ['/account', '/account/security', '/login/2fa'])
      assert.match((await browser.open(path)).location ?? '', /^\/login/, path)
    await browser.open('/enroll')
    assert.equal((await browser.submit('/enroll/done')).location, '/enroll')
    assert.match((await browser.open('/account')).location ?? '', /^\/login/)
    const again = await reachSetUp(world, ada)
    await again.open('/enroll')
    await again.submit('/enroll/cancel')
    assert.match((await again.open('/login')).html, /still has its earlier second step/)

    assert.equal((await world.browser().password(ada)).location, '/login/2fa')
    const owner = world.browser()
    assert.equal((await owner.signIn(ada)).location, '/account')
  })

  it('nothing is possible before the waiting time, and nothing after the time to go on [RA-2101]', async (test) => {
    const { world, ada } = await withFactor(test)
    await begin(world, ada)
    world.clock.advance(RECOVERY_WAIT_SECONDS - 1)
    const early = world.browser()
    await early.password(ada)
    assert.match((await early.open('/lost')).html, /can set up a new second step from/)
    assert.equal((await early.submit('/lost/continue')).location, '/lost')
    assert.equal((await early.submit('/lost')).location, '/lost')
    assert.deepEqual(await outcomes(world), [null])

    world.clock.advance(RECOVERY_OPEN_SECONDS + 1)
    const late = world.browser()
    await late.password(ada)
    await late.open('/lost')
    assert.equal((await late.submit('/lost/continue')).location, '/lost')
    assert.deepEqual(await outcomes(world), ['outdated'])
  })

  it('every link of a mail changes nothing when it is opened, and works once [RA-2101]', async (test) => {
    const { world, ada } = await withFactor(test)
    await ask(world, ada)
    const [confirm, cancel] = [linkOf(world, 'confirm'), linkOf(world, 'cancel')]
    const stored = JSON.stringify(await world.database.selectFrom('recovery_link').selectAll().execute())
    for (const link of [confirm, cancel]) {
      assert.equal(stored.includes(link.split('/').at(-1) ?? 'none'), false)
      assert.equal((await world.browser().open(link)).status, 200)
      assert.equal((await world.browser().client.request('HEAD', link)).status, 200)
      const forged = world.browser()
      await forged.open(link)
      assert.equal((await forged.submit(link, { _csrf: 'x' })).status, 403)
    }
    assert.deepEqual(await outcomes(world), [null])

    assert.equal((await post(world.browser(), confirm)).status, 200)
    assert.equal((await world.browser().open(confirm)).status, 410)
    assert.equal((await post(world.browser(), cancel)).status, 200)
    for (const link of [confirm, cancel, '/lost/cancel/x', '/lost/confirm/x'])
      assert.equal((await world.browser().open(link)).status, 410, link)
    assert.deepEqual(await outcomes(world), ['cancelled'])
    assert.deepEqual(
      (await world.events(ada)).filter((kind) => kind.startsWith('recovery')),
      ['recovery-requested', 'recovery-confirmed', 'recovery-cancelled'],
    )
  })

  it('a link that is not confirmed within half an hour ends [RA-2101]', async (test) => {
    const { world, ada } = await withFactor(test)
    await ask(world, ada)
    const confirm = linkOf(world, 'confirm')
    world.clock.advance(RECOVERY_CONFIRM_SECONDS)

    assert.equal((await world.browser().open(confirm)).status, 410)
    await ask(world, ada)
    assert.equal((await world.browser().open(confirm)).status, 410)
    assert.equal((await world.browser().open(linkOf(world, 'confirm'))).status, 200)
  })

  it('is told in every mail with a link that stops it, and on every page of a signed-in session [RA-2101 RA-2401]', async (test) => {
    const { world, ada } = await withFactor(test)
    const signedIn = world.browser()
    await signedIn.signIn(ada)
    assert.doesNotMatch((await signedIn.open('/account')).html, /started to replace your second step/)
    await begin(world, ada)

    for (const path of ['/account', '/', '/account/security'])
      assert.match(
        (await signedIn.open(path)).html,
        /Account recovery is in progress[^]*action="\/lost\/stop"/,
        path,
      )
    assert.ok(world.mailbox.list().every(({ text }) => text.includes('/lost/cancel/')))
    await signedIn.open('/account')
    assert.equal((await signedIn.submit('/lost/stop')).location, '/account')

    assert.match((await signedIn.open('/account')).html, /The recovery was stopped/)
    assert.doesNotMatch((await signedIn.open('/account')).html, /started to replace/)
    assert.deepEqual(await outcomes(world), ['cancelled'])
    const stranger = world.browser()
    await stranger.open('/login')
    assert.equal((await stranger.submit('/lost/stop')).status, 401)
  })

  it('a sign-in with the factor stops it, and says so [RA-2101]', async (test) => {
    const { world, ada } = await withFactor(test)
    await begin(world, ada)
    world.clock.advance(RECOVERY_WAIT_SECONDS)
    const attacker = await reachSetUp(world, ada)
    const secret = await personOf(world, 'ada', await attacker.open('/enroll'))

    const owner = world.browser()
    await owner.signIn(ada)

    assert.match((await owner.open('/account')).html, /It was stopped, because you signed in/)
    assert.deepEqual(await outcomes(world), ['cancelled'])
    assert.equal((await attacker.submit('/enroll', { code: await world.code(secret) })).location, '/login')
    assert.equal(await owner.isSignedIn(), true)
    assert.equal((await world.browser().password(ada)).location, '/login/2fa')
  })

  it('any change of the credentials ends it, before and after the waiting time [RA-3001 RA-3002]', async (test) => {
    const { world, ada } = await withFactor(test)
    await begin(world, ada)
    await world.identity.users.endSessions(ada.id)
    world.clock.advance(RECOVERY_WAIT_SECONDS)
    const late = world.browser()
    await late.password(ada)
    await late.open('/lost')
    assert.equal((await late.submit('/lost/continue')).location, '/lost')
    assert.deepEqual(await outcomes(world), ['outdated'])

    await begin(world, ada)
    world.clock.advance(RECOVERY_WAIT_SECONDS)
    const setUp = await reachSetUp(world, ada)
    const again = await personOf(world, 'ada', await setUp.open('/enroll'))
    await world.disable(ada)
    await world.identity.users.enable(ada.id)
    assert.equal((await setUp.submit('/enroll', { code: await world.code(again) })).location, '/login')
    assert.equal(
      (await world.database.selectFrom('factor').select('id').where('state', '=', 'enabled').execute())
        .length,
      1,
    )
  })

  it('of 50 parallel posts one confirms, one stops, and one completes [RA-2502]', async (test) => {
    const { world, ada } = await withFactor(test)
    const fifty = async (path: string): Promise<readonly number[]> => {
      const browsers = await Promise.all(
        Array.from({ length: 50 }, async () => {
          const browser = world.browser()
          await browser.open(path)
          return browser
        }),
      )
      return (await Promise.all(browsers.map((browser) => browser.submit(path)))).map(({ status }) => status)
    }
    const once = [200, ...Array<number>(49).fill(410)]
    await ask(world, ada)
    assert.deepEqual((await fifty(linkOf(world, 'confirm'))).toSorted(), once)
    assert.deepEqual((await fifty(linkOf(world, 'cancel'))).toSorted(), once)
    world.clock.advance(RECOVERY_PAUSE_SECONDS)

    await begin(world, ada)
    world.clock.advance(RECOVERY_WAIT_SECONDS)
    const browser = await reachSetUp(world, ada)
    const again = await personOf(world, 'ada', await browser.open('/enroll'))
    const code = await world.code(again)
    const twins = Array.from({ length: 9 }, () => browser.twin())
    const pages = await Promise.all(twins.map((twin) => twin.submit('/enroll', { code })))

    assert.equal(pages.filter((page) => codesOf(page).length === 10).length, 1)
    assert.deepEqual((await outcomes(world)).toSorted(), ['cancelled', 'completed'])
    const events = await world.events(ada)
    for (const kind of ['recovery-confirmed', 'recovery-cancelled', 'recovery-completed', 'factor-enabled'])
      assert.equal(events.filter((each) => each === kind).length, kind === 'recovery-confirmed' ? 2 : 1, kind)
    assert.deepEqual(world.faults, [])
  })

  it('a clock that was set back leaves a waiting time, and no longer one than the longest [RA-2708]', async (test) => {
    const { world, ada } = await withFactor(test)
    const year = 365 * 24 * 60 * 60
    world.clock.advance(year)
    await begin(world, ada)
    world.clock.advance(-year)
    const browser = world.browser()
    await browser.password(ada)
    await browser.open('/lost')
    assert.equal((await browser.submit('/lost/continue')).location, '/lost')

    world.clock.advance(RECOVERY_LONG_WAIT_SECONDS)
    await reachSetUp(world, ada)
  })
})

describe('an attacker', () => {
  it('with the password only, sends the owner a few mails and gets nowhere [RA-2101]', async (test) => {
    const { world, ada } = await withFactor(test)
    for (let times = 0; times < LOST_FACTOR_LIMIT.failures; times += 1) await ask(world, ada)
    const browser = world.browser()
    await browser.password(ada)
    await browser.open('/lost')

    const refused = await browser.submit('/lost')

    assert.deepEqual([refused.status, /requested too often/.test(refused.html)], [429, true])
    assert.equal(world.mailbox.list().length, LOST_FACTOR_LIMIT.failures)
    world.clock.advance(RECOVERY_WAIT_SECONDS)
    const later = world.browser()
    await later.password(ada)
    await later.open('/lost')
    assert.equal((await later.submit('/lost/continue')).location, '/lost')
    // The owner can use the link that the attacker made the application send.
    await ask(world, ada)
    assert.equal((await post(world.browser(), linkOf(world, 'confirm'))).status, 200)
  })

  it('with the mailbox only, needs two weeks, and ends every session of the owner on the way [RA-2101 RA-1601]', async (test) => {
    const { world, ada } = await withFactor(test)
    const owner = world.browser()
    await owner.signIn(ada)
    const attacker = world.browser()
    assert.equal((await attacker.open('/lost')).location, '/login')
    await attacker.open('/forgot')
    await attacker.submit('/forgot', { email: ada.email })
    const link = linkOf(world, 'forgot')
    await attacker.open(link)
    await attacker.submit(link, { password: NEW })
    assert.equal(await owner.isSignedIn(), false)
    await begin(world, ada, NEW)

    world.clock.advance(RECOVERY_LONG_WAIT_SECONDS - 1)
    const early = world.browser()
    await early.password(ada, NEW)
    await early.open('/lost')
    assert.equal((await early.submit('/lost/continue')).location, '/lost')
    // An owner who resets the password in that time ends it, without knowing of it.
    await owner.open('/forgot')
    await owner.submit('/forgot', { email: ada.email })
    const own = linkOf(world, 'forgot')
    await owner.open(own)
    await owner.submit(own, { password: `${NEW} again` })
    world.clock.advance(1)
    const late = world.browser()
    await late.password(ada, `${NEW} again`)
    await late.open('/lost')
    assert.equal((await late.submit('/lost/continue')).location, '/lost')
    assert.deepEqual(await outcomes(world), ['outdated'])
  })
})

testNewIdentifiers({
  'the end of the waiting time of a recovery': {
    gains: ['sets up a factor'],
    before: async (test) => {
      const { world, ada } = await withFactor(test)
      await begin(world, ada)
      world.clock.advance(RECOVERY_WAIT_SECONDS)
      const browser = world.browser()
      await browser.password(ada)
      await browser.open('/lost')
      return { browser, act: () => browser.submit('/lost/continue') }
    },
  },
})
