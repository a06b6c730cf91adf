import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import type { HttpContext } from 'sallyport'
import { SessionAuthentication } from 'sallyport/auth'
import type { Next } from 'sallyport/http'
import { MemorySessionStore, SessionStore } from 'sallyport/session'
import { TestClient } from 'sallyport/testing'

import { browser, Faults, site } from '../app/fixture.ts'

const ada = { name: 'Ada' }

describe('HttpContext.auth()', () => {
  it('is the only Authentication of the request [AUTH-01]', async () => {
    const client = browser({
      'GET /': (context) => ({
        same: context.auth() === context.auth(),
        known: context.auth().isAuthenticated(),
      }),
    })

    assert.deepEqual(await (await client.get('/')).json(), { same: true, known: false })
  })

  it('an identity is never visible in another request, even while both are in flight [AUTH-02 AUTH-28]', async () => {
    const gates = new Map(Array.from({ length: 50 }, (_, i) => [String(i), Promise.withResolvers<void>()]))
    const app = site({
      'GET /': async (context) => {
        const name = context.query()
        if (Number(name) % 2 === 0) context.auth().authenticate({ name }, [name])
        gates.get(String(49 - Number(name)))?.resolve()
        await gates.get(name)?.promise
        const auth = context.auth()
        return {
          name: auth.isAuthenticated() ? (auth.principal() as { name: string }).name : null,
          own: auth.allows(name),
          other: auth.allows('0'),
        }
      },
    })

    const answers = await Promise.all(
      Array.from({ length: 50 }, async (_, i) => (await new TestClient(app).get(`/?${i}`)).json()),
    )

    answers.forEach((answer, i) => {
      assert.deepEqual(answer, { name: i % 2 === 0 ? String(i) : null, own: i % 2 === 0, other: i === 0 })
    })
  })

  it('a request after an authenticated one starts anonymous [AUTH-03]', async () => {
    const client = browser({
      'GET /in': (context) => context.auth().authenticate(ada, ['a']),
      'GET /': (context) => [context.auth().isAuthenticated(), context.auth().allows('a')],
    })

    await client.get('/in')

    assert.deepEqual(await (await client.get('/')).json(), [false, false])
  })

  it('authenticate() writes nothing to the session: the next request is not identified by it [AUTH-11 PERM-10]', async () => {
    const store = new MemorySessionStore()
    const client = browser(
      {
        'GET /in': async (context) => {
          await context.session().set('cart', 1)
          context.auth().authenticate(ada, ['admin.access'])
        },
        'GET /': async (context) => new SessionAuthentication().identifier(context.session()),
      },
      { configure: (app) => app.configure((definitions) => definitions.set(SessionStore, store)) },
    )

    const response = await client.get('/in')

    assert.equal(response.headers.getSetCookie().length, 1)
    assert.equal((await client.get('/')).status, 204)
    assert.equal(store.size, 1)
  })

  it('guards and controllers read an identity of a token like one of a session [SCOPE-13]', async () => {
    const identity = new SessionAuthentication()
    const people = new Map([['u1', ada]])
    const client = browser(
      {
        'POST /login': (context) => identity.login(context.session(), context.auth(), 'u1', ada, ['a']),
        'GET /': (context) => [context.auth().principal() === ada, context.auth().allows('a')],
      },
      {
        configure: (app) =>
          app.middleware().incoming({
            async process(context: HttpContext, next: Next) {
              const token = context.authorization()?.token
              const person = people.get(token ?? (await identity.identifier(context.session())) ?? '')
              if (person !== undefined) context.auth().authenticate(person, ['a'])
              return next()
            },
          }),
      },
    )

    const byToken = await client.get('/', { headers: { authorization: 'Bearer u1' } })
    assert.deepEqual(byToken.headers.getSetCookie(), [])
    await client.post('/login')
    const bySession = await client.get('/')

    assert.deepEqual(
      [await byToken.json(), await bySession.json()],
      [
        [true, true],
        [true, true],
      ],
    )
  })
})

