/**
 * What an error leaves behind of a login, a challenge and a logout: what was added is gone, what was taken away is too.
 *
 * @module
 */
import assert from 'node:assert/strict'
import { it } from 'node:test'

import { App, Controller, defineModule, type HttpContext } from 'sallyport'
import { SessionAuthentication } from 'sallyport/auth'
import { ServiceUnavailableException } from 'sallyport/http'
import { SessionStore } from 'sallyport/session'
import { TestClient } from 'sallyport/testing'

import { type Operation, WrappedStore } from '../session/wrapped-store.ts'

type Deed = (context: HttpContext) => Promise<void>

/** What is known of a browser's session. */
interface State {
  readonly who: string | null
  readonly challenge: string | null
  readonly cart: number | null
}

const identity = new SessionAuthentication()
const login =
  (name: string): Deed =>
  (context) =>
    identity.login(context.session(), context.auth(), name, { name })
const logout: Deed = (context) => identity.logout(context.session(), context.auth())
const challenge: Deed = async (context) => {
  await logout(context)
  await context.session().set('_2fa', 'bob')
}
const complete: Deed = async (context) => {
  await context.session().remove('_2fa')
  await login('bob')(context)
}

/** What a request does before it fails, and what stays of somebody who is signed in as ada, and of a pending bob. */
const DEEDS: Readonly<
  Record<string, { run: Deed; ada: string | null; pending: string | null; cart?: null }>
> = {
  login: { run: login('bob'), ada: null, pending: 'bob' },
  challenge: { run: challenge, ada: null, pending: 'bob' },
  'second step': { run: complete, ada: null, pending: null },
  logout: { run: logout, ada: null, pending: 'bob' },
  'logout and login': {
    run: async (context) => {
      await logout(context)
      await login('bob')(context)
    },
    ada: null,
    pending: 'bob',
  },
  'login and logout': {
    run: async (context) => {
      await login('bob')(context)
      await logout(context)
    },
    ada: null,
    pending: 'bob',
  },
  'new value': { run: (context) => context.session().set('cart', 2), ada: 'ada', pending: 'bob' },
  'removed and new value': {
    run: async (context) => {
      await context.session().remove('cart')
      await context.session().set('cart', 2)
    },
    ada: 'ada',
    pending: 'bob',
    cart: null,
  },
  destruction: { run: (context) => context.session().destroy(), ada: null, pending: null, cart: null },
  'destruction and login': {
    run: async (context) => {
      await context.session().destroy()
      await login('bob')(context)
    },
    ada: null,
    pending: null,
    cart: null,
  },
}

/** Ways to end with a 5xx; those behind `late` end so after the session is committed. */
const FAULTS = {
  'throws an error': () => {
    throw new Error('a fault of ours')
  },
  'throws a 503': () => {
    throw new ServiceUnavailableException('the trail cannot be written')
  },
  'throws something': () => {
    const something: unknown = undefined
    throw something
  },
  'answers 500': () => new Response('no', { status: 500 }),
  'sets too much': async (context: HttpContext) => {
    await context.session().set('large', 'x'.repeat(70_000))
    return 'too much'
  },
  'has a middleware that answers 502': () => 'fine',
  'has an outgoing middleware that fails late': () => 'fine',
  'has an outgoing middleware that answers 500 late': () => 'fine',
} satisfies Record<string, (context: HttpContext) => unknown>
type Fault = keyof typeof FAULTS

/** Fails at one call of those that follow, before or after the store has done what it was asked. */
class FaultyStore extends WrappedStore {
  calls = 0
  failAt = 0
  isLate = false

  arm(failAt: number, isLate: boolean): void {
    this.calls = 0
    this.failAt = failAt
    this.isLate = isLate
  }

  protected override async around<T>(
    _: Operation,
    __: readonly string[],
    work: () => Promise<T>,
  ): Promise<T> {
    const fails = ++this.calls === this.failAt
    if (fails && !this.isLate) throw new Error('the store did nothing')
    const result = await work()
    if (fails) throw new Error('the answer of the store is lost')
    return result
  }
}

class DeedController extends Controller {
  static readonly actions = { show: [], beginPost: [], deedPost: [] } as const

  async show(): Promise<State> {
    const session = this.context.session()
    return {
      who: await identity.identifier(session),
      challenge: (await session.get<string>('_2fa')) ?? null,
      cart: (await session.get<number>('cart')) ?? null,
    }
  }

  async beginPost(): Promise<null> {
    const session = this.context.session()
    await session.set('cart', 1)
    if (this.context.query() === 'ada') await login('ada')(this.context)
    if (this.context.query() === 'pending') await session.set('_2fa', 'bob')
    return null
  }

  async deedPost(): Promise<unknown> {
    const { deed, fault } = wanted(this.context)
    await DEEDS[deed]?.run(this.context)
    return fault === null ? null : FAULTS[fault](this.context)
  }
}

function wanted(context: HttpContext): { deed: string; fault: Fault | null } {
  const query = new URLSearchParams(context.query())
  return { deed: query.get('deed') ?? '', fault: (query.get('fault') ?? null) as Fault | null }
}

