import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import type { App, FetchOptions, HttpContext } from 'sallyport'
import { type ServeOptions, serve, type Server } from 'sallyport/node'

import { type Answers, site } from '../app/fixture.ts'
import { exchange, parse, request, values } from './raw.ts'

const ANSWERS: Answers = {
  'GET|POST /': (context: HttpContext) => [context.origin(), context.request().url],
}

async function serving(options: ServeOptions, app: App = site(ANSWERS)): Promise<Server & AsyncDisposable> {
  const server = await serve(app, { port: 0, signals: [], drainMilliseconds: 500, ...options })
  return { ...server, [Symbol.asyncDispose]: () => server.close() }
}

function get(port: number, ...lines: readonly string[]): ReturnType<typeof request> {
  return request(port, ['GET / HTTP/1.1', ...lines, 'Connection: close'])
}

describe('serve() with an origin', () => {
  it('responds with 421 to another host, and runs nothing [HOLD-09]', async () => {
    let ran = 0
    const app = site({ 'GET /': () => String(++ran) })
    await using server = await serving({ origin: 'https://app.test', hosts: ['10.0.0.7'] }, app)

    for (const host of ['evil.test', `127.0.0.1:${server.port}`, 'app.test.', 'app.test:8443']) {
      const response = await get(server.port, `Host: ${host}`)
      assert.deepEqual([response.status, values(response, 'connection')], [421, ['close']], host)
      assert.doesNotMatch(JSON.stringify(response), /evil/)
    }
    assert.equal(ran, 0)
    for (const host of ['app.test', 'App.Test:443', '10.0.0.7', '10.0.0.7:3000'])
      assert.equal((await get(server.port, `Host: ${host}`)).status, 200, host)
    assert.equal(ran, 4)
  })

  it('checks the host that a trusted proxy names, not the one that it connects to [HOLD-09]', async () => {
    const trustedProxies = { addresses: ['127.0.0.1'] }
    await using server = await serving({ origin: 'https://app.test', trustedProxies })

    const right = await get(server.port, 'Host: backend:3000', 'X-Forwarded-Host: app.test')
    const wrong = await get(server.port, 'Host: app.test', 'X-Forwarded-Host: evil.test')

    assert.deepEqual([right.status, wrong.status], [200, 421])
    assert.deepEqual(JSON.parse(right.body), ['https://app.test', 'https://app.test/'])
  })

  it('answers HTTP/1.0 without a host when the origin is configured [HOLD-09]', async () => {
    await using told = await serving({ origin: 'https://app.test' })
    await using open = await serving({ hosts: ['app.test'] })

    const line = 'GET / HTTP/1.0\r\n\r\n'
    assert.equal(parse(await exchange(told.port, line)).status, 200)
    assert.equal(parse(await exchange(open.port, line)).status, 421)
  })

  it('accepts hosts alone; the origin is then the requested one [HOLD-09]', async () => {
    await using server = await serving({ hosts: ['a.test', 'b.test'] })

    assert.deepEqual(JSON.parse((await get(server.port, 'Host: B.test:81')).body), [
      'http://b.test:81',
      'http://b.test:81/',
    ])
    assert.equal((await get(server.port, 'Host: c.test')).status, 421)
  })

  it('refuses a malformed host at startup [HOLD-09]', async () => {
    await assert.rejects(serving({ hosts: ['https://app.test'] }), TypeError)
  })
})

describe('what is refused at the socket', () => {
  const REFUSED = [
    ['another host', 421, 'GET / HTTP/1.1\r\nHost: evil.test\r\n\r\n'],
    ['a doubled Host', 400, 'GET / HTTP/1.1\r\nHost: app.test\r\nHost: app.test\r\n\r\n'],
    ['no Host', 400, 'GET / HTTP/1.1\r\n\r\n'],
    ['a target that is not a path', 400, 'GET x HTTP/1.1\r\nHost: app.test\r\n\r\n'],
    ['TRACE', 405, 'TRACE / HTTP/1.1\r\nHost: app.test\r\n\r\n'],
    ['CONNECT', 405, 'CONNECT a:1 HTTP/1.1\r\nHost: app.test\r\n\r\n'],
    [
      'another expectation',
      417,
      'GET / HTTP/1.1\r\nHost: app.test\r\nExpect: x\r\nConnection: close\r\n\r\n',
    ],
    ['bytes that are no HTTP', 400, 'x\r\n\r\n'],
    ['a head over 16 KiB', 431, `GET / HTTP/1.1\r\nHost: app.test\r\nX: ${'x'.repeat(17_000)}\r\n\r\n`],
    ['too many lines', 431, `GET / HTTP/1.1\r\nHost: app.test\r\n${'a:b\r\n'.repeat(1500)}\r\n`],
  ] as const

  for (const [what, status, bytes] of REFUSED) {
    it(`${what} carries the security headers of any other response [HOLD-06]`, async () => {
      await using secure = await serving({ origin: 'https://app.test' })
      await using plain = await serving({ hosts: ['app.test'] })

      for (const [server, transport] of [
        [secure, ['max-age=31536000']],
        [plain, []],
      ] as const) {
        const response = parse(await exchange(server.port, bytes))

        assert.equal(response.status, status)
        assert.deepEqual(values(response, 'x-content-type-options'), ['nosniff'])
        assert.deepEqual(values(response, 'strict-transport-security'), transport)
      }
    })
  }

  it('a refusal behind a proxy uses the scheme that the proxy reports [HOLD-06]', async () => {
    await using server = await serving({ trustedProxies: { addresses: ['127.0.0.1'] } })

    const [secure, plain] = await Promise.all(
      ['https', 'http'].map((scheme) =>
        request(server.port, ['TRACE / HTTP/1.1', 'Host: app.test', `X-Forwarded-Proto: ${scheme}`]),
      ),
    )

    assert.deepEqual(secure && values(secure, 'strict-transport-security'), ['max-age=31536000'])
    assert.deepEqual(plain && values(plain, 'strict-transport-security'), [])
  })
})

