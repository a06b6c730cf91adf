import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import type { App, HttpContext } from 'sallyport'
import { type Middleware, RedirectException } from 'sallyport/http'
import { TestClient, type TestRequestOptions } from 'sallyport/testing'

import { type Answers, site } from '../app/fixture.ts'

const ANSWERS: Answers = {
  'GET /': (context) => [context.origin(), context.header('cookie')],
  'POST|PUT /echo': async (context) => [
    context.method(),
    context.header('content-type'),
    await context.request().text(),
  ],
  'GET|POST|PUT|PATCH|DELETE /length': async (context) => [
    context.header('content-length'),
    (await context.request().bytes()).length,
  ],
  'GET /set': (context) => {
    context.cookies().set('a', '1')
    context.cookies().set('shop', '2', { path: '/shop' })
  },
  'GET /secure': (context) => context.cookies().set('__Host-a', '1', { secure: true }),
  'GET /foreign': () => new Response('', { headers: { 'set-cookie': 'evil=1; Domain=other.test' } }),
  'GET /unset': (context) => context.cookies().delete('a'),
  'GET /shop/': (context) => context.header('cookie'),
  'GET|POST /to': (context) => {
    const [hops = '', status = '302'] = context.query().split('-')
    throw new RedirectException(hops === '0' ? '/end' : `/to?${Number(hops) - 1}-${status}`, Number(status))
  },
  'GET|POST /end': async (context) => [context.method(), await context.request().text()],
  'GET /to-home': (context) => {
    context.cookies().set('b', '2')
    throw new RedirectException('/')
  },
  'GET /away': () => {
    throw new RedirectException('https://other.test/')
  },
  'GET /loop': () => {
    throw new RedirectException('/loop')
  },
}

const client = (origin?: string): TestClient =>
  new TestClient(site(ANSWERS), origin === undefined ? {} : { origin })
const json = async (response: Promise<Response>): Promise<unknown> => (await response).json()

