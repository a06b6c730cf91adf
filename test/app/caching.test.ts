import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import fc from 'fast-check'
import type { HttpContext } from 'sallyport'
import { SessionAuthentication } from 'sallyport/auth'
import type { OutgoingMiddleware } from 'sallyport/http'

import { type Answer, browser } from './fixture.ts'

/** What makes an answer belong to one client. */
const OWNERS: Readonly<Record<string, (context: HttpContext) => unknown>> = {
  'a signed-in user': (context) => context.auth().authenticate({}),
  'a session cookie': (context) => context.session().set('x', 1),
  'a session that was read': (context) => context.session().get('x'),
  'a session whose account was asked for': (context) =>
    new SessionAuthentication().identifier(context.session()),
  'another cookie': (context) => context.cookies().set('theme', 'dark'),
}

const TOKEN = 'the token of a form'

/** Whatever an application can ask of a session or do to it. */
const SESSION_USES: Readonly<Record<string, (context: HttpContext) => unknown>> = {
  'get()': (context) => context.session().get('x'),
  'get() that nobody waits for': (context) => void context.session().get('x'),
  'has()': (context) => context.session().has('x'),
  'set()': (context) => context.session().set('x', 1),
  'remove()': (context) => context.session().remove('x'),
  'regenerateId()': (context) => context.session().regenerateId(),
  'destroy()': (context) => context.session().destroy(),
  'identifier()': (context) => new SessionAuthentication().identifier(context.session()),
  'logout()': (context) => new SessionAuthentication().logout(context.session(), context.auth()),
  'a flash message that is looked for': (context) => context.flash().take(),
  [TOKEN]: (context) => context.csrf().token(),
}

/** What lets a shared cache keep an answer. */
const PUBLIC: Readonly<Record<string, string>> = {
  'cache-control': 'public, max-age=600, s-maxage=900',
  'cdn-cache-control': 'max-age=600',
  'cloudflare-cdn-cache-control': 'max-age=600',
  'surrogate-control': 'max-age=600',
  'edge-control': 'cache-maxage=600',
  'x-accel-expires': '600',
  expires: 'Thu, 01 Jan 2099 00:00:00 GMT',
}

function answering(own: (context: HttpContext) => unknown, headers: Record<string, string>): Answer {
  return async (context) => {
    await own(context)
    return new Response('hi', { headers })
  }
}

const COOKIE = `sid=${'A'.repeat(43)}`

async function headersOf(
  answer: Answer,
  outgoing?: OutgoingMiddleware<HttpContext>,
  cookie = COOKIE,
): Promise<Headers> {
  const client = browser(
    { 'GET /': answer },
    { configure: (app) => (outgoing === undefined ? app : app.middleware().outgoing(outgoing)) },
  )
  return (await client.get('/', { headers: { cookie } })).headers
}

/** Whether a shared cache must not keep the answer: RFC 9111 section 3, read as strictly as possible. */
function isKeptFromSharedCaches(headers: Headers): boolean {
  const directives = (headers.get('cache-control') ?? '').split(',').map((part) => part.trim().toLowerCase())
  const refuses = directives.includes('private') || directives.includes('no-store')
  const invites = directives.some((part) => /^(public|s-maxage|must-understand)\b/.test(part))
  const others = Object.keys(PUBLIC).filter((name) => name !== 'cache-control' && headers.has(name))
  return refuses && !invites && others.length === 0
}

