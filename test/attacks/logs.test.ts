import assert from 'node:assert/strict'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { describe, it } from 'node:test'
import { inspect } from 'node:util'
import { Controller, defineModule } from 'sallyport'
import { MemorySessionStore } from 'sallyport/session'
import { type Actions, param } from 'sallyport/routing'
import { FrozenClock } from 'sallyport/testing'
import { FailingStore } from './fixture/failing-store.ts'
import { API_TOKEN, OPS_PASSWORD } from './fixture/guards.ts'
import { BEARER, PEOPLE, passwordOf, secretOf, T0, World } from './fixture/world.ts'

const CHANNELS = [
  'login',
  'logout',
  'rotated',
  'refused',
  'throttled',
  'undeclared-hash',
  'store-failed',
  'session-malformed',
].map((name) => `sallyport:${name}`)

/** Fails with texts that only a developer may see. */
class SecretFaultController extends Controller {
  static readonly actions: Actions<SecretFaultController> = { fail: [param.string('kind')] }

  fail(kind: string): never {
    const fault = new Error('SELECT secret FROM table at /srv/canary-path/app.ts')
    if (kind === 'cause') throw new Error('outer canary-path', { cause: fault })
    // What JavaScript lets anybody throw.
    // oxlint-disable-next-line no-throw-literal, typescript/only-throw-error
    if (kind === 'text') throw 'canary-path text'
    if (kind === 'object')
      // oxlint-disable-next-line no-throw-literal, typescript/only-throw-error
      throw { status: 200, message: 'canary-path object', headers: { 'x-canary-path': '1' } }
    throw fault
  }
}

/** Fails with what a client sent. */
class EchoFaultController extends Controller {
  static readonly actions: Actions<EchoFaultController> = { fail: [param.string('text')] }

  fail(text: string): never {
    throw new Error(`no item ${text}`)
  }
}

// oxlint-disable-next-line no-control-regex
const CONTROL = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028\u2029]/

