import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, it } from 'node:test'
import { AUTHENTICATOR_LIMIT } from '../../core/limits/limits.ts'
import { type Browser, PASSWORD, type Person, World } from '../support.ts'
import { enroll } from './newcomer.ts'
import { addFactor } from './security-steps.ts'
import { confirm } from './step-up-steps.ts'

const DOOR = '/login/2fa'
const RECOVERY = '/login/2fa/recovery'

/** This many browsers that are asked for the second factor of one account. */
async function pending(world: World, person: Person, count: number): Promise<readonly Browser[]> {
  const browsers: Browser[] = []
  for (let index = 0; index < count; index += 1) {
    const browser = world.browser()
    await browser.password(person)
    await browser.open(DOOR)
    browsers.push(browser)
  }
  return browsers
}

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

describe('the record of a refused code', () => {
  it('says which factor was asked for, at the second door, in a confirmation and when it is locked [RA-0008]', async (test) => {
    const world = await World.create(test)
    const ada = await world.person('ada', { factor: 'enabled' })
    const browser = world.browser()
    await browser.signIn(ada)
    world.clock.advance(300)
    const asked = '/account/confirm?return_url=%2Faccount%2Fpassword'
    await browser.open(asked)
    const wrong = { return_url: '/account/password', password: PASSWORD, code: await world.wrongCode(ada) }
    await browser.submit('/account/confirm', wrong)
    for (let times = 1; times < AUTHENTICATOR_LIMIT.failures; times += 1) {
      const door = world.browser()
      await door.password(ada)
      await door.code(await world.wrongCode(ada))
    }

    const rows = await world.database
      .selectFrom('event')
      .select(['kind', 'detail'])
      .where('kind', 'in', ['code-refused', 'code-locked'])
      .execute()
    const own = world.browser()
    world.clock.advance(AUTHENTICATOR_LIMIT.windowSeconds)
    await own.signIn(ada)

    assert.equal(rows.length, AUTHENTICATOR_LIMIT.failures + 1)
    assert.deepEqual([...new Set(rows.map(({ detail }) => detail))], ['totp'])
    assert.match((await own.open('/account/activity')).html, /Wrong code[\s\S]{0,200}authenticator app/)
  })
})

describe('the identifier of a session', () => {
  it('is in no file, as it was sent or in hexadecimal digits [RA-0001]', async (test) => {
    const world = await World.create(test)
    const browser = world.browser()
    await browser.signIn(await world.person('bob'))
    const id = browser.sessionId ?? ''
    const folder = dirname(world.accountsPath)
    const files = readdirSync(folder).map((file) => readFileSync(join(folder, file), 'latin1'))

    assert.equal(id.length, 43)
    const digest = createHash('sha256').update(id).digest()
    const stored = [digest.toString('base64url'), digest.toString('hex'), digest.toString('latin1')]
    assert.ok(stored.some((form) => files.join('\n').includes(form)))
    const bytes = Buffer.from(id, 'base64url')
    for (const form of [id, id.slice(2), bytes.toString('hex'), bytes.toString('latin1')])
      assert.equal(files.join('\n').includes(form), false)
  })
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

  it('the form of another tab gets a clear answer after the sign-in, and uses no code up [RA-0405]', async (test) => {
    const world = await World.create(test)
    const ada = await world.person('ada', { factor: 'enabled' })
    const [browser] = await pending(world, ada, 1)
    assert.ok(browser !== undefined)
    await browser.code(await world.code(ada, -1))
    const code = await world.code(ada)

    const late = await browser.submit(DOOR, { code, _csrf: 'of the other tab' })
    const again = await browser.open(DOOR)

    assert.equal(late.status, 403)
    assert.match(late.html, /href="\/account"/)
    assert.match(late.html, /since you opened it, you signed in or out/)
    assert.equal(again.location, '/account')
    assert.equal(await browser.isSignedIn(), true)
    const other = world.browser()
    await other.password(ada)
    assert.equal((await other.code(code)).location, '/account')
  })
})

describe('fifty posts at once', () => {
  it('of one code of an app, in fifty pending logins, sign one in [RA-2702]', async (test) => {
    const world = await World.create(test)
    const ada = await world.person('ada', { factor: 'enabled' })
    const browsers = await pending(world, ada, 50)
    const code = await world.code(ada)

    const pages = await Promise.all(browsers.map((browser) => browser.submit(DOOR, { code })))

    assert.equal(pages.filter(({ location }) => location === '/account').length, 1)
    assert.equal((await world.events(ada)).filter((kind) => kind === 'logged-in').length, 1)
    assert.deepEqual(world.faults, [])
  })

  it('of one recovery code, in fifty pending logins, sign one in [RA-2702 RA-0602]', async (test) => {
    const world = await World.create(test)
    const { person: eve, codes } = await enroll(world, world.browser(), 'eve')
    const browsers = await pending(world, eve, 50)
    for (const browser of browsers) await browser.open(RECOVERY)
    const before = (await world.events(eve)).filter((kind) => kind === 'logged-in').length

    const pages = await Promise.all(
      browsers.map((browser) => browser.submit(RECOVERY, { code: codes[0] ?? '' })),
    )

    assert.equal(pages.filter(({ location }) => location === '/account').length, 1)
    assert.equal((await world.events(eve)).filter((kind) => kind === 'logged-in').length, before + 1)
    assert.equal(await world.identity.codes.left(eve.id), 9)
    assert.deepEqual(world.faults, [])
  })
})

describe('a recovery code', () => {})

describe('leaving', () => {
  it('a cancelled sign-in and a sign-out keep the cart, and what the next page was to say [RA-2301]', async (test) => {
    const world = await World.create(test)
    const ada = await world.person('ada', { factor: 'enabled' })
    const [browser] = await pending(world, ada, 1)
    assert.ok(browser !== undefined)
    await browser.write('cart', ['a lamp'])

    await browser.submit('/login/2fa/cancel')
    const cancelled = await browser.session()
    await browser.signIn(ada)
    await browser.open('/account/password')
    await browser.submit('/account/password', { password: 'a quiet orchard in the rain' })
    const page = await browser.submit('/logout')
    const kept = JSON.stringify(await browser.session())
    const { html } = await browser.open(page.location ?? '')

    assert.deepEqual(cancelled['cart'], ['a lamp'])
    assert.deepEqual((await browser.session())['cart'], ['a lamp'])
    assert.match(html, /You are signed out/)
    // It stays, and is for the page that the change leads to.
    assert.match(kept, /password\.changed/)
    assert.doesNotMatch(html, /Your password was changed/)
  })
})

describe('a password', () => {})
