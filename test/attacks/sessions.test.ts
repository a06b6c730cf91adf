import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { MemorySessionStore, SessionPolicy } from 'sallyport/session'
import { RequestSession } from '../../src/session/internal.ts'
import { SqliteSessionStore } from 'sallyport/session/sqlite'
import { FrozenClock, TestClient } from 'sallyport/testing'
import { createFixture } from './fixture/application.ts'
import { Browser } from './fixture/browser.ts'
import { addPeople, counting, ORIGIN, passwordOf, T0, World } from './fixture/world.ts'

const NIGHTLY = process.env['NIGHTLY'] === '1'

describe('abuse of sessions', () => {
  it('an id chosen by an attacker is never authenticated [A-077]', async (test) => {
    const world = await World.create(test)
    const attacker = world.browser()
    await attacker.get('/login')
    const unknown = randomBytes(32).toString('base64url')
    for (const chosen of [unknown, attacker.sessionId ?? '']) {
      const victim = world.browser().withId(chosen)
      const answer = await victim.password('bob')
      assert.equal(answer.status, 303)
      assert.notEqual(victim.sessionId, chosen)
      assert.equal(await victim.who(), 'u2')
      assert.equal(await attacker.withId(chosen).who(), null)
      assert.equal(await world.sessionData(chosen), null, 'the chosen id has no record')
    }
  })

  it('logout keeps the cart and ends everything else [A-078]', async (test) => {
    const world = await World.create(test)
    const ada = await world.loggedIn('ada')
    await ada.get('/shop/cart')
    await ada.post('/shop/cart/add')
    const before = await ada.session()
    const old = ada.sessionId ?? ''
    await ada.get('/account')
    await ada.logOut()
    const thief = world.browser().withId(old)
    assert.equal(await thief.who(), null)
    assert.doesNotMatch((await thief.get('/shop/cart')).body, /canary-cart-item/)
    assert.equal(await ada.who(), null)
    assert.match((await ada.get('/shop/cart')).body, /canary-cart-item/)
    const after = await ada.session()
    assert.notEqual(after?.['_csrf'], before?.['_csrf'])
    assert.equal(after?.['_auth'], undefined)
  })

  it('a late write restores no identity [A-079]', async (test) => {
    const world = await World.create(test)
    const ada = await world.loggedIn('ada')
    const old = ada.sessionId ?? ''
    const slow = ada.twin()
    const { arrived, open } = world.fixture.gates.hold('slow')
    const late = slow.get('/account/slow')
    await arrived
    await ada.logOut()
    open()
    const answer = await late
    assert.equal(answer.headers.get('set-cookie'), null)
    for (const browser of [slow, world.browser().withId(old), ada]) {
      assert.equal(await browser.who(), null)
      assert.equal((await browser.session())?.['_auth'], undefined)
    }
    assert.equal((await world.sessionData(ada.sessionId))?.['x'], undefined)
  })

  it('a client without a cookie gets none and opens no storage [A-080]', async (test) => {
    const { store, calls } = counting(new MemorySessionStore())
    const world = await World.create(test, { sessions: store })
    const targets = [
      '/',
      '/nope',
      '/api/items/x',
      '/favicon.ico',
      '/assets/x.css',
      '/account',
      '/admin',
      '/shop',
      '/login/2fa',
    ]
    for (let i = 0; i < (NIGHTLY ? 10_000 : 600); i++) {
      const sent = { target: targets[i % targets.length] ?? '/' }
      const answer = i % 10 === 0 ? await world.raw(sent) : await world.fetch(sent)
      assert.equal(answer.headers.get('set-cookie'), null, sent.target)
    }
    assert.deepEqual(calls, [])
  })

  it('a malformed identifier reaches no store [A-081]', async (test) => {
    const folder = mkdtempSync(join(tmpdir(), 'sallyport-attacks-'))
    test.after(() => rmSync(folder, { recursive: true }))
    const path = join(folder, 'sessions.sqlite')
    const sqlite = new SqliteSessionStore({ path, clock: new FrozenClock(T0), durable: false })
    test.after(() => sqlite.close())
    const files = readdirSync(folder)
    for (const backend of [new MemorySessionStore({ clock: new FrozenClock(T0) }), sqlite]) {
      const { store, calls } = counting(backend)
      const world = await World.create(test, { sessions: store })
      const values = [
        '../../outside-file',
        '%2e%2e%2f',
        '..\\x',
        'a'.repeat(5000),
        '',
        '__proto__',
        'constructor',
        '"',
        "'",
        '\0',
        '*',
        '%0a',
      ]
      for (const value of [
        ...values,
        '"'.repeat(43),
        `${'a'.repeat(42)}/`,
        `${'a'.repeat(42)}%0a`,
        ' OR 1=1--',
      ]) {
        const sent = { target: '/account', headers: { cookie: `__Host-sid=${value}` } }
        // A NUL cannot stand in a header: each platform refuses it before the application.
        const answers =
          value === '\0' ? [await world.raw(sent)] : [await world.fetch(sent), await world.raw(sent)]
        for (const { status, headers } of answers) {
          assert.ok(
            status === 302 || (value === '\0' && status === 400),
            `${JSON.stringify(value)} ${status}`,
          )
          assert.equal(headers.get('set-cookie'), null)
        }
      }
      assert.deepEqual(calls, [])
    }
    assert.deepEqual(readdirSync(folder), files)
  })

  it('a disabled account is signed out at once, everywhere [A-082]', async (test) => {
    for (const sql of [
      "UPDATE account SET active = 0 WHERE id = 'u2'",
      "DELETE FROM account WHERE id = 'u2'",
    ]) {
      const world = await World.create(test)
      const browsers = [await world.loggedIn('bob'), await world.loggedIn('bob')]
      for (const browser of browsers) assert.equal(await browser.who(), 'u2')
      world.accounts.run(sql)
      world.trace.clear()
      for (const browser of browsers) assert.equal(await browser.who(), null)
      assert.deepEqual(world.trace.handlers, [])
    }
  })

  it('an identity counts only in its own application [A-083]', async (test) => {
    const main = await World.create(test)
    const clock = new FrozenClock(T0)
    const office = createFixture({ clock })
    await addPeople(office)
    const bob = await main.loggedIn('bob')
    const client = new TestClient(office.app, { origin: ORIGIN })
    client.setCookie(`__Host-sid=${bob.sessionId ?? ''}; Path=/; Secure`)
    assert.equal((await client.get('/account')).status, 302)
    assert.equal(office.trace.handlers.length, 0)
    assert.equal(await bob.who(), 'u2')
  })

  it('identifiers are many, long and found nowhere else [A-084]', async (test) => {
    const store = new MemorySessionStore({ maxRecords: 10 })
    const services = { store, policy: new SessionPolicy(), clock: new FrozenClock(T0) }
    const count = NIGHTLY ? 1_000_000 : 20_000
    const seen = new Set<string>()
    const alphabet = new Set<string>()
    for (let i = 0; i < count; i++) {
      const session = new RequestSession(services, undefined)
      await session.set('a', 1)
      const id = String(await session.commit())
      assert.match(id, /^[A-Za-z0-9_-]{43}$/)
      if (i < 5000) for (const character of id) alphabet.add(character)
      seen.add(id)
    }
    assert.equal(seen.size, count)
    assert.equal(alphabet.size, 64)

    const world = await World.create(test)
    const browser = await world.loggedIn('ada')
    for (const target of ['/account', '/nope', '/admin', '/account/go?to=//x', '/%'])
      await browser.get(target)
    assert.ok(world.canaries.has(browser.sessionId ?? ''), 'the rules looked for it in every answer')
    assert.ok(!world.accounts.dump().includes(browser.sessionId ?? ''))
  })
})