describe('secrets and logs', () => {
  it('no secret is in a response, log, trace, event or stored audit [A-129]', async (test) => {
    const events: string[] = []
    const listen = (message: unknown, name: string | symbol): void =>
      void events.push(`${String(name)} ${inspect(message, { depth: 9 })}`)
    for (const name of CHANNELS) subscribe(name, listen)
    test.after(() => CHANNELS.forEach((name) => unsubscribe(name, listen)))
    const fault = defineModule('Fault', (module) =>
      module
        .withoutConventionRouting()
        .routes((routes) => void routes.get('/{kind}', [SecretFaultController, 'fail'])),
    )
    const sessions = new FailingStore(new MemorySessionStore({ clock: new FrozenClock(T0) }))
    const world = await World.create(test, { sessions, modules: [fault] })
    const secrets = new Set([
      API_TOKEN,
      `ops:${OPS_PASSWORD}`,
      Buffer.from(`ops:${OPS_PASSWORD}`).toString('base64'),
    ])
    for (const name of Object.keys(PEOPLE)) {
      secrets.add(passwordOf(name))
      for (const encoding of ['hex', 'base64', 'utf8'] as const)
        secrets.add(secretOf(name).toString(encoding))
    }
    for (const name of ['ada', 'eve', 'root'] as const) {
      const browser = world.browser()
      await browser.password(name, 'canary-wrong-password')
      await browser.password('canary-typed-into-name', 'x')
      await browser.password(name)
      secrets.add(browser.sessionId ?? '')
      await browser.code(world.wrongCode(name))
      await browser.code(world.code(name))
      secrets.add(browser.sessionId ?? '').add(browser.token)
      for (const target of ['/account', '/admin', '/nope', '/%', '/fault/x?password=canary-query'])
        await browser.client.get(target)
      sessions.mode = 'everything'
      await browser.client.get('/account')
      sessions.mode = 'nothing'
      await browser.get('/account')
      secrets.add(browser.token)
      await browser.post('/logout')
    }
    for (const headers of [
      BEARER,
      { authorization: `Basic ${Buffer.from(`ops:${OPS_PASSWORD}`).toString('base64')}` },
    ])
      for (const target of ['/ops', '/api/items/x', '/fault/x', '/admin'])
        await world.fixture.app.fetch(new Request(`https://app.test${target}`, { headers }))
    secrets.add('canary-wrong-password').add('canary-typed-into-name').add('canary-query')
    const said = {
      events: events.join('\n'),
      log: world.fixture.log.join('\n'),
      trace: JSON.stringify(world.trace.entries),
      audit: JSON.stringify(world.accounts.rows('SELECT * FROM event')),
    }
    assert.ok(events.length > 20, 'there is something to search')
    for (const [where, text] of Object.entries(said))
      for (const secret of secrets) assert.ok(!text.includes(secret), `${secret} is in the ${where}`)
    world.fixture.log.length = 0
  })

  it('input of a client creates no log line of its own [A-130]', async (test) => {
    const fault = defineModule('Fault', (module) =>
      module
        .withoutConventionRouting()
        .routes((routes) => void routes.get('/{text}', [EchoFaultController, 'fail'])),
    )
    const world = await World.create(test, { modules: [fault] })
    const lines: string[] = []
    const mock = test.mock.method(process.stderr, 'write', (text: string) => lines.push(text) > 0)
    const { reportFault } = await import('../../src/app/internal.ts')
    for (const text of [
      'a\r\nforged line',
      'a\nforged line',
      '\u001b[2Jforged',
      'a\0b',
      'a\u2028forged line',
      'a\u2029',
      'a\u0085forged',
      'a\u009b31m',
    ])
      reportFault(new Error(`no user ${text}`))
    mock.mock.restore()
    assert.equal(lines.length, 8)
    for (const line of lines) {
      assert.doesNotMatch(line.slice(0, -1), CONTROL, JSON.stringify(line))
      assert.doesNotMatch(line.slice(0, -1), /\n(?! {2})/, `a line of its own: ${JSON.stringify(line)}`)
    }
    const agent = {
      'user-agent': 'a\u001b[2J',
      authorization: `Basic ${Buffer.from('o\r\nps:x').toString('base64')}`,
    }
    await world.everywhere(
      { target: '/ops', headers: { authorization: agent.authorization } },
      ({ status }, message) => assert.equal(status, 401, message),
    )
    for (const target of ['/a%0d%0aforged', '/a%1b[2J', '/a%00'])
      await world.everywhere({ target }, ({ status }, message) => assert.equal(status, 400, message))
    assert.deepEqual(world.fixture.log, [])
  })

  it('in production an error page says only what to do [A-131]', async (test) => {
    const fault = defineModule('Fault', (module) =>
      module
        .withoutConventionRouting()
        .routes((routes) => void routes.get('/{kind}', [SecretFaultController, 'fail'])),
    )
    const sessions = new FailingStore(new MemorySessionStore({ clock: new FrozenClock(T0) }))
    const world = await World.create(test, { modules: [fault], sessions })
    const pages = new Set<string>()
    const telling =
      /canary|SELECT|node:|\.ts\b|\.js\b|node_modules|\bat .+:\d+|sallyport|Node\.js|v?\d+\.\d+\.\d+/i
    for (const accept of ['text/html', 'application/json']) {
      for (const kind of ['error', 'cause', 'text', 'object']) {
        const response = await world.fixture.app.fetch(
          new Request(`https://app.test/fault/${kind}`, { headers: { accept, cookie: 'a=canary-cookie' } }),
        )
        const body = await response.text()
        assert.equal(response.status, 500)
        assert.doesNotMatch(body.replace(/<style>.*<\/style>/s, ''), telling)
        for (const name of ['server', 'x-powered-by', 'x-canary-path'])
          assert.equal(response.headers.get(name), null)
        assert.match(body, /Request [\w-]{16}|"requestId":"[\w-]{16}"/)
        pages.add(body.replace(/Request [\w-]{16}|"requestId":"[\w-]{16}"/, ''))
      }
    }
    assert.equal(pages.size, 2, 'one page and one JSON for every unknown error')
    sessions.mode = 'everything'
    const cookie = `__Host-sid=${'a'.repeat(43)}`
    const refusals = [
      ...['/nope', '/%', '/admin/users/1', '/ops', '/api/items/x', '/shop/cart/typed-int/x'].map(
        (target) => ({ target }),
      ),
      { target: '/account', headers: { cookie } },
      { method: 'PATCH', target: '/login' },
      { method: 'POST', target: '/login' },
      { method: 'POST', target: '/login', body: 'x'.repeat(1_100_000) },
      {
        method: 'POST',
        target: '/login',
        body: '--',
        headers: { 'content-type': 'multipart/form-data; boundary=x' },
      },
    ]
    for (const sent of refusals)
      await world.everywhere(sent, ({ body }, message) =>
        assert.doesNotMatch(body.replace(/<style>.*<\/style>/s, ''), telling, message),
      )
    world.fixture.log.length = 0
  })
})