describe('App.fetch() with facts from its host', () => {
  const answers: Answers = {
    'GET|POST /': async (context: HttpContext) => [
      context.origin(),
      context.isSecure(),
      context.request().url,
      context.clientAddress(),
      await context.request().text(),
    ],
  }

  it('uses the address of the client and the origin [HOST-03]', async () => {
    const app = site(answers)
    const post = { method: 'POST', body: 'hello' }
    const options = { clientAddress: '::FFFF:198.51.100.7', origin: 'https://app.test' }

    const bare = await app.fetch(new Request('http://app.test/?a', post))
    const told = await app.fetch(new Request('http://app.test/?a', post), options)
    const empty = await app.fetch(new Request('http://app.test/?a'), options)

    assert.deepEqual(await bare.json(), ['http://app.test', false, 'http://app.test/?a', '', 'hello'])
    const expected = ['https://app.test', true, 'https://app.test/?a', '198.51.100.7']
    assert.deepEqual(await told.json(), [...expected, 'hello'])
    assert.deepEqual(await empty.json(), [...expected, ''])
    assert.equal(told.headers.get('strict-transport-security'), 'max-age=31536000')
  })

  it('keeps address and origin for a middleware that passes on a request derived from the current one [HOST-03]', async () => {
    const app = site(answers, {
      configure: (configured) =>
        configured.middleware().incoming({
          process: (context: HttpContext, next) =>
            next(new Request(context.request(), { headers: { 'x-a': 'b' } })),
        }),
    })

    const response = await app.fetch(new Request('http://app.test/'), {
      clientAddress: '198.51.100.7',
      origin: 'https://app.test',
    })

    assert.deepEqual(await response.json(), [
      'https://app.test',
      true,
      'https://app.test/',
      '198.51.100.7',
      '',
    ])
  })

  it('judges the host that the client asked for, not the address of its host in the URL [HOST-02]', async () => {
    const ask = async (host: string, options: FetchOptions): Promise<number> => {
      const request = new Request('http://localhost:3000/', { headers: { host } })
      return (await site(answers).fetch(request, options)).status
    }

    assert.equal(await ask('app.test', { origin: 'https://app.test' }), 200)
    assert.equal(await ask('evil.test', { origin: 'https://app.test' }), 421)
    // URLs are made from that of the request here.
    assert.equal(await ask('app.test', { hosts: ['app.test'] }), 421)
    assert.equal(await ask('evil.test', { hosts: ['localhost:3000'] }), 200)
  })

  it('answers another host like serve() [HOLD-09 R-56]', async () => {
    const app = site(answers)
    const options = { origin: 'https://app.test', hosts: ['10.0.0.7'] }
    await using server = await serving(options, app)

    for (const method of ['GET', 'HEAD', 'POST']) {
      for (const [host, status] of [
        ['app.test', 200],
        ['10.0.0.7:3000', 200],
        ['evil.test', 421],
        ['app.test:8443', 421],
      ] as const) {
        const direct = await app.fetch(new Request(`http://${host}/`, { method }), options)
        const wired = await request(server.port, [
          `${method} / HTTP/1.1`,
          `Host: ${host}`,
          'Content-Length: 0',
          'Connection: close',
        ])

        const kept = wired.headers.filter(([name]) => !['date', 'connection'].includes(name)).sort()
        assert.deepEqual([direct.status, wired.status], [status, status])
        if (status === 421) {
          assert.deepEqual(kept, [...direct.headers].sort())
          assert.equal(wired.body, await direct.text())
        }
      }
    }
  })

  it('invalid options of fetch() reject with a TypeError, for each request [HOLD-09 HOLD-35]', async () => {
    const app = site(answers)
    const request = new Request('http://app.test/')
    const malformed: readonly unknown[] = [
      { origin: 'app.test' },
      { origin: 'https://app.test/path' },
      { origin: null },
      { origin: 5 },
      { hosts: 'app.test' },
      { hosts: [] },
      { hosts: ['app test'] },
      { hosts: [undefined] },
      { hosts: null },
      { clientAddress: 5 },
      { clientAddress: null },
      null,
      5,
    ]
    for (const options of malformed) {
      for (let turn = 0; turn < 2; turn++) {
        const answer = app.fetch(request, options as never)

        await assert.rejects(
          answer,
          { name: 'TypeError', message: /^Cannot (serve|use) / },
          JSON.stringify(options),
        )
      }
    }
    for (const given of [undefined, null, {}, 'http://app.test/', 5])
      await assert.rejects(
        app.fetch(given as never),
        /^TypeError: Cannot handle .*pass a Request to fetch\(\)/,
      )
    assert.equal((await app.fetch(request)).status, 200)
  })
})
