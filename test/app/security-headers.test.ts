import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { type App, SecurityHeaders } from 'sallyport'
import { CsrfMiddleware } from 'sallyport/middleware'
import { TestClient } from 'sallyport/testing'

import { type Answers, browser, site } from './fixture.ts'

const ANSWERS: Answers = {
  'GET /': () => '<p>hi</p>',
  'GET /json': () => ({ a: 1 }),
  'GET /own': () =>
    new Response('', {
      headers: {
        'content-type': 'text/html',
        'content-security-policy': "default-src 'none'",
        'referrer-policy': 'no-referrer',
      },
    }),
  'GET /nonce': (context) => context.cspNonce(),
}

function withHeaders(options?: ConstructorParameters<typeof SecurityHeaders>[0]): TestClient {
  if (options === undefined) return browser(ANSWERS)
  return browser(ANSWERS, {
    configure: (app) =>
      app.configure((definitions) => definitions.set(SecurityHeaders, new SecurityHeaders(options))),
  })
}

describe('SecurityHeaders', () => {
  it('are on every page by default', async () => {
    const { headers } = await withHeaders().get('/')

    assert.equal(headers.get('x-content-type-options'), 'nosniff')
    assert.equal(headers.get('referrer-policy'), 'same-origin')
    assert.equal(headers.get('x-frame-options'), 'DENY')
    const policy = headers.get('content-security-policy') ?? ''
    for (const directive of [
      "default-src 'self'",
      "script-src 'self'",
      "object-src 'none'",
      "base-uri 'none'",
      "frame-ancestors 'none'",
      "form-action 'self'",
    ]) {
      assert.ok(policy.split('; ').includes(directive), directive)
    }
    assert.doesNotMatch(policy, /unsafe/)
  })

  it('keep browsers from sniffing the type of every response', async () => {
    const client = withHeaders()

    for (const path of ['/json', '/nowhere', '/own']) {
      assert.equal((await client.get(path)).headers.get('x-content-type-options'), 'nosniff')
    }
    assert.equal((await client.get('/json')).headers.get('content-security-policy'), null)
  })

  it('leave alone what a response sets itself', async () => {
    const { headers } = await withHeaders().get('/own')

    assert.equal(headers.get('content-security-policy'), "default-src 'none'")
    assert.equal(headers.get('referrer-policy'), 'no-referrer')
  })

  it('add the nonce to the pages that use one, a new one each time', async () => {
    const client = withHeaders()
    const [one, two] = [await client.get('/nonce'), await client.get('/nonce')]
    const [nonce, other] = [await one.text(), await two.text()]

    assert.match(nonce, /^[A-Za-z0-9_-]{22}$/)
    assert.notEqual(nonce, other)
    assert.ok(one.headers.get('content-security-policy')?.includes(`script-src 'self' 'nonce-${nonce}'`))
    assert.doesNotMatch((await client.get('/')).headers.get('content-security-policy') ?? '', /nonce/)
  })

  it('merge the options of an application over the defaults, and can be switched off', async () => {
    const merged = await withHeaders({
      contentSecurityPolicy: { 'img-src': '*', 'object-src': null },
      frameOptions: 'SAMEORIGIN',
    }).get('/')
    const off = await withHeaders({
      contentSecurityPolicy: false,
      referrerPolicy: false,
      frameOptions: false,
    }).get('/')

    assert.match(merged.headers.get('content-security-policy') ?? '', /img-src \*/)
    assert.doesNotMatch(merged.headers.get('content-security-policy') ?? '', /object-src/)
    assert.equal(merged.headers.get('x-frame-options'), 'SAMEORIGIN')
    for (const name of ['content-security-policy', 'referrer-policy', 'x-frame-options'])
      assert.equal(off.headers.get(name), null)
    assert.equal(off.headers.get('x-content-type-options'), 'nosniff')
  })

  for (const options of [
    { contentSecurityPolicy: { 'img-src': 'a\r\nset-cookie: b=c' } },
    { contentSecurityPolicy: { 'a\nb': 'x' } },
    { referrerPolicy: 'x\ny' },
    { referrerPolicy: '€' },
    { referrerPolicy: 'é' },
    { contentSecurityPolicy: { 'img-src': 'é' } },
  ]) {
    it(`refuse ${JSON.stringify(options)} at once`, () => {
      assert.throws(() => new SecurityHeaders(options), TypeError)
    })
  }

  for (const [referrerPolicy, hidesOrigin] of [
    ['no-referrer', true],
    ['same-origin, no-referrer', true],
    ['No-Referrer', true],
    ['no-referrer, same-origin', false],
    ['no-referrer-when-downgrade', false],
    ['strict-origin', false],
    [false, false],
  ] as const) {
    it(`${hidesOrigin ? 'refuse' : 'allow'} the referrer policy ${referrerPolicy} where forms are compared by their origin [MEND-10]`, async () => {
      class OwnCsrf extends CsrfMiddleware {}
      const headers = new SecurityHeaders({ referrerPolicy })
      const configure = (app: App) =>
        app.configure((definitions) => definitions.set(SecurityHeaders, headers))

      await site(ANSWERS, { configure }).boot()
      const applications = [
        site(ANSWERS, { configure, middlewares: [CsrfMiddleware] }),
        site(ANSWERS, { configure, middlewares: [OwnCsrf] }),
        site(ANSWERS, { configure: (app) => configure(app).middleware().routed(new CsrfMiddleware()) }),
      ]
      // Tables of routes are compiled at their first use.
      const route = browser(ANSWERS, {
        configure,
        module: (module) =>
          module.routes((routes) => {
            routes.post('/own', 'Pages::answer0').middleware(CsrfMiddleware)
          }),
      })

      for (const app of applications)
        if (hidesOrigin) await assert.rejects(app.boot(), /"no-referrer" with (?:Own)?Csrf/)
        else await app.boot()
      assert.equal((await route.get('/')).status, hidesOrigin ? 500 : 200)
    })
  }

  const OF_DOCUMENTS = {
    'content-security-policy': /frame-ancestors 'none'/,
    'x-frame-options': /^DENY$/,
    'cross-origin-opener-policy': /^same-origin$/,
    'origin-agent-cluster': /^\?1$/,
    'referrer-policy': /^same-origin$/,
  }

  for (const [type, isDocument] of [
    ['text/html', true],
    ['Text/HTML', true],
    [' text/html ; charset=latin1', true],
    ['TEXT/HTML;charset=utf-8', true],
    ['text/html, text/html', true],
    ['text/plain, text/html', true],
    ['application/xhtml+xml; charset=utf-8', true],
    ['Image/SVG+xml', true],
    ['text/xml', true],
    ['application/xml', true],
    ['application/atom+xml', true],
    ['text/xsl', true],
    ['text/plain', false],
    ['text/plain; charset=utf-8', false],
    ['text/htmlx', false],
    ['application/json; charset=utf-8', false],
    ['application/xmlx', false],
    ['image/png', false],
    ['text/css', false],
    ['text/plain; charset=text/html', false],
  ] as const) {
    it(`${JSON.stringify(type)} is ${isDocument ? 'a document' : 'not a document'} [HOLD-14]`, async () => {
      const client = browser({ 'GET /': () => new Response('x', { headers: { 'content-type': type } }) })

      const { headers } = await client.get('/')

      for (const [name, value] of Object.entries(OF_DOCUMENTS)) {
        if (isDocument) assert.match(headers.get(name) ?? '', value, name)
        else assert.equal(headers.get(name), null, name)
      }
      assert.equal(headers.get('x-content-type-options'), 'nosniff')
    })
  }

  for (const [options, expected] of [
    [undefined, 'max-age=31536000'],
    [{}, 'max-age=31536000'],
    [{ strictTransportSecurity: {} }, 'max-age=31536000'],
    [{ strictTransportSecurity: { maxAgeSeconds: 0 } }, 'max-age=0'],
    [
      { strictTransportSecurity: { maxAgeSeconds: 60, includeSubDomains: true } },
      'max-age=60; includeSubDomains',
    ],
    [
      { strictTransportSecurity: { includeSubDomains: true, preload: true } },
      'max-age=31536000; includeSubDomains; preload',
    ],
    [{ strictTransportSecurity: false }, null],
  ] as const) {
    it(`sends Strict-Transport-Security only over HTTPS, with ${JSON.stringify(options)} [HOLD-14]`, async () => {
      const app = site(ANSWERS, {
        configure: (configured) =>
          options && configured.configure((all) => all.set(SecurityHeaders, new SecurityHeaders(options))),
      })

      for (const path of ['/', '/json', '/nowhere', '/own']) {
        const secure = await new TestClient(app, { origin: 'https://app.test' }).get(path)
        const plain = await new TestClient(app, { origin: 'http://app.test' }).get(path)

        assert.equal(secure.headers.get('strict-transport-security'), expected)
        assert.equal(plain.headers.get('strict-transport-security'), null)
      }
    })
  }

  it('each of them can be removed, and is left alone when a response has it [HOLD-14]', async () => {
    const off = await withHeaders({ crossOriginOpenerPolicy: false, originAgentCluster: false }).get('/')
    const headers = { 'content-type': 'text/html', 'cross-origin-opener-policy': 'unsafe-none' }
    const own = await browser({ 'GET /': () => new Response('', { headers }) }).get('/')

    assert.equal(off.headers.get('cross-origin-opener-policy'), null)
    assert.equal(off.headers.get('origin-agent-cluster'), null)
    assert.equal(own.headers.get('cross-origin-opener-policy'), 'unsafe-none')
  })

  for (const strictTransportSecurity of [
    { maxAgeSeconds: Number.NaN },
    { maxAgeSeconds: -1 },
    { maxAgeSeconds: 1.5 },
    { maxAgeSeconds: Number.POSITIVE_INFINITY },
    { preload: true },
    { preload: true, includeSubDomains: true, maxAgeSeconds: 60 },
  ]) {
    it(`refuses ${JSON.stringify(strictTransportSecurity)} with a RangeError [HOLD-14]`, () => {
      assert.throws(() => new SecurityHeaders({ strictTransportSecurity }), RangeError)
    })
  }
})