describe('a response that belongs to one client', () => {
  for (const [owner, own] of Object.entries(OWNERS)) {
    for (const [name, value] of Object.entries(PUBLIC)) {
      it(`${owner}: ${name} of the action lets no shared cache store it [HOLD-21]`, async () => {
        const headers = await headersOf(answering(own, { [name]: value }))

        assert.ok(isKeptFromSharedCaches(headers), JSON.stringify([...headers]))
      })

      it(`${owner}: ${name} of an outgoing middleware lets no shared cache store it [HOLD-21]`, async () => {
        const headers = await headersOf(answering(own, {}), {
          process: (response) => new Response(response.body, { headers: { [name]: value } }),
        })

        // A cookie that the middleware threw away belongs to nobody.
        assert.ok(owner === 'another cookie' || isKeptFromSharedCaches(headers), JSON.stringify([...headers]))
      })
    }

    it(`${owner}: the browser's own cache may store it as long as the action says [HOLD-21]`, async () => {
      const headers = await headersOf(
        answering(own, { 'cache-control': 'Public, Max-Age=600, no-cache="set-cookie, x"' }),
      )

      assert.equal(headers.get('cache-control'), 'private, max-age=600, no-cache="set-cookie, x"')
    })
  }

  for (const [use, own] of Object.entries(SESSION_USES)) {
    it(`${use}, where none was sent: what a visitor is shown is not stored for an account [HOLD-21]`, async () => {
      const said = await headersOf(answering(own, PUBLIC), undefined, '')
      const silent = await headersOf(answering(own, {}), undefined, '')

      assert.ok(isKeptFromSharedCaches(said), JSON.stringify([...said]))
      // Going back to a form must not bring back a token of a session that has ended.
      assert.equal(silent.get('cache-control'), use === TOKEN ? 'no-store' : 'private, no-cache')
    })
  }

  it('what a gate gives for credentials is not stored for others [HOLD-21]', async () => {
    const gated = browser({ 'GET /': answering(() => null, PUBLIC) })
    const headers = { authorization: 'Basic YTpi' }

    assert.ok(isKeptFromSharedCaches((await gated.get('/', { headers })).headers))
    assert.equal((await gated.get('/')).headers.get('cache-control'), PUBLIC['cache-control'])
  })

  it('a session that is only opened is not used [HOLD-21]', async () => {
    const headers = await headersOf(
      answering((context) => context.session(), PUBLIC),
      undefined,
      '',
    )

    for (const [name, value] of Object.entries(PUBLIC)) assert.equal(headers.get(name), value)
  })

  it('a cookie that the action writes as a header counts, in an outgoing middleware too [HOLD-21]', async () => {
    const headers = { 'set-cookie': 'a=b', 'cache-control': 'public' }

    assert.equal((await headersOf(answering(() => null, headers))).get('cache-control'), 'private')
    const late = await headersOf(() => 'hi', {
      process: (response) => {
        for (const [name, value] of Object.entries(headers)) response.headers.set(name, value)
        return response
      },
    })
    assert.equal(late.get('cache-control'), 'private')
  })

  it('a cookie alone is private, a response without any is left alone [HOLD-21]', async () => {
    const cookie = await headersOf((context) => (context.cookies().set('a', 'b'), 'hi'))
    const plain = await headersOf(answering(() => null, PUBLIC))

    assert.equal(cookie.get('cache-control'), 'private')
    for (const [name, value] of Object.entries(PUBLIC)) assert.equal(plain.get(name), value)
  })

  it('whatever directives an action writes, no shared cache may store the response of a signed-in user [HOLD-21]', async () => {
    const names = [
      'public',
      'PUBLIC',
      'private',
      'no-store',
      'no-cache',
      's-maxage',
      'max-age',
      'must-understand',
    ]
    const directive = fc
      .tuple(
        fc.constantFrom(...names, 'immutable', 'x"', '', '=', 'x=;'),
        fc.constantFrom('', '=0', '=9', '="a"', '="a, public"', '="a\\", public', '= 9', '="'),
        fc.constantFrom('', ' ', '\t'),
      )
      .map((parts) => parts.join(''))
    const written = fc.array(directive, { maxLength: 6 }).map((parts) => parts.join(','))

    await fc.assert(
      fc.asyncProperty(written, async (value) => {
        const headers = await headersOf(
          answering((context) => context.auth().authenticate({}), { 'cache-control': value }),
        )

        const unquoted = new Headers(headers)
        unquoted.set(
          'cache-control',
          (headers.get('cache-control') ?? '').replaceAll(/"(?:[^"\\]|\\.)*"/g, 'q'),
        )
        assert.ok(isKeptFromSharedCaches(unquoted), String(headers.get('cache-control')))
      }),
      { numRuns: 300 },
    )
  })
})

