import assert from 'node:assert/strict'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { describe, it, type TestContext } from 'node:test'

import type { HttpContext } from 'sallyport'
import { SessionAuthentication } from 'sallyport/auth'
import type { Next } from 'sallyport/http'
import { MemorySessionStore, SessionStore } from 'sallyport/session'
import { FrozenClock, type TestClient } from 'sallyport/testing'
import { View, ViewEngine } from 'sallyport/view'

import { testHalfStates } from '../services/half-states.ts'
import { SpyStore } from '../session/spy-store.ts'
import { type Answers, browser, Faults } from './fixture.ts'

const identity = new SessionAuthentication()

async function loginAs(name: string, context: HttpContext): Promise<void> {
  await identity.login(context.session(), context.auth(), name, { name })
}

class FailingPageEngine extends ViewEngine {
  override async render(_: string, data: Readonly<Record<string, unknown>>): Promise<string> {
    const auth = data['auth'] as { isAuthenticated: boolean; principal: { name: string } | null }
    const csrf = data['csrf'] as { token: string }
    return `${auth.principal?.name ?? 'nobody'} ${csrf.token.length > 0 ? 'with' : 'without'} form`
  }
}

const PAGES: Answers = {
  'POST /login': (context) => loginAs(context.query(), context),
  'POST /login-and-fail': async (context) => {
    await loginAs('bob', context)
    throw new Error('after the login')
  },
  'POST /logout-and-fail': async (context) => {
    await identity.logout(context.session(), context.auth())
    throw new Error('after the logout')
  },
  'POST /login-and-show-500': async (context) => {
    await loginAs('bob', context)
    return new View('page', {}, { status: 500 })
  },
  'POST /set-and-show-503': async (context) => {
    await context.session().set('cart', 5)
    return new View('page', {}, { status: 503 })
  },
  'GET /fail': () => {
    throw new Error('a fault')
  },
  'GET /who': async (context) => (await identity.identifier(context.session())) ?? 'nobody',
  'POST /late/login': (context) => loginAs('bob', context),
  'POST /late/set': (context) => context.session().set('cart', 2),
  'POST /set': (context) => context.session().set('cart', Number(context.query() || 1)),
  'POST /remove': (context) => context.session().remove('cart'),
  'GET /cart': async (context) => String(await context.session().get('cart')),
}

interface Stage {
  readonly client: TestClient
  readonly store: SpyStore
}

function stage(): Stage {
  const store = new SpyStore(new FrozenClock())
  const client = browser(PAGES, {
    configure: (app) => {
      new Faults().listen(app)
      app.errorView('error').configure((definitions) => {
        definitions.set(SessionStore, store).set(ViewEngine, new FailingPageEngine())
      })
      app
        .middleware()
        .routed({
          process: async (context: HttpContext, next: Next) => {
            const name = await identity.identifier(context.session())
            if (name !== null) context.auth().authenticate({ name })
            return next()
          },
        })
        .outgoing(
          {
            process: () => {
              throw new Error('too late')
            },
          },
          { when: (context) => context.path().startsWith('/late/') },
        )
    },
  })
  return { client, store }
}

async function textOf(response: Promise<Response>): Promise<string> {
  return (await response).text()
}

/** What is published of logins and logouts. */
function listen(t: TestContext): string[] {
  const heard: string[] = []
  for (const name of ['login', 'logout'] as const) {
    const listener = (message: unknown): void => {
      heard.push(`${name} ${(message as { identifier: string | null }).identifier}`)
    }
    subscribe(`sallyport:${name}`, listener)
    t.after(() => unsubscribe(`sallyport:${name}`, listener))
  }
  return heard
}

describe('SessionCommit, over sessions in memory', () => {
  const store = new MemorySessionStore()
  testHalfStates(() => store)
})