describe('TestClient', () => {
  it('uses the given address, and so does its clone [HOST-03]', async () => {
    const app = site({ 'GET /': (context) => [context.clientAddress()] })
    const client = new TestClient(app, { clientAddress: '::ffff:198.51.100.7' })

    for (const [from, address] of [
      [client, '198.51.100.7'],
      [client.clone(), '198.51.100.7'],
      [new TestClient(app), ''],
    ] as const) {
      assert.deepEqual(await (await from.get('/')).json(), [address])
    }
  })

  it('stores cookies like a browser, and sends them where they belong', async () => {
    const browser = client()

    await browser.get('/set')

    assert.deepEqual(await json(browser.get('/')), ['http://localhost', 'a=1'])
    assert.equal(browser.cookie('a'), '1')
    assert.equal(browser.cookie('shop'), undefined)
    assert.equal(browser.cookie('shop', '/shop/x'), '2')
    assert.match(await (await browser.get('/shop/')).text(), /shop=2/)
    await browser.get('/unset')
    assert.equal(browser.cookie('a'), undefined)
  })

  it('accepts no cookie that a browser would refuse', async () => {
    const [plain, secure] = [client(), client('https://app.test')]

    for (const browser of [plain, secure]) {
      await browser.get('/foreign')
      await browser.get('/secure')
    }

    assert.deepEqual(await json(secure.get('/')), ['https://app.test', '__Host-a=1'])
    assert.equal(secure.cookie('evil'), undefined)
  })

  it('two clients are two browsers; a clone has the same cookies and then its own', async () => {
    const app = site(ANSWERS)
    const [one, two] = [new TestClient(app), new TestClient(app)]
    await one.get('/set')
    const twin = one.clone()

    await one.get('/unset')

    assert.equal(two.cookie('a'), undefined)
    assert.equal(twin.cookie('a'), '1')
    assert.deepEqual(await json(twin.get('/')), ['http://localhost', 'a=1'])
    twin.clearCookies()
    assert.equal(twin.cookie('a'), undefined)
  })

  it('sends forms, JSON, multipart and bodies unchanged', async () => {
    const browser = client()

    assert.deepEqual(await json(browser.post('/echo', { form: { a: 'x y', b: ['1', '2'] } })), [
      'POST',
      'application/x-www-form-urlencoded;charset=UTF-8',
      'a=x+y&b=1&b=2',
    ])
    assert.deepEqual(await json(browser.post('/echo', { json: { a: [null] } })), [
      'POST',
      'application/json',
      '{"a":[null]}',
    ])
    assert.deepEqual(
      await json(
        browser.request('PUT', '/echo', { json: 1, headers: { 'content-type': 'application/vnd.api+json' } }),
      ),
      ['PUT', 'application/vnd.api+json', '1'],
    )
    assert.deepEqual(await json(browser.post('/echo', { body: 'raw', headers: { 'content-type': 'x/y' } })), [
      'POST',
      'x/y',
      'raw',
    ])
    assert.match(
      ((await json(browser.post('/echo', { multipart: { a: '1' } }))) as string[])[1] ?? '',
      /^multipart\/form-data; boundary=/,
    )
  })

  for (const [what, options] of Object.entries<TestRequestOptions>({
    'a form': { form: { name: 'Ünal', list: ['1', '2'] } },
    'a multipart form': { multipart: { name: 'Ünal', file: new File(['data'], 'a.txt') } },
    'form data': { multipart: new FormData() },
    json: { json: { name: 'Ünal' } },
    'a string': { body: 'Ünal' },
    'half a character': { body: 'x\uD800' },
    bytes: { body: new Uint8Array(7) },
    'an empty string': { body: '' },
  })) {
    it(`sends the length of ${what}`, async () => {
      const [length, received] = (await json(client().post('/length', options))) as [string, number]

      assert.equal(length, String(received))
    })
  }

  it('sends the length that the test gave, or none with a transfer encoding', async () => {
    const browser = client()
    const sent = (headers: Record<string, string>) => browser.post('/length', { body: 'abc', headers })

    assert.deepEqual(await json(sent({ 'Content-Length': '2' })), ['2', 3])
    assert.deepEqual(await json(sent({ 'Transfer-Encoding': 'chunked' })), [null, 3])
  })

  it('without a body, sends the length 0 with POST and PUT only', async () => {
    const browser = client()
    const lengths = ['POST', 'PUT', 'PATCH', 'DELETE', 'GET'].map(async (method) =>
      json(browser.request(method, '/length')),
    )

    assert.deepEqual(await Promise.all(lengths), [
      ['0', 0],
      ['0', 0],
      [null, 0],
      [null, 0],
      [null, 0],
    ])
  })

  it('sends the boundary of a multipart form once, also after a redirect that keeps the body', async () => {
    const response = client().post('/to?0-307', { multipart: { a: '1' }, follow: true })

    const [method, body] = (await json(response)) as [string, string]

    assert.equal(method, 'POST')
    assert.match(body, /^--\S+\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n--\S+--\r\n$/)
  })

  it('a body over the limit reaches no middleware, as with serve()', async () => {
    let processed = 0
    const counting: Middleware = {
      process: (_, next) => {
        processed++
        return next()
      },
    }
    const configure = (app: App): unknown => app.limits({ bodyBytes: 100 }).middleware().incoming(counting)
    const app = site(ANSWERS, { configure })
    const large = 'x'.repeat(101)

    for (const options of [
      { form: { large } },
      { multipart: { large } },
      { json: large },
      { body: large },
    ] as const)
      assert.equal((await new TestClient(app).post('/echo', options)).status, 413)
    assert.equal(processed, 0)
  })

  it('follows redirects on its origin on request, a POST as a GET unless 307 or 308', async () => {
    const browser = client()

    assert.equal((await browser.get('/to?1')).status, 302)
    assert.deepEqual(await json(browser.get('/to?3', { follow: true })), ['GET', ''])
    assert.deepEqual(await json(browser.post('/to?0-303', { form: { a: '1' }, follow: true })), ['GET', ''])
    assert.deepEqual(await json(browser.post('/to?1-308', { form: { a: '1' }, follow: true })), [
      'POST',
      'a=1',
    ])
    assert.equal(
      (await browser.get('/away', { follow: true })).headers.get('location'),
      'https://other.test/',
    )
    await assert.rejects(browser.get('/loop', { follow: true }), /Cannot follow more than 20 redirects/)
  })

  for (const [status, method, becomes] of [
    [301, 'GET', 'GET'],
    [301, 'POST', 'GET'],
    [301, 'PUT', 'PUT'],
    [301, 'HEAD', 'HEAD'],
    [302, 'POST', 'GET'],
    [302, 'post', 'GET'],
    [302, 'DELETE', 'DELETE'],
    [302, 'PUT', 'PUT'],
    [303, 'GET', 'GET'],
    [303, 'HEAD', 'HEAD'],
    [303, 'POST', 'GET'],
    [303, 'PUT', 'GET'],
    [303, 'DELETE', 'GET'],
    [307, 'POST', 'POST'],
    [307, 'DELETE', 'DELETE'],
    [308, 'PUT', 'PUT'],
    [308, 'POST', 'POST'],
  ] as const) {
    it(`after a ${status} a ${method} is a ${becomes}, with its body and what describes it or without [HOLD-55]`, async () => {
      const sent = new Redirects(() => [status, '/end'])
      const hasBody = method !== 'GET' && method !== 'HEAD'
      const headers = {
        'content-type': 'text/x',
        'Content-Language': 'fr',
        'x-own': '1',
        authorization: 'Bearer t',
      }

      await sent.client.request(method, '/start', {
        headers,
        follow: true,
        ...(hasBody ? { body: 'b' } : {}),
      })

      const keeps = method.toUpperCase() === becomes
      assert.deepEqual(sent.last, {
        method: becomes,
        url: 'http://localhost/end',
        type: keeps ? 'text/x' : null,
        language: keeps ? 'fr' : null,
        own: '1',
        authorization: 'Bearer t',
        body: keeps && hasBody ? 'b' : '',
      })
    })
  }

  for (const status of [200, 201, 300, 304, 305, 306, 400]) {
    it(`a ${status} with a Location is not a redirect [HOLD-55]`, async () => {
      const sent = new Redirects(() => [status, '/end'])

      const response = await sent.client.get('/start', { follow: true })

      assert.deepEqual([response.status, sent.urls], [status, ['http://localhost/start']])
    })
  }

  it('a redirect without a Location is the response [HOLD-55]', async () => {
    const sent = new Redirects(() => [302, null])

    assert.equal((await sent.client.get('/start', { follow: true })).status, 302)
    assert.equal(sent.urls.length, 1)
  })

  for (const [from, location, to] of [
    ['/a/b/start?q=1', 'end', '/a/b/end'],
    ['/a/b/start', '../end', '/a/end'],
    ['/a/b/start', './end?x=y', '/a/b/end?x=y'],
    ['/a/b/start', '?end', '/a/b/start?end'],
    ['/a/b/start', '//localhost/end', '/end'],
    ['/a/start', 'http://localhost/end', '/end'],
    ['/a/start#part', '/end', '/end#part'],
    ['/a/start#part', '/end#other', '/end#other'],
  ] as const) {
    it(`${JSON.stringify(location)} at ${from} leads to ${to} [HOLD-55]`, async () => {
      const sent = new Redirects((url) => (url === `http://localhost${to}` ? null : [302, location]))

      await sent.client.get(from, { follow: true })

      assert.equal(sent.urls.at(-1), `http://localhost${to}`)
    })
  }

  it('resolves each target against the URL before it [HOLD-55]', async () => {
    const sent = new Redirects((url) =>
      url.endsWith('/b/c') ? null : [302, url.endsWith('/b/') ? 'c' : 'b/'],
    )

    await sent.client.get('/a/', { follow: true })

    assert.deepEqual(sent.urls, ['http://localhost/a/', 'http://localhost/a/b/', 'http://localhost/a/b/c'])
  })

  it('follows 20 redirects and no more [HOLD-55]', async () => {
    const hops = (url: string): number => Number(new URL(url).searchParams.get('n'))
    const sent = new Redirects((url) => (hops(url) === 0 ? null : [302, `?n=${hops(url) - 1}`]))

    assert.equal((await sent.client.get('/?n=20', { follow: true })).status, 200)
    await assert.rejects(sent.client.get('/?n=21', { follow: true }), /Cannot follow more than 20 redirects/)
  })

  it('refuses a target that is not a URL [HOLD-55]', async () => {
    const sent = new Redirects(() => [302, 'http://['])

    await assert.rejects(sent.client.get('/', { follow: true }), /http:\/\/\[/)
  })

  it('returns a redirect to another origin, and takes no credentials from one to another [HOLD-55]', async () => {
    const away = new Redirects(() => [302, 'https://other.test/'])
    const back = new Redirects((url) =>
      url.startsWith('https://other.test') ? [307, 'http://localhost/end'] : null,
    )
    const headers = { Authorization: 'Bearer t', 'x-own': '1' }

    const response = await away.client.get('/', { follow: true, headers })
    await back.client.get('https://other.test/start', { follow: true, headers })

    assert.equal(response.headers.get('location'), 'https://other.test/')
    assert.deepEqual(back.urls, ['https://other.test/start', 'http://localhost/end'])
    assert.deepEqual([back.last.authorization, back.last.own], [null, '1'])
  })

  it('sends the cookies that the redirect set [HOLD-55]', async () => {
    const browser = client()
    await browser.get('/set')

    assert.deepEqual(await json(browser.get('/to-home', { follow: true })), ['http://localhost', 'a=1; b=2'])
  })
})

/** An application that notes what it is sent and redirects as a test says. */
class Redirects {
  readonly urls: string[] = []
  last: Record<string, unknown> = {}
  readonly client: TestClient

  constructor(answer: (url: string) => readonly [status: number, location: string | null] | null) {
    const redirecting: Middleware = {
      process: async (context: HttpContext) => {
        const request = context.request()
        this.urls.push(request.url)
        this.last = {
          method: request.method,
          url: request.url,
          type: request.headers.get('content-type'),
          language: request.headers.get('content-language'),
          own: request.headers.get('x-own'),
          authorization: request.headers.get('authorization'),
          body: await request.text(),
        }
        const [status, location] = (new URL(request.url).pathname === '/end'
          ? null
          : answer(request.url)) ?? [200, null]
        return new Response(null, { status, headers: location === null ? {} : { location } })
      },
    }
    this.client = new TestClient(site({}, { configure: (app) => app.middleware().incoming(redirecting) }))
  }
}
