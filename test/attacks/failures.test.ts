import assert from 'node:assert/strict'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { MemorySessionStore } from 'sallyport/session'
import { RedisSessionStore } from 'sallyport/session/redis'
import { FrozenClock } from 'sallyport/testing'
import { within } from '../node/raw.ts'
import { RedisServer, withoutRedis } from '../services/redis-server.ts'
import { COOKIE } from './fixture/browser.ts'
import { FailingStore } from './fixture/failing-store.ts'
import { accountFile, Jar, start } from './fixture/processes.ts'
import { codeOfStep, PERIOD } from './fixture/totp.ts'
import { passwordOf, secretOf, T0, World } from './fixture/world.ts'

const NIGHTLY = process.env['NIGHTLY'] === '1'

function failingStore(): FailingStore {
  return new FailingStore(new MemorySessionStore({ clock: new FrozenClock(T0) }))
}

describe('failing stores', () => {
  it('without its store a request with a session is a 503, and one without is served [A-123]', async (test) => {
    const sessions = failingStore()
    const world = await World.create(test, { sessions })
    const ada = await world.loggedIn('ada')
    const stranger = world.browser()
    await stranger.get('/login')
    sessions.mode = 'everything'
    world.trace.clear()
    for (const [method, target] of [
      ['GET', '/account'],
      ['POST', '/account/email'],
      ['GET', '/login'],
      ['POST', '/login'],
    ] as const) {
      const headers = { cookie: `${COOKIE}=${ada.sessionId ?? ''}`, 'x-csrf-token': ada.token }
      await world.everywhere({ method, target, headers }, (answer, message) => {
        assert.equal(answer.status, 503, message)
        assert.equal(answer.headers.get('set-cookie'), null, message)
      })
    }
    const login = await stranger.post('/login', { email: 'bob', password: passwordOf('bob') })
    assert.deepEqual([login.status, login.headers.get('set-cookie')], [503, null])
    assert.equal(world.accounts.rows("SELECT * FROM event WHERE account = 'u2'").length, 0)
    await world.everywhere({ target: '/' }, ({ status }, message) => assert.equal(status, 200, message))
    // A form that anybody may open needs a session for its token, which cannot be made: no page without protection.
    assert.equal((await world.fetch({ target: '/login' })).status, 503)
    sessions.mode = 'nothing'
    assert.deepEqual([await ada.who(), await stranger.who()], ['u1', null])
    assert.ok(world.answers.every(({ body }) => !body.includes('canary-store-address')))
  })

  it('a stalled or missing store costs less than a second [A-123]', { skip: withoutRedis }, async (test) => {
    await using server = await RedisServer.start()
    const sessions = await RedisSessionStore.connect({ url: server.url, clock: new FrozenClock(T0) })
    test.after(() => sessions.close())
    const world = await World.create(test, { sessions })
    const bob = await world.loggedIn('bob')
    const sent = { target: '/account', headers: { cookie: `${COOKIE}=${bob.sessionId ?? ''}` } }
    for (const fault of ['stands still', 'is gone']) {
      if (fault === 'stands still') server.pause()
      else await server.stop('SIGKILL')
      // The limit of the store is a second; both are timers of this process.
      const answer = await within(1500, world.fetch(sent))
      assert.deepEqual([answer.status, answer.headers.get('set-cookie')], [503, null])
      assert.equal((await world.fetch({ target: '/' })).status, 200)
      if (fault === 'stands still') server.resume()
    }
  })

  it('what could not be stored has not happened, and the response says so [A-124]', async (test) => {
    const sessions = failingStore()
    const world = await World.create(test, { sessions })
    const bob = world.browser()
    await bob.get('/login')
    const ada = await world.pending('ada')
    await ada.get('/login/2fa')
    const root = await world.loggedIn('root')
    await root.get('/account')
    sessions.mode = 'writes'
    const answers = [
      await bob.post('/login', { email: 'bob', password: passwordOf('bob') }),
      await ada.client.post('/login/2fa', { form: { _csrf: ada.token, code: world.code('ada') } }),
      await root.post('/logout'),
    ]
    for (const { status, headers } of answers)
      assert.deepEqual([status, headers.get('set-cookie')], [503, null])
    assert.match(String(answers[2]?.body), /cannot be written/)
    sessions.mode = 'nothing'
    assert.deepEqual([await bob.who(), await ada.who(), await root.who()], [null, null, 'u9'])
    assert.deepEqual((await ada.session())?.['_2fa'], { identifier: 'u1', expires_at: T0 + 300 })
  })
})

describe('failing processes', () => {
  it('a process that dies between code and login signs nobody in [A-125]', async (test) => {
    const { folder, path, accounts } = await accountFile(test)
    const setup = { sessions: join(folder, 'sessions.sqlite'), accounts: path }
    const codes = [0, 1].map((steps) => codeOfStep(secretOf('ada'), T0 / PERIOD + steps))
    const next = await start(test, setup)
    for (let run = 0; run < (NIGHTLY ? 200 : 2); run++) {
      accounts.run('UPDATE factor SET last_step = 0')
      accounts.run('DELETE FROM failure')
      const dying = await start(test, { ...setup, dieAt: 'accounts.consumed' })
      const jar = new Jar()
      await jar.password(dying.port, 'ada')
      await jar.challenge(dying.port)
      await assert.rejects(jar.send(dying.port, 'POST /login/2fa', { code: codes[0] ?? '' }))
      assert.equal(
        accounts.rows("SELECT last_step FROM factor WHERE account = 'u1'")[0]?.['last_step'],
        T0 / PERIOD,
      )
      assert.equal(await jar.who(next.port), null)

      const again = new Jar()
      await again.password(next.port, 'ada')
      await again.challenge(next.port)
      assert.equal((await again.send(next.port, 'POST /login/2fa', { code: codes[0] ?? '' })).status, 422)
      assert.equal((await again.send(next.port, 'POST /login/2fa', { code: codes[1] ?? '' })).status, 303)
      assert.equal(await again.who(next.port), 'u1')
      for (const one of [jar, again]) one.agent.destroy()
    }
  })
})
