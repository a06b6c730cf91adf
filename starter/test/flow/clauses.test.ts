import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, it } from 'node:test'
import { generate } from 'otplib/functional'
import { PENDING_LOGIN_SECONDS } from '../../core/limits/limits.ts'
import { databases, withoutSqlite } from '../databases.ts'
import { PASSWORD, type Person, World } from '../support.ts'
import { enroll, newestLink, addFactor, confirm } from './steps.ts'

const DOOR = '/login/2fa'
const RECOVERY = '/login/2fa/recovery'
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

describe('the clock', () => {
  it('is one for codes and pending logins: where it goes, both go [FLOW-56]', async (test) => {
    const world = await World.create(test)
    const ada = await world.person('ada', { factor: 'enabled' })
    const browser = world.browser()

    for (const years of [5, -12, 30]) {
      world.clock.advance(years * 31_536_000)
      const twin = world.browser()
      await twin.password(ada)
      const { expires_at: end } = (await twin.session())['_2fa'] as { readonly expires_at: number }
      assert.equal(end, world.clock.timestamp() + PENDING_LOGIN_SECONDS)
      // The code of the machine's own time is of no use, and that of the clock is right.
      assert.equal((await twin.code(await machineCode(ada))).status, 422)
      assert.equal((await twin.code(await world.code(ada))).location, '/account')
    }
    assert.equal(await browser.isSignedIn(), false)
  })

  it('accepts the code of the present step, of the one before for 29 seconds of it, and no other [RA-0402]', async (test) => {
    const world = await World.create(test)
    const ada = await world.person('ada', { factor: 'enabled' })
    const accepted = async (steps: number, seconds: number): Promise<boolean> => {
      world.clock.advance(300)
      // To the beginning of a step, and then that far into it.
      world.clock.advance(30 - (world.clock.timestamp() % 30) + seconds)
      const browser = world.browser()
      await browser.password(ada)
      const page = await browser.code(await world.code(ada, steps))
      // A client that says what time it is changes nothing.
      return page.location === '/account'
    }

    const answers = []
    for (const [steps, seconds] of [
      [0, 0],
      [0, 29],
      [-1, 0],
      [-1, 28],
      [-1, 29],
      [-2, 0],
      [1, 29],
    ] as const)
      answers.push([steps, seconds, await accepted(steps, seconds)])

    assert.deepEqual(answers, [
      [0, 0, true],
      [0, 29, true],
      [-1, 0, true],
      [-1, 28, true],
      [-1, 29, false],
      [-2, 0, false],
      [1, 29, false],
    ])
  })
})

describe('the second door', () => {
  it('is skipped by nothing that a browser kept, unless trusted browsers are switched on [RA-1801]', async (test) => {
    const world = await World.create(test)
    const ada = await world.person('ada', { factor: 'enabled' })
    const browser = world.browser()
    const given = new Set<string>()
    const collect = (headers: Headers): void => {
      for (const cookie of headers.getSetCookie()) given.add(cookie.slice(0, cookie.indexOf('=')))
    }
    await browser.open('/login')
    for (const extra of ['trust', 'remember', 'remember_me', 'trusted_device']) {
      const first = await browser.submit('/login', { email: ada.email, password: PASSWORD, [extra]: '1' })
      collect(first.headers)
      await browser.open('/login/2fa')
      const second = await browser.submit('/login/2fa', { code: await world.code(ada), [extra]: '1' })
      collect(second.headers)
      assert.equal(second.location, '/account')
      await browser.open('/account')
      collect((await browser.submit('/logout')).headers)
      world.clock.advance(30)
      await browser.open('/login')
    }

    // The same browser, with every cookie that it was ever given, right after it passed both doors.
    const again = await browser.password(ada)
    assert.equal(again.location, '/login/2fa')
    assert.equal(await browser.isSignedIn(), false)
    assert.deepEqual([...given], ['__Host-sid'])
  })
})

// The code that the machine's own time gives, which no test stops.
function machineCode({ secret }: Person): Promise<string> {
  assert.ok(secret !== undefined)
  return generate({ secret: secret.reveal() })
}

