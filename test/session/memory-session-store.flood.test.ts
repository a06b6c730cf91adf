import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { MemorySessionStore, SessionStore } from '../../src/session/index.ts'
import { FrozenClock, TestClient } from '../../src/testing/index.ts'
import { App, Clock, Controller, defineModule, inject } from '../../src/index.ts'
import { SessionAuthentication } from '../../src/auth/index.ts'
import { type Actions } from '../../src/routing/index.ts'

const NO_CHANGES = { set: new Map<string, string>(), removed: new Set<string>() }
const ANONYMOUS = new Map([
  ['_csrf', '"secret"'],
  ['_flash.00000001.x', '{}'],
])

function signedIn(who: number): Map<string, string> {
  return new Map([['_auth', JSON.stringify(`u${who}`)]])
}

class PageController extends Controller {
  static readonly actions = { form: [], account: [], loginPost: [] } satisfies Actions<PageController>

  readonly #sessions = inject(SessionAuthentication)

  async form(): Promise<object> {
    await this.context.flash().add('notice', 'Hello')
    return { token: await this.context.csrf().token() }
  }

  async account(): Promise<object> {
    return { who: await this.#sessions.identifier(this.context.session()) }
  }

  async loginPost(): Promise<null> {
    await this.#sessions.login(this.context.session(), this.context.auth(), 'ada', {})
    return null
  }
}

describe('MemorySessionStore under a flood', () => {
  it('100,100 anonymous sessions evict none that is signed in [HOLD-27]', async () => {
    const clock = new FrozenClock()
    const store = new MemorySessionStore({ clock })
    const lifetime = { createdAt: clock.milliseconds(), expiresAt: clock.milliseconds() + 7_200_000 }
    for (let who = 0; who < 100; who++) await store.create(`signed in ${who}`, signedIn(who), lifetime)

    for (let i = 0; i < 100_100; i++) await store.create(`anonymous ${i}`, ANONYMOUS, lifetime)

    assert.equal(store.size, 100_000)
    for (let who = 0; who < 100; who++) assert.notEqual(await store.read(`signed in ${who}`), null)
    // The newest are kept, the oldest have gone.
    assert.equal(await store.read('anonymous 199'), null)
    assert.notEqual(await store.read('anonymous 200'), null)
  })

  it('nor do pages of an application, tombstones of rotations, or destroyed sessions [HOLD-27]', async () => {
    const clock = new FrozenClock()
    const store = new MemorySessionStore({ clock, maxRecords: 50 })
    const app = await App.create()
      .modules(
        defineModule('Site', (module) =>
          module.mount('/').routes((routes) => {
            routes.get('/form', [PageController, 'form'])
            routes.get('/account', [PageController, 'account'])
            routes.post('/login', [PageController, 'loginPost'])
          }),
        ),
      )
      .configure((definitions) => definitions.set(SessionStore, store).set(Clock, clock))
      .boot()
    const ada = new TestClient(app)
    await ada.get('/form')
    await ada.post('/login')
    const lifetime = { createdAt: clock.milliseconds(), expiresAt: clock.milliseconds() + 7_200_000 }

    for (let i = 0; i < 60; i++) {
      await new TestClient(app).get('/form')
      await store.create(`signed in ${i}`, signedIn(i), lifetime)
      await store.rotate(`signed in ${i}`, `rotated ${i}`, NO_CHANGES, lifetime)
      await store.destroy(`rotated ${i}`)
    }

    assert.equal(store.size, 50)
    assert.deepEqual(await (await ada.get('/account')).json(), { who: 'ada' })
  })

  it('the limit is shared: signed-in sessions evict the oldest of them, and leave a hundredth to the others [HOLD-27]', async () => {
    const clock = new FrozenClock()
    const store = new MemorySessionStore({ clock, maxRecords: 200 })
    const lifetime = { createdAt: clock.milliseconds(), expiresAt: clock.milliseconds() + 7_200_000 }
    const there = async (kind: string, most: number): Promise<number[]> => {
      const numbers = Array.from({ length: most }, (_, number) => number)
      const records = await Promise.all(numbers.map((number) => store.read(`${kind} ${number}`)))
      return numbers.filter((number) => records[number] !== null)
    }

    for (let i = 0; i < 10; i++) await store.create(`anonymous ${i}`, ANONYMOUS, lifetime)
    for (let who = 0; who < 300; who++) await store.create(`signed in ${who}`, signedIn(who), lifetime)

    assert.equal(store.size, 200)
    assert.deepEqual(await there('anonymous', 10), [8, 9])
    const left = await there('signed in', 300)
    assert.deepEqual([left.length, left[0]], [198, 102])
  })

  it('a session that signs in or out counts as what it is now [HOLD-27]', async () => {
    const clock = new FrozenClock()
    const store = new MemorySessionStore({ clock, maxRecords: 3 })
    const lifetime = { createdAt: clock.milliseconds(), expiresAt: clock.milliseconds() + 7_200_000 }
    await store.create('in', new Map(), lifetime)
    await store.create('out', signedIn(1), lifetime)
    await store.update('in', { set: signedIn(2), removed: new Set() }, lifetime)
    await store.update('out', { set: new Map(), removed: new Set(['_auth']) }, lifetime)

    for (let i = 0; i < 3; i++) await store.create(`anonymous ${i}`, ANONYMOUS, lifetime)

    assert.equal(store.size, 3)
    assert.notEqual(await store.read('in'), null)
    assert.equal(await store.read('out'), null)
  })

  it('drops expired records of both kinds while either is written', async () => {
    const clock = new FrozenClock()
    const store = new MemorySessionStore({ clock })
    const lifetime = (): { createdAt: number; expiresAt: number } => ({
      createdAt: clock.milliseconds(),
      expiresAt: clock.milliseconds() + 1000,
    })
    for (let i = 0; i < 500; i++) {
      await store.create(`old ${i}`, new Map(), lifetime())
      await store.create(`old signed in ${i}`, signedIn(i), lifetime())
    }

    clock.advance(2)
    for (let i = 0; i < 400; i++)
      await store.create(`new ${i}`, i % 2 === 0 ? new Map() : signedIn(i), lifetime())

    assert.equal(store.size, 400)
  })
})
