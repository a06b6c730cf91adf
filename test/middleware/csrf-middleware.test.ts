import assert from 'node:assert/strict'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { describe, it } from 'node:test'

import { SessionAuthentication } from 'sallyport/auth'
import { CsrfMiddleware, MethodOverrideMiddleware } from 'sallyport/middleware'
import { SessionStore } from 'sallyport/session'
import { FrozenClock, TestClient, type TestRequestOptions } from 'sallyport/testing'

import { type Answers, Faults, site, type SiteOptions } from '../app/fixture.ts'
import { SpyStore } from '../session/spy-store.ts'

const identity = new SessionAuthentication()
const ANSWERS: Answers = {
  'GET /token': (context) => context.csrf().token(),
  'GET|OPTIONS /': () => 'read',
  'POST|PUT|PATCH|DELETE|PURGE /': (context) => `done ${context.method()}`,
  'POST /login': (context) => identity.login(context.session(), context.auth(), 'u1', { id: 1 }),
  'POST /logout': (context) => identity.logout(context.session(), context.auth()),
}

function client(options: SiteOptions = {}, origin = 'http://localhost'): TestClient {
  return new TestClient(site(ANSWERS, { middlewares: [CsrfMiddleware], ...options }), { origin })
}

async function withToken(browser: TestClient = client()): Promise<{ browser: TestClient; token: string }> {
  return { browser, token: await (await browser.get('/token')).text() }
}