describe('HttpContext.authorization()', () => {
  it('parses the header once for a request [CRED-01]', async () => {
    const client = browser({
      'GET /': (context) => ({
        same: context.authorization() === context.authorization(),
        scheme: context.authorization()?.scheme ?? null,
      }),
    })

    assert.deepEqual(await (await client.get('/', { headers: { authorization: 'BEARER abc' } })).json(), {
      same: true,
      scheme: 'bearer',
    })
    assert.deepEqual(await (await client.get('/')).json(), { same: true, scheme: null })
  })

  it('checks nothing: the page is served whatever was sent [CRED-07]', async () => {
    const client = browser({ 'GET /': () => 'hi' })

    for (const authorization of ['Bearer wrong', 'Basic ***', 'Nonsense'])
      assert.equal((await client.get('/', { headers: { authorization } })).status, 200)
  })
})

describe('HttpContext', () => {
  it('gives method, path and query as sent, headers in any letter case, and the client', async () => {
    const client = browser({
      'GET /é': (context) => [
        context.method(),
        context.path(),
        context.query(),
        context.header('X-THING'),
        context.header('x-none'),
        context.origin(),
        context.isSecure(),
        context.clientAddress(),
      ],
    })

    const response = await client.get('/%C3%A9?x=%2F&y', { headers: { 'x-thing': '1' } })

    assert.deepEqual(await response.json(), [
      'GET',
      '/%C3%A9',
      'x=%2F&y',
      '1',
      null,
      'http://localhost',
      false,
      '',
    ])
  })

  it('gives each request an id for logs, the same on each call', async () => {
    const client = browser({ 'GET /': (context) => [context.id(), context.id()] })

    const [[a, b], [c]] = [await (await client.get('/')).json(), await (await client.get('/')).json()] as [
      string[],
      string[],
    ]

    assert.match(a ?? '', /^[A-Za-z0-9_-]{16}$/)
    assert.equal(a, b)
    assert.notEqual(a, c)
  })

  it('returns a route once the request is routed; before that the call is a programming error', async () => {
    const faults = new Faults()
    const seen: boolean[] = []
    const client = browser(
      { 'GET /': (context) => [context.hasRoute(), context.route().module] },
      {
        configure: (app) => {
          faults.listen(app)
          app.middleware().incoming({
            process: (context: HttpContext, next: Next) => {
              seen.push(context.hasRoute())
              if (context.query() === 'early') context.route()
              return next()
            },
          })
        },
      },
    )

    assert.deepEqual(await (await client.get('/')).json(), [true, 'Site'])
    assert.equal((await client.get('/?early')).status, 500)
    assert.deepEqual(seen, [false, false])
    assert.match(faults.messages[0] ?? '', /has not been routed/)
  })

  it('takes the locale from a middleware, otherwise from the client, otherwise the default', async () => {
    const client = browser(
      { 'GET /': (context) => [context.hasLocale(), context.locale()] },
      {
        locales: ['fr', 'en', 'de'],
        configure: (app) =>
          app
            .middleware()
            .incoming(
              { process: (context: HttpContext, next: Next) => (context.useLocale(context.query()), next()) },
              { when: (context) => context.query() !== '' },
            ),
      },
    )
    const ask = async (query: string, language?: string): Promise<unknown> =>
      (
        await client.get(
          `/${query}`,
          language === undefined ? {} : { headers: { 'accept-language': language } },
        )
      ).json()

    assert.deepEqual(await ask(''), [false, 'fr'])
    assert.deepEqual(await ask('', 'de-AT'), [false, 'de'])
    assert.deepEqual(await ask('?EN', 'de'), [true, 'en'])
    assert.deepEqual(await ask('?nl', 'de'), [true, 'fr'])
  })

  it('creates session, cookies, csrf, flash and form once, on first use', async () => {
    const client = browser({
      'POST /': async (context) => [
        context.session() === context.session(),
        context.cookies() === context.cookies(),
        context.csrf() === context.csrf(),
        context.flash() === context.flash(),
        (await context.form()) === (await context.form()),
        context.request() === context.request(),
      ],
    })

    assert.deepEqual(await (await client.post('/', { form: { a: '1' } })).json(), [
      true,
      true,
      true,
      true,
      true,
      true,
    ])
  })
})