describe('the error page', () => {
  it('shows nobody as signed in whose login it reverts [HOLD-20]', async () => {
    const { client } = stage()
    assert.equal(await textOf(client.post('/login-and-fail')), 'nobody with form')

    await client.post('/login?ada')
    assert.equal(await textOf(client.post('/login-and-fail')), 'nobody with form')
    assert.equal(await textOf(client.post('/late/login')), 'nobody with form')
  })

  it('nor when it is a view that the action itself returns [HOLD-20]', async () => {
    const { client } = stage()
    const page = client.post('/login-and-show-500')
    assert.equal(await textOf(page), 'nobody with form')
    assert.equal((await page).status, 500)
    assert.equal(await textOf(client.get('/who')), 'nobody')

    await client.post('/login?ada')
    assert.equal(await textOf(client.post('/login-and-show-500')), 'nobody with form')
    await client.post('/login?ada')
    assert.equal(await textOf(client.post('/set-and-show-503')), 'ada with form')
    assert.equal(await textOf(client.get('/cart')), 'undefined')
  })

  it('shows the signed-in user when the error is about something else', async () => {
    const { client } = stage()
    await client.post('/login?ada')

    assert.equal(await textOf(client.get('/fail')), 'ada with form')
    assert.equal(await textOf(client.post('/logout-and-fail')), 'nobody with form')
  })

  it('creates no session for a form of its own [HOLD-20]', async () => {
    const { client } = stage()

    const response = await client.get('/fail')

    assert.equal(response.status, 500)
    assert.deepEqual(response.headers.getSetCookie(), [])
  })
})

describe('the security events of a request that fails', () => {
  it('report no login that is not kept, and the end of one that was [HOLD-20]', async (t) => {
    const heard = listen(t)
    const { client } = stage()

    await client.post('/login-and-fail')
    assert.deepEqual(heard, [])
    await client.post('/late/login')
    assert.deepEqual(heard, ['login bob', 'logout bob'])
  })

  it('report a logout, which is kept', async (t) => {
    const { client } = stage()
    await client.post('/login?ada')
    const heard = listen(t)

    await client.post('/logout-and-fail')

    assert.deepEqual(heard, ['logout ada'])
  })
})

describe('values that cannot be reverted', () => {
  it('the session is destroyed and its cookie expired [HOLD-20]', async () => {
    const { client, store } = stage()
    await client.post('/set')
    const copy = client.clone()
    const updates: number[] = []
    store.before = (operation) => {
      if (operation !== 'update') return
      updates.push(1)
      if (updates.length === 2) throw new Error('the store is gone')
    }

    const response = await client.post('/late/set')

    assert.equal(response.status, 500)
    assert.match(response.headers.getSetCookie().join(), /^sid=; Max-Age=0/)
    assert.equal(await textOf(copy.get('/cart')), 'undefined')
  })

  it('at least the cookie expires when the store no longer answers [HOLD-20]', async () => {
    const { client, store } = stage()
    await client.post('/set')
    let commits = 0
    store.before = (operation) => {
      if (operation === 'update') commits++
      if (commits === 2 || operation === 'destroy') throw new Error('the store is gone')
    }

    const response = await client.post('/late/set')

    assert.equal(response.status, 500)
    assert.equal(client.cookie('sid'), undefined)
  })

  it('sends no cookie to an anonymous client, whatever the store does [HOLD-20]', async () => {
    const { client, store } = stage()
    store.failing.add('destroy')

    const response = await client.post('/late/login')

    assert.equal(response.status, 500)
    assert.deepEqual(response.headers.getSetCookie(), [])
    assert.equal(await textOf(client.get('/who')), 'nobody')
  })
})

describe('reverted values', () => {
  for (const [deed, left] of [
    ['/set?7', '7'],
    ['/remove', 'undefined'],
  ] as const) {
    it(`leaves alone what another request did in the meantime: ${deed} [HOLD-20]`, async () => {
      const { client, store } = stage()
      await client.post('/set')
      const other = client.clone()
      let isCommitted = false
      store.before = async (operation) => {
        // Between the commit and what takes it back.
        if (isCommitted && operation === 'read') {
          isCommitted = false
          await other.post(deed)
        }
        if (operation === 'update') isCommitted = true
      }

      await client.post('/late/set')

      store.before = () => undefined
      assert.equal(await textOf(client.get('/cart')), left)
    })

    it(`leaves alone what another request does during the revert: ${deed} [HOLD-20]`, async () => {
      const { client, store } = stage()
      await client.post('/set')
      const other = client.clone()
      let updates = 0
      store.before = async (operation) => {
        // The first is the commit, the second takes it back, and has read the session already.
        if (operation === 'update' && ++updates === 2) await other.post(deed)
      }

      await client.post('/late/set')

      store.before = () => undefined
      assert.ok(updates > 2)
      assert.equal(await textOf(client.get('/cart')), left)
    })
  }
})

