import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { pathToFileURL } from 'node:url'

import { App, Clock, Controller, defineModule, inject, SystemClock } from 'sallyport'
import { PasswordHasher } from 'sallyport/auth'
import { type Actions, TrailingSlash } from 'sallyport/routing'
import { MemorySessionStore, SessionStore } from 'sallyport/session'
import { FrozenClock, TestClient } from 'sallyport/testing'

import { site } from './fixture.ts'

class TimeController extends Controller {
  static readonly actions: Actions<TimeController> = { index: [] }
  readonly #clock: Clock = inject(Clock)
  readonly #hasher: PasswordHasher = inject(PasswordHasher)
  index(): object {
    return { now: this.#clock.timestamp(), rehash: this.#hasher.needsRehash('$2b$04$' + '.'.repeat(53)) }
  }
}
const time = defineModule('Time', (module) =>
  module.controllers(TimeController).routes((routes) => void routes.get('/', [TimeController, 'index'])),
)

describe('App', () => {
  it('without modules it serves nothing: no login, no challenge, no logout [SCOPE-08]', async () => {
    const client = new TestClient(App.create())

    for (const path of [
      '/',
      '/login',
      '/login/2fa',
      '/logout',
      '/register',
      '/token',
      '/.well-known/openid-configuration',
    ]) {
      assert.equal((await client.get(path)).status, 404)
      assert.equal((await client.post(path)).status, 404)
    }
  })

  it('application code reads the clock that a test registers [SCOPE-07]', async () => {
    const clock = new FrozenClock('2030-05-01T00:00:00Z')
    const app = App.create()
      .modules(time)
      .configure((definitions) => definitions.set(Clock, clock))
    const client = new TestClient(app)

    assert.deepEqual(((await (await client.get('/time')).json()) as { now: number }).now, clock.timestamp())
    clock.advance(90)
    assert.deepEqual(((await (await client.get('/time')).json()) as { now: number }).now, clock.timestamp())
    assert.ok((await App.create().boot()).get(Clock) instanceof SystemClock)
  })

  it('services receive the default hasher, or the one of the composition root [HASH-03 HASH-04]', async () => {
    const own = new PasswordHasher('bcrypt', { cost: 4 })
    const [plain, configured] = [
      App.create().modules(time),
      App.create()
        .modules(time)
        .configure((definitions) => definitions.set(PasswordHasher, own)),
    ]

    assert.equal(
      ((await (await new TestClient(plain).get('/time')).json()) as { rehash: boolean }).rehash,
      true,
    )
    assert.equal(
      ((await (await new TestClient(configured).get('/time')).json()) as { rehash: boolean }).rehash,
      false,
    )
    assert.equal(configured.get(PasswordHasher), own)
  })

  it('sessions follow the registered clock', async () => {
    const clock = new FrozenClock()
    const app = site(
      {
        'POST /': (context) => context.session().set('a', 1),
        'GET /': async (context) => String(await context.session().get('a')),
      },
      {
        configure: (configured) =>
          configured.configure((definitions) =>
            definitions.set(Clock, clock).set(SessionStore, new MemorySessionStore({ clock })),
          ),
      },
    )
    const client = new TestClient(app)
    await client.post('/')

    clock.advance(7199)
    assert.equal(await (await client.get('/')).text(), '1')
    clock.advance(7200)
    assert.equal(await (await client.get('/')).text(), 'undefined')
  })

  it('runs the configuration of modules before its own, which takes precedence', async () => {
    class Setting {
      readonly value: string = 'none'
    }
    const one = { value: 'module' }
    const two = { value: 'application' }
    const module = defineModule('One', (configured) =>
      configured.configure((definitions) => definitions.set(Setting, one)),
    )

    const first = await App.create().modules(module).boot()
    const second = await App.create()
      .configure((definitions) => definitions.set(Setting, two))
      .modules(module)
      .boot()

    assert.equal(first.get(Setting), one)
    assert.equal(second.get(Setting), two)
  })

  it('is locked by boot [OPEN-30]', async () => {
    const app = await App.create().boot()

    for (const change of [
      () => app.modules(time),
      () => app.configure(() => undefined),
      () => app.routing(TrailingSlash.Add),
      () => app.locales(['fr']),
      () => app.limits({ bodyBytes: 5 }),
      () => app.onTerminate(() => undefined),
      () => app.errorView('x'),
      () => app.modulesFrom(new URL('file:///x')),
    ]) {
      assert.throws(change, /has booted/)
    }
    assert.equal(await app.boot(), app)
  })

  it('returns nothing before boot', () => {
    assert.throws(() => App.create().router(), /not booted/)
    assert.throws(() => App.create().get(Clock), /not booted/)
  })

  it('never rejects: an application that does not boot responds with 500 each time without saying why', async (t) => {
    t.mock.method(process.stderr, 'write', () => true)
    const app = App.create({ locales: ['no tag!'] })

    for (let i = 0; i < 2; i++) {
      const response = await app.fetch(new Request('http://localhost/'))
      assert.equal(response.status, 500)
      assert.doesNotMatch(await response.text(), /tag/)
    }
    await assert.rejects(app.boot(), RangeError)
  })

  it('also answers malformed requests', async () => {
    const app = site({ 'GET /': () => 'hi' })

    for (const url of [
      'data:text/plain,x',
      'http://localhost//evil.test',
      'http://localhost/%',
      'http://localhost/%00',
      `http://localhost/${'a/'.repeat(5000)}`,
    ]) {
      const response = await app.fetch(new Request(url))
      assert.ok(response.status >= 400 && response.status < 500, `${url.slice(0, 40)}: ${response.status}`)
    }
  })

  it('boots once for concurrent requests', async () => {
    let boots = 0
    const app = App.create().configure(() => void boots++)

    await Promise.all([
      app.fetch(new Request('http://localhost/')),
      app.boot(),
      app.fetch(new Request('http://localhost/')),
    ])

    assert.equal(boots, 1)
  })

  for (const limits of [{ bodyBytes: 0 }, { fields: -1 }, { jsonDepth: Number.NaN }]) {
    it(`refuses the limits ${JSON.stringify(limits)}`, () => {
      assert.throws(() => App.create().limits(limits), RangeError)
    })
  }

  it('refuses a module without a name, and invalid names', () => {
    assert.throws(() => defineModule('my shop', () => undefined), TypeError)
    assert.throws(() => defineModule('', () => undefined), TypeError)
    return assert.rejects(
      App.create()
        .modules(defineModule((module) => module))
        .boot(),
      /without a name/,
    )
  })

  it('reads the modules of a folder in the order of their names', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'sallyport-modules-'))
    for (const [folder, text] of [
      [
        'shop',
        `export default { name: null, source: undefined, configure: (module) => module.configure(() => globalThis.sallyportOrder.push('shop')) }`,
      ],
      [
        'account',
        `export default { name: 'Members', source: undefined, configure: (module) => module.configure(() => globalThis.sallyportOrder.push('account')) }`,
      ],
      ['assets', ''],
    ] as const) {
      mkdirSync(join(directory, folder))
      if (text !== '') writeFileSync(join(directory, folder, 'module.js'), text)
    }
    writeFileSync(join(directory, 'package.json'), '{"type":"module"}')
    const order: string[] = []
    Object.assign(globalThis, { sallyportOrder: order })

    await App.create().modulesFrom(pathToFileURL(directory)).boot()

    assert.deepEqual(order, ['account', 'shop'])
    Reflect.deleteProperty(globalThis, 'sallyportOrder')
    rmSync(directory, { recursive: true })
  })
})