describe('the record of a sign-in', () => {
  it('says with which factor, if there was one, and so does that of a confirmation [RA-0008]', async (test) => {
    const world = await World.create(test)
    const { person: eve, codes } = await enroll(world, world.browser(), 'eve')
    const bob = await world.person('bob')
    await world.browser().signIn(bob)
    const browser = world.browser()
    world.clock.advance(30)
    await browser.signIn(eve)
    const lost = world.browser()
    await lost.password(eve)
    await lost.open(RECOVERY)
    await lost.submit(RECOVERY, { code: codes[0] ?? '' })
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
    await browser.open(RECOVERY)
    await browser.submit(RECOVERY, { code: codes[0] ?? '' })
    world.clock.advance(300)
    await confirm(world, browser, { person: ada, path: '/account/recovery-codes' })
    await browser.submit('/account/recovery-codes')
    await browser.open('/forgot')
    await browser.submit('/forgot', { email: ada.email })
    const link = newestLink(world)
    await browser.open(link)
    await browser.submit(link, { password: 'a quiet orchard in the rain' })

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

describe('the identifier of a session', () => {
  it(
    'is in no file, as it was sent or in hexadecimal digits [RA-0001]',
    { skip: withoutSqlite },
    async (test) => {
      const world = await World.create(test)
      const browser = world.browser()
      await browser.signIn(await world.person('bob'))
      const id = browser.sessionId ?? ''
      const stored = await databases.stored(world.directory)

      assert.equal(id.length, 43)
      const digest = createHash('sha256').update(id).digest()
      const kept = [digest.toString('base64url'), digest.toString('hex'), digest.toString('latin1')]
      assert.ok(kept.some((form) => stored.includes(form)))
      const bytes = Buffer.from(id, 'base64url')
      for (const form of [id, id.slice(2), bytes.toString('hex'), bytes.toString('latin1')])
        assert.equal(stored.includes(form), false)
    },
  )
})

describe('the pages of the second door', () => {
  it('each has another way, a way out, and the link for those who have lost access [RA-0303]', async (test) => {
    const world = await World.create(test)
    const { person: eve } = await enroll(world, world.browser(), 'eve')
    world.clock.advance(30)
    const owner = world.browser()
    await owner.signIn(eve)
    await addFactor({ world, person: eve, browser: owner }, 'Phone')
    world.clock.advance(30)
    const browser = world.browser()
    await browser.password(eve)

    for (const [path, factor] of [
      [RECOVERY, 'Recovery code'],
      [DOOR, 'Authenticator app'],
    ] as const) {
      if (path === DOOR) {
        const [app] = await world.identity.factors.list(eve.id)
        await browser.submit('/login/2fa/choose', { factor: app?.id ?? '' })
      }
      const { status, html } = await browser.open(path)
      assert.equal(status, 200, path)
      assert.match(html, /action="\/login\/2fa\/cancel"/, path)
      const others = [...html.matchAll(/aria-label="Use this: ([^"]+)"/g)].map(([, name]) => name)
      assert.ok(others.length >= 2 && !others.includes(factor), `${path}: ${others.join(', ')}`)
    }
  })
})

describe('an account with a second factor', () => {
  it('is not entered by signing up again: the mail leads to the sign-in, which asks for the factor [RA-2706]', async (test) => {
    const world = await World.create(test)
    const ada = await world.person('ada', { factor: 'enabled' })
    const browser = world.browser()
    await browser.open('/sign-up')
    await browser.submit('/sign-up', { email: ada.email.toUpperCase() })

    assert.equal(newestLink(world), '/login')
    assert.equal((await browser.password(ada)).location, '/login/2fa')
    assert.equal((await browser.open('/enroll')).location, '/login')
    assert.equal(await browser.isSignedIn(), false)
  })

  it('whose factor is removed between password and code is not signed in by what is left [RA-2708 FACTOR-34]', async (test) => {
    const world = await World.create(test)
    const ada = await world.person('ada', { factor: 'enabled' })
    const browser = world.browser()
    await browser.password(ada)
    await browser.open('/login/2fa')
    await world.database.deleteFrom('factor').where('account_id', '=', ada.id).execute()

    for (const path of ['/login/2fa', '/login/2fa/recovery'])
      assert.notEqual(
        (await browser.submit(path, { code: await world.code(ada) })).location,
        '/account',
        path,
      )
    assert.equal(await browser.isSignedIn(), false)
    assert.equal('_auth' in (await browser.session()), false)
  })
})