describe('a response of 500 without an outgoing band', () => {
  const client = browser({
    'POST /set': async (context) => {
      await context.session().set('a', 1)
      return new Response('', { status: 500 })
    },
    'POST /begin': (context) => context.session().set('b', 1),
    'POST /unawaited': (context) => {
      void context.session().set('a', 1)
      return new Response('', { status: 500 })
    },
    'GET /': async (context) => [await context.session().get('a'), await context.session().get('b')],
  })

  for (const path of ['/set', '/unawaited']) {
    it(`keeps nothing that was set: ${path} [HOLD-20]`, async () => {
      await client.post('/begin')

      assert.equal((await client.post(path)).status, 500)

      assert.deepEqual(await (await client.get('/')).json(), [null, 1])
    })
  }
})

describe('values set after the response was made', () => {
  /** What becomes of it in each place behind the answer, by whether session and cookies were asked for before. */
  async function outcomes(
    isAskedBefore: boolean,
    sets: (context: HttpContext) => unknown,
  ): Promise<string[]> {
    const seen: string[] = []
    const hung = Promise.withResolvers<void>()
    const attempt = async (where: string, context: HttpContext): Promise<void> => {
      try {
        await sets(context)
        seen.push(`${where} is lost`)
      } catch (error) {
        seen.push(`${where} ${error instanceof Error ? error.message.replace(/"[^"]*"/, 'it') : 'odd'}`)
      }
    }
    const client = browser(
      {
        'GET /': (context) => {
          if (isAskedBefore) {
            context.session()
            context.cookies()
          }
          // Nobody waits for it.
          void hung.promise.then(() => attempt('a stray promise', context))
          return 'hi'
        },
        'POST /begin': (context) => context.session().set('a', 1),
      },
      {
        configure: (app) => {
          app.middleware().outgoing({
            process: async (response: Response, context: HttpContext) => {
              await attempt('an outgoing middleware', context)
              return response
            },
          })
          app.onTerminate((context) => {
            void attempt('a hook', context).then(() => hung.resolve())
          })
        },
      },
    )
    await client.post('/begin')
    await hung.promise
    seen.length = 0
    const response = await client.get('/')
    for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate)
    assert.deepEqual(response.headers.getSetCookie(), [])
    return seen
  }

  for (const isAskedBefore of [true, false]) {
    const when = isAskedBefore ? 'asked for before' : 'asked for then'
    it(`are refused in a session ${when} [HOLD-54]`, async () => {
      const seen = await outcomes(isAskedBefore, (context) => context.session().set('a', 2))

      assert.ok(seen.length >= 2)
      for (const outcome of seen)
        assert.match(outcome, /Cannot change the session: the response has been made$/)
    })

    it(`are refused in cookies ${when} [HOLD-54]`, async () => {
      const seen = await outcomes(isAskedBefore, (context) => context.cookies().set('a', '2'))

      assert.ok(seen.length >= 2)
      for (const outcome of seen)
        assert.match(outcome, /Cannot set the cookie it: the response has been made$/)
    })
  }

  it('are refused after a response of 500 too [HOLD-54]', async () => {
    const seen: unknown[] = []
    const client = browser(
      {
        'GET /': async (context) => {
          setImmediate(() =>
            context
              .session()
              .set('a', 1)
              .catch((error: unknown) => seen.push(error)),
          )
          await context.session().get('a')
          throw new Error('a fault')
        },
      },
      { configure: new Faults().listen },
    )

    assert.equal((await client.get('/')).status, 500)
    for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate)

    assert.equal(seen.length, 1)
  })

  it('are refused after the 503 of a store that failed [HOLD-54]', async () => {
    const store = new SpyStore(new FrozenClock())
    store.failing.add('create')
    const seen: unknown[] = []
    const client = browser(
      {
        'GET /': async (context) => {
          await context.session().set('a', 1)
          setTimeout(
            () =>
              context
                .session()
                .set('a', 2)
                .catch((error: unknown) => seen.push(error)),
            20,
          )
        },
      },
      {
        configure: (app) => {
          new Faults().listen(app)
          app.configure((definitions) => definitions.set(SessionStore, store))
        },
      },
    )

    assert.equal((await client.get('/')).status, 503)
    while (seen.length === 0) await new Promise((resolve) => setTimeout(resolve, 10))

    assert.match(String(seen[0]), /the response has been made/)
  })
})