describe('abuse of sessions that share a store', () => {
  it('areas that share a store are separated by their cookie and their accounts [A-083]', async (test) => {
    const sessions = new MemorySessionStore({ clock: new FrozenClock(T0) })
    const main = await World.create(test, { sessions })
    const office = createFixture({
      sessions,
      clock: new FrozenClock(T0),
      policy: new SessionPolicy({ cookieName: 'office' }),
    })
    await addPeople(office)
    const bob = await main.loggedIn('bob')
    const client = new TestClient(office.app, { origin: ORIGIN })
    client.setCookie(`__Host-sid=${bob.sessionId ?? ''}; Path=/; Secure`)
    assert.equal((await client.get('/account')).status, 302)
    const page = await (await client.get('/login')).text()
    const token = /name="_csrf" value="([^"]+)"/.exec(page)?.[1] ?? ''
    const form = { email: 'bob', password: passwordOf('bob'), _csrf: token }
    assert.equal((await client.post('/login', { form })).status, 303)
    assert.match(client.cookie('__Host-office') ?? '', /^[\w-]{43}$/)
    // A cookie of one area under the name of the other is what somebody tries next.
    const stolen = client.cookie('__Host-office') ?? ''
    client.clearCookies()
    client.setCookie(`__Host-office=${bob.sessionId ?? ''}; Path=/; Secure`)
    assert.equal((await client.get('/account')).status, 302)
    assert.equal(await new Browser(main).withId(stolen).who(), null)
    assert.equal(await bob.who(), 'u2')
  })
})