function application(store: SessionStore): App {
  const has = (what: Fault) => (context: HttpContext) => wanted(context).fault === what
  const app = App.create({ debug: false })
    .modules(
      defineModule('Deeds', (module) =>
        module.mount('/').routes((routes) => {
          routes.get('/', [DeedController, 'show'])
          routes.post('/begin', [DeedController, 'beginPost'])
          routes.post('/deed', [DeedController, 'deedPost'])
        }),
      ),
    )
    .configure((definitions) => definitions.set(SessionStore, store))
    .onError(() => undefined)
  app
    .middleware()
    .incoming(
      {
        process: async (_, next) => {
          await next()
          return new Response('bad gateway', { status: 502 })
        },
      },
      { when: has('has a middleware that answers 502') },
    )
    .outgoing(
      {
        process: () => {
          throw new Error('late')
        },
      },
      { when: has('has an outgoing middleware that fails late') },
    )
    .outgoing(
      { process: (response) => new Response('late', { status: 500, headers: response.headers }) },
      { when: has('has an outgoing middleware that answers 500 late') },
    )
  return app
}

async function stateOf(client: TestClient): Promise<State> {
  const response = await client.get('/')
  assert.equal(response.status, 200)
  return (await response.json()) as State
}

const STARTS = { anonymous: '', 'a signed-in user': 'ada', 'a pending login': 'pending' } as const
const NOBODY: State = { who: null, challenge: null, cart: null }

async function browserOf(app: App, start: keyof typeof STARTS | 'a stranger'): Promise<TestClient> {
  const client = new TestClient(app)
  if (start !== 'a stranger') await client.post(`/begin?${STARTS[start]}`)
  return client
}

function expected(deed: string, start: keyof typeof STARTS): State {
  const { ada = null, pending = null, cart = 1 } = DEEDS[deed] ?? {}
  return {
    who: start === 'a signed-in user' ? ada : null,
    challenge: start === 'a pending login' ? pending : null,
    cart,
  }
}

/**
 * Declares the tests.
 *
 * @param open Gives the store, the same at each call.
 */
export function testHalfStates(open: () => SessionStore): void {
  for (const fault of Object.keys(FAULTS) as Fault[]) {
    it(`a request that ${fault} adds nothing to a session, and restores nothing [HOLD-20]`, async () => {
      const app = application(open())
      for (const deed of Object.keys(DEEDS)) {
        for (const start of Object.keys(STARTS) as (keyof typeof STARTS)[]) {
          const client = await browserOf(app, start)
          const copy = client.clone()

          const response = await client.post(`/deed?${new URLSearchParams({ deed, fault })}`)

          const what = `${deed} by ${start}`
          assert.ok(response.status >= 500, what)
          assert.deepEqual(await stateOf(client), expected(deed, start), what)
          // Nor does the cookie from before.
          const { who } = await stateOf(copy)
          assert.ok(who === null || who === expected(deed, start).who, what)
        }
      }
    })

    it(`an anonymous client gets no session from a request that ${fault} [HOLD-20]`, async () => {
      const app = application(open())
      for (const deed of Object.keys(DEEDS)) {
        const client = await browserOf(app, 'a stranger')

        const response = await client.post(`/deed?${new URLSearchParams({ deed, fault })}`)

        assert.ok(response.status >= 500, deed)
        assert.deepEqual(response.headers.getSetCookie(), [], deed)
        assert.deepEqual(await stateOf(client), NOBODY, deed)
      }
    })
  }

  for (const isLate of [false, true]) {
    const how = isLate ? 'whose answer is lost' : 'that fails'
    it(`no call of a store ${how} leaves half a login, challenge or logout [HOLD-20 R-23]`, async () => {
      const store = new FaultyStore(open())
      const app = application(store)
      for (const deed of Object.keys(DEEDS)) {
        for (const start of Object.keys(STARTS) as (keyof typeof STARTS)[]) {
          for (const fault of [null, 'throws a 503', 'has an outgoing middleware that fails late'] as const) {
            await testEachCall({ store, app, deed, start, fault, isLate })
          }
        }
      }
    })
  }
}

interface Trial {
  readonly store: FaultyStore
  readonly app: App
  readonly deed: string
  readonly start: keyof typeof STARTS
  readonly fault: Fault | null
  readonly isLate: boolean
}

// The session is as it was, or what the request took away is gone; nothing that it added is there.
async function testEachCall({ store, app, deed, start, fault, isLate }: Trial): Promise<void> {
  for (let failAt = 1; ; failAt++) {
    const client = await browserOf(app, start)
    const before = await stateOf(client)
    store.arm(failAt, isLate)
    const query = new URLSearchParams({ deed, ...(fault === null ? {} : { fault }) })
    const response = await client.post(`/deed?${query}`)
    const isOver = store.calls < failAt
    store.arm(0, false)
    const after = await stateOf(client)
    const what = `${deed} by ${start}, call ${failAt}, fault: ${fault}: ${JSON.stringify({ before, after })}`
    if (isOver && fault === null) {
      assert.equal(response.status, 204, what)
      return
    }
    assert.ok(response.status >= 500, what)
    assert.notEqual(after.who, 'bob', what)
    assert.ok(after.who === null || before.who === 'ada', what)
    assert.ok(after.challenge === null || before.challenge === 'bob', what)
    // Whether a value was written whose confirmation is lost is known to nobody; it grants nothing.
    if (!isLate) assert.ok(after.cart === null || after.cart === 1, what)
    if (isOver) return
  }
}
