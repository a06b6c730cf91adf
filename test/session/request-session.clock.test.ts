import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'

import { App, Clock, Controller, defineModule, inject } from '../../src/index.ts'
import { SessionAuthentication } from '../../src/auth/index.ts'
import { type Actions } from '../../src/routing/index.ts'
import { MemorySessionStore, SessionStore } from '../../src/session/index.ts'
import { SqliteSessionStore } from '../../src/session/sqlite.ts'
import { TestClient } from '../../src/testing/index.ts'

/** Follows the machine, until it gives something else: at once, or at its n-th reading from then on. */
class OddClock extends Clock {
  #odd: { readonly value: unknown; readings: number } | null = null

  override now(): Date {
    return new Date()
  }

  override milliseconds(): number {
    const odd = this.#odd
    if (odd === null || odd.readings-- > 0) return super.milliseconds()
    return odd.value as number
  }

  spoil(value: unknown, readings: number): void {
    this.#odd = { value, readings }
  }

  mend(): void {
    this.#odd = null
  }
}

class AccountController extends Controller {
  static readonly actions = {
    show: [],
    loginPost: [],
    logoutPost: [],
    notePost: [],
  } satisfies Actions<AccountController>

  readonly #sessions = inject(SessionAuthentication)

  async show(): Promise<object> {
    return { who: await this.#sessions.identifier(this.context.session()) }
  }

  async loginPost(): Promise<null> {
    await this.#sessions.login(this.context.session(), this.context.auth(), 'ada', {})
    return null
  }

  async logoutPost(): Promise<null> {
    await this.#sessions.logout(this.context.session(), this.context.auth())
    return null
  }

  async notePost(): Promise<null> {
    await this.context.session().set('note', 1)
    return null
  }
}

async function world(
  t: TestContext,
  kind: 'memory' | 'SQLite',
): Promise<{ clock: OddClock; app: App; heard: unknown[] }> {
  const clock = new OddClock()
  const sqlite = kind === 'SQLite' ? new SqliteSessionStore({ path: ':memory:', clock }) : null
  t.after(() => sqlite?.close())
  const heard: unknown[] = []
  const app = App.create()
    .modules(
      defineModule('Site', (module) =>
        module.mount('/').routes((routes) => {
          routes.get('/account', [AccountController, 'show'])
          routes.post('/login', [AccountController, 'loginPost'])
          routes.post('/logout', [AccountController, 'logoutPost'])
          routes.post('/note', [AccountController, 'notePost'])
        }),
      ),
    )
    .configure((definitions) =>
      definitions.set(Clock, clock).set(SessionStore, sqlite ?? new MemorySessionStore({ clock })),
    )
  app.onError((error) => void heard.push(error))
  return { clock, app: await app.boot(), heard }
}

const ODD: readonly unknown[] = [
  Number.NaN,
  Number.POSITIVE_INFINITY,
  Number.NEGATIVE_INFINITY,
  '9',
  null,
  undefined,
]
const MOST_READINGS = 6

describe('sessions with an invalid clock', () => {
  for (const kind of ['memory', 'SQLite'] as const) {
    for (const value of ODD) {
      it(`${String(value)}, ${kind}: at any reading an error, or the result with a valid clock [HOLD-50]`, async (t) => {
        const { clock, app, heard } = await world(t, kind)
        let refused = 0

        for (const path of ['/login', '/account', '/note', '/logout']) {
          for (let readings = 0; readings < MOST_READINGS; readings++) {
            const ada = new TestClient(app)
            if (path !== '/login') await ada.post('/login')
            heard.length = 0
            clock.spoil(value, readings)
            const response = path === '/account' ? await ada.get(path) : await ada.post(path)
            clock.mend()

            const isRefused = response.status >= 500
            if (isRefused) refused++
            const who =
              isRefused || path === '/account' ? undefined : await (await ada.get('/account')).json()
            const where = `${path}, reading ${readings}: ${response.status}`
            if (isRefused) {
              assert.equal(heard.length, 1, where)
              assert.deepEqual(response.headers.getSetCookie(), [], where)
            } else if (path === '/account') assert.deepEqual(await response.json(), { who: 'ada' }, where)
            else assert.deepEqual(who, { who: path === '/logout' ? null : 'ada' }, where)
          }
        }

        // Each of the four reads the clock.
        assert.ok(refused >= 4, `${refused} were refused`)
      })
    }
  }

  it('the error names the clock [HOLD-50]', async (t) => {
    const { clock, app, heard } = await world(t, 'memory')
    clock.spoil(Number.NaN, 0)

    const response = await new TestClient(app).post('/login')

    assert.equal(response.status, 500)
    assert.match(String(heard[0]), /TypeError: Cannot read the clock: milliseconds\(\) returned NaN/)
  })
})