describe('CsrfMiddleware', () => {
  it('refuses a state-changing request without a token, and with a wrong one [CSRF-02 CSRF-03]', async () => {
    const { browser } = await withToken()
    const foreign = (await withToken()).token

    for (const form of [{}, { _csrf: '' }, { _csrf: 'x' }, { _csrf: foreign }, { csrf: foreign }]) {
      assert.equal((await browser.post('/', { form })).status, 403)
    }
  })

  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'PURGE']) {
    it(`${method} passes only with a valid token [CSRF-03 CSRF-04]`, async () => {
      const { browser, token } = await withToken()

      assert.equal((await browser.request(method, '/')).status, 403)
      assert.equal(
        await (await browser.request(method, '/', { headers: { 'x-csrf-token': token } })).text(),
        `done ${method}`,
      )
    })
  }

  for (const method of ['GET', 'HEAD', 'OPTIONS']) {
    it(`requires no token for ${method}, opens no session for it, and refuses no site [CSRF-05]`, async () => {
      const store = new SpyStore(new FrozenClock())
      const browser = client({
        configure: (app) => app.configure((definitions) => definitions.set(SessionStore, store)),
      })

      const response = await browser.request(method, '/', {
        headers: {
          'sec-fetch-site': 'cross-site',
          origin: 'https://evil.test',
          cookie: `sid=${'A'.repeat(43)}`,
        },
      })

      assert.equal(response.status, 200)
      assert.deepEqual(store.calls, [])
    })
  }

  it('works for anonymous visitors: a login form is protected before anyone is authenticated [CSRF-07]', async () => {
    const { browser, token } = await withToken()

    assert.equal((await browser.post('/login')).status, 403)
    assert.equal((await browser.post('/login', { form: { _csrf: token } })).status, 204)
  })

  it('reads the token from the field _csrf of urlencoded and multipart forms [CSRF-08]', async () => {
    const { browser, token } = await withToken()

    assert.equal((await browser.post('/', { form: { _csrf: token } })).status, 200)
    assert.equal((await browser.post('/', { multipart: { _csrf: token } })).status, 200)
  })

  it('otherwise reads it from the header, for JSON clients [OPEN-05]', async () => {
    const { browser, token } = await withToken()

    assert.equal(
      (await browser.post('/', { json: { a: 1 }, headers: { 'x-csrf-token': token } })).status,
      200,
    )
    assert.equal((await browser.post('/', { json: { _csrf: token } })).status, 403)
  })

  it('never reads it from the query, nor from a cookie [OPEN-05]', async () => {
    const { browser, token } = await withToken()

    assert.equal((await browser.post(`/?_csrf=${token}`)).status, 403)
    browser.setCookie(`_csrf=${token}; Path=/`)
    assert.equal((await browser.post('/')).status, 403)
  })

  it('the field takes precedence over the header: a valid header does not save an invalid field [OPEN-05]', async () => {
    const { browser, token } = await withToken()

    assert.equal(
      (await browser.post('/', { form: { _csrf: 'x' }, headers: { 'x-csrf-token': token } })).status,
      403,
    )
    assert.equal(
      (await browser.post('/', { form: { _csrf: [token, token] }, headers: { 'x-csrf-token': token } }))
        .status,
      403,
    )
    assert.equal((await browser.post('/', { multipart: { _csrf: new File([token], 'x') } })).status, 403)
  })

  it('checks the effective method: a POST with _method=DELETE needs a token [CSRF-10]', async () => {
    const { browser, token } = await withToken(
      client({ configure: (app) => app.middleware().incoming(MethodOverrideMiddleware) }),
    )

    assert.equal((await browser.post('/', { form: { _method: 'DELETE' } })).status, 403)
    assert.equal(
      await (await browser.post('/', { form: { _method: 'DELETE', _csrf: token } })).text(),
      'done DELETE',
    )
  })

  it('no override turns a POST into a request that needs none [CSRF-10]', async () => {
    const browser = client({ configure: (app) => app.middleware().incoming(MethodOverrideMiddleware) })

    for (const target of ['GET', 'HEAD', 'OPTIONS', 'TRACE'])
      assert.equal((await browser.post('/', { form: { _method: target } })).status, 400)
  })

  it('a token issued before login or logout is refused afterwards; a fresh one works [SESS-06 SESS-10]', async () => {
    const { browser, token } = await withToken()
    await browser.post('/login', { form: { _csrf: token } })
    assert.equal((await browser.post('/', { form: { _csrf: token } })).status, 403)

    const inside = (await withToken(browser)).token
    assert.equal((await browser.post('/', { form: { _csrf: inside } })).status, 200)
    await browser.post('/logout', { form: { _csrf: inside } })
    assert.equal((await browser.post('/', { form: { _csrf: inside } })).status, 403)
    assert.equal((await browser.post('/', { form: { _csrf: (await withToken(browser)).token } })).status, 200)
  })

  for (const [status, headers] of [
    [403, { 'sec-fetch-site': 'cross-site' }],
    [403, { 'sec-fetch-site': 'cross-site', origin: 'http://localhost' }],
    [403, { origin: 'https://evil.test' }],
    [403, { origin: 'https://localhost' }],
    [403, { origin: 'http://localhost:8080' }],
    [403, { origin: 'http://localhost.evil.test' }],
    [403, { origin: 'null' }],
    [200, { origin: 'http://localhost' }],
    [200, { 'sec-fetch-site': 'same-origin', origin: 'http://localhost' }],
    [200, { 'sec-fetch-site': 'same-site' }],
    [200, { 'sec-fetch-site': 'none' }],
    [200, {}],
  ] as const) {
    it(`answers ${status} to a good token with ${JSON.stringify(headers)} [OPEN-26]`, async () => {
      const { browser, token } = await withToken()

      assert.equal((await browser.post('/', { form: { _csrf: token }, headers })).status, status)
    })
  }

  it('knows its own origin over HTTPS and on another port [OPEN-26]', async () => {
    for (const origin of ['https://app.test', 'http://localhost:3000']) {
      const { browser, token } = await withToken(client({}, origin))

      assert.equal((await browser.post('/', { form: { _csrf: token }, headers: { origin } })).status, 200)
    }
  })

  for (const [what, request, facts] of [
    ['no token', () => ({}), ['has no CSRF token', '_csrf', 'csrf.fieldName', 'csrf.token', 'x-csrf-token']],
    ['an empty field', () => ({ form: { _csrf: '' } }), ['has no CSRF token']],
    ['another field', (token) => ({ form: { csrf: token } }), ['has no CSRF token']],
    ['a token in JSON', (token) => ({ json: { _csrf: token } }), ['has no CSRF token', 'x-csrf-token']],
    ['a wrong token', (token) => ({ form: { _csrf: token.toLowerCase() } }), ['not one of this session']],
    ['a wrong header', () => ({ headers: { 'x-csrf-token': 'x' } }), ['not one of this session']],
    ['two tokens', (token) => ({ form: { _csrf: [token, token] } }), ['several fields _csrf']],
    [
      'another site',
      (token) => ({ form: { _csrf: token }, headers: { 'sec-fetch-site': 'cross-site' } }),
      ['Sec-Fetch-Site'],
    ],
    [
      'another origin',
      (token) => ({ form: { _csrf: token }, headers: { origin: 'https://other.test' } }),
      ['Origin', 'trustedProxies'],
    ],
  ] as readonly [string, (token: string) => TestRequestOptions, readonly string[]][]) {
    it(`says in development, and to listeners, why it refuses ${what}, but not to clients [CSRF-03]`, async (t) => {
      const reasons: (string | null)[] = []
      const listen = (message: unknown): unknown => reasons.push((message as { reason: string }).reason)
      subscribe('sallyport:refused', listen)
      t.after(() => unsubscribe('sallyport:refused', listen))
      const pages = await Promise.all(
        [true, false].map(async (debug) => {
          const { browser, token } = await withToken(client({ debug }))
          const options = request(token)
          const headers = { ...options.headers, accept: 'application/json' }
          const response = await browser.post('/', { ...options, headers })
          assert.equal(response.status, 403)
          const { trace = null, ...rest } = (await response.json()) as Record<string, unknown>
          assert.ok(!JSON.stringify([trace, rest, reasons]).includes(token))
          return { trace, rest }
        }),
      )

      const [reason = null] = reasons
      assert.deepEqual([pages[0]?.trace, pages[1]?.trace, reasons], [reason, null, [reason, reason]])
      assert.deepEqual(pages[0]?.rest, pages[1]?.rest)
      for (const fact of facts) assert.ok(reason?.includes(fact), String(reason))
    })
  }

  it('runs only where an application registers it: a Bearer API is served without a token [CSRF-06]', async () => {
    const api = client({ middlewares: [] })

    assert.equal((await api.request('PUT', '/', { headers: { authorization: 'Bearer abc' } })).status, 200)
  })

  it('responds with 503 and stops when the session store fails [R-20]', async () => {
    const store = new SpyStore(new FrozenClock())
    const { browser, token } = await withToken(
      client({
        configure: (app) => {
          new Faults().listen(app)
          app.configure((definitions) => definitions.set(SessionStore, store))
        },
      }),
    )
    store.failing.add('read')

    assert.equal((await browser.post('/', { form: { _csrf: token } })).status, 503)
  })
})