describe('a page that the browser may keep', () => {
  const kept = { 'cache-control': 'private, max-age=600' }
  const signedIn = (context: HttpContext) => context.auth().authenticate({})
  const read = (context: HttpContext) => context.session().get('x')

  for (const [what, own, sent, headers, vary] of [
    ['a page of an account', signedIn, {}, kept, 'Cookie'],
    ['a public page of an account', signedIn, {}, { 'cache-control': 'public, max-age=9' }, 'Cookie'],
    ['a page of an account with a Vary', signedIn, {}, { ...kept, vary: 'Accept' }, 'Accept, Cookie'],
    ['a page of a session', read, {}, kept, 'Cookie'],
    ['a page of a session without an own rule', read, {}, {}, 'Cookie'],
    ['an answer to credentials', signedIn, { authorization: 'Bearer a' }, kept, 'Authorization'],
    [
      'an answer to credentials and a session',
      async (context: HttpContext) => (signedIn(context), read(context)),
      { authorization: 'Bearer a' },
      kept,
      'Authorization, Cookie',
    ],
    ['a page of an account that is not kept', signedIn, {}, {}, null],
    ['a page of an account that must not be kept', signedIn, {}, { 'cache-control': 'no-store' }, null],
    ['a page of nobody', () => null, {}, kept, null],
  ] as const)
    it(`${what} has Vary ${vary} [HOLD-21]`, async () => {
      const response = await browser({ 'GET /': answering(own, headers) }).get('/', { headers: sent })

      assert.equal(response.headers.get('vary'), vary)
    })

  it('is not given to the next person: a cache with the rules of RFC 9111 asks again [HOLD-21]', async () => {
    const sessions = new SessionAuthentication()
    const client = browser({
      'POST /login': (context) => sessions.login(context.session(), context.auth(), context.query(), {}),
      'POST /logout': (context) => sessions.logout(context.session(), context.auth()),
      'GET /': async (context) =>
        new Response(String(await sessions.identifier(context.session())), { headers: kept }),
    })
    await client.post('/login?ada')
    const ofAda = await client.get('/')
    const cookieOfAda = client.cookie('sid')
    await client.post('/logout')
    await client.post('/login?eve')

    assert.deepEqual([await ofAda.text(), ofAda.headers.get('vary')], ['ada', 'Cookie'])
    assert.notEqual(client.cookie('sid'), cookieOfAda)
  })
})

describe('a negotiated response', () => {
  const answers = {
    'GET /language': (context: HttpContext) => context.locale(),
    'GET /own': (context: HttpContext) =>
      new Response(context.locale(), { headers: { vary: 'Cookie, accept-language' } }),
    'GET /all': (context: HttpContext) => new Response(context.locale(), { headers: { vary: '*' } }),
    'GET /more': (context: HttpContext) => new Response(context.locale(), { headers: { vary: 'Cookie' } }),
    'GET /set': (context: HttpContext) => (context.useLocale('fr'), context.locale()),
    'GET /plain': () => 'hi',
  }
  const client = browser(answers, { locales: ['en', 'fr'] })

  for (const [path, vary] of [
    ['/language', 'Accept-Language'],
    ['/own', 'Cookie, accept-language'],
    ['/all', '*'],
    ['/more', 'Cookie, Accept-Language'],
    ['/set', null],
    ['/plain', null],
    ['/nowhere', 'Accept'],
  ] as const) {
    it(`${path} has Vary ${String(vary)} [HOLD-21]`, async () => {
      for (const headers of [{}, { 'accept-language': 'fr', accept: 'application/json' }]) {
        const response = await client.get(path, { headers })

        assert.equal(response.headers.get('vary'), vary)
      }
    })
  }

  it('a single language is not negotiated [HOLD-21]', async () => {
    const response = await browser(answers, { locales: ['en'] }).get('/language')

    assert.equal(response.headers.get('vary'), null)
  })

  it('a refusal that depends on both has one Vary line [HOLD-21]', async () => {
    const refusing = browser(
      {
        'GET /': (context) => {
          context.locale()
          throw new Error('no')
        },
      },
      { locales: ['en', 'fr'], configure: (app) => app.onError(() => undefined) },
    )

    assert.equal((await refusing.get('/')).headers.get('vary'), 'Accept, Accept-Language')
  })
})
