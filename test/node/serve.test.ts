import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { describe, it } from 'node:test'

import { App, type HttpContext } from 'sallyport'
import { type ServeOptions, serve, type Server } from 'sallyport/node'

import { type Answers, Faults, site } from '../app/fixture.ts'
import { exchange, open, parse, request, values, within } from './raw.ts'

const HOST = 'Host: app.test'

const ANSWERS: Answers = {
  'GET /': () => 'hi',
  'GET /json': () => ({ a: 'é' }),
  'GET /empty': () => null,
  'POST|PUT /echo': async (context) => new Response(await context.request().text()),
  'POST /ignore': () => 'ignored',
  'POST /form': async (context) => (await context.form())?.all('a') ?? null,
  'GET /about': (context: HttpContext) => [
    context.origin(),
    context.isSecure(),
    context.clientAddress(),
    context.request().url,
    context.path(),
    context.query(),
  ],
  'GET /headers': (context) => [
    context.header('cookie'),
    context.header('x-list'),
    context.request().headers.get('x-list'),
  ],
  'GET /boom': () => {
    throw new Error('hunter2')
  },
  'GET /cookies': async (context) => {
    context.cookies().set('a', '1')
    context.cookies().set('b', '2')
    await context.session().set('x', 1)
    return 'hi'
  },
  'GET /bytes': () => new Response(Uint8Array.from({ length: 256 }, (_, i) => i)),
  'GET /native-error': () => Response.error(),
}

async function serving(
  answers: Answers = ANSWERS,
  options: { app?: (app: App) => unknown; serve?: ServeOptions } = {},
): Promise<Server & AsyncDisposable> {
  const app = site(answers, {
    configure: (configured) => {
      new Faults().listen(configured)
      options.app?.(configured)
    },
  })
  const server = await serve(app, { port: 0, signals: [], drainMilliseconds: 500, ...options.serve })
  return { ...server, [Symbol.asyncDispose]: () => server.close() }
}

describe('serve()', () => {
  it('sends the application’s responses over HTTP', async () => {
    await using server = await serving()

    const [text, json, empty] = [
      await fetch(`${server.url}/`),
      await fetch(`${server.url}/json`),
      await fetch(`${server.url}/empty`),
    ]

    assert.deepEqual(
      [text.status, await text.text(), text.headers.get('content-type')],
      [200, 'hi', 'text/html; charset=utf-8'],
    )
    assert.deepEqual([json.status, await json.json()], [200, { a: 'é' }])
    assert.deepEqual([empty.status, await empty.text()], [204, ''])
    assert.equal(server.url, `http://127.0.0.1:${server.port}`)
  })

  it('answers HEAD with the headers of GET and no body', async () => {
    await using server = await serving()

    const head = await request(server.port, ['HEAD / HTTP/1.1', HOST, 'Connection: close'])
    const get = await request(server.port, ['GET / HTTP/1.1', HOST, 'Connection: close'])

    assert.equal(head.status, 200)
    assert.equal(head.body, '')
    assert.deepEqual(values(head, 'content-length'), ['2'])
    assert.deepEqual(
      head.headers.filter(([name]) => name !== 'date'),
      get.headers.filter(([name]) => name !== 'date'),
    )
  })

  it('sends every cookie on a line of its own', async () => {
    await using server = await serving()

    const response = await request(server.port, ['GET /cookies HTTP/1.1', HOST, 'Connection: close'])

    assert.equal(values(response, 'set-cookie').length, 3)
  })

  it('sends bytes as they are', async () => {
    await using server = await serving()

    const response = await fetch(`${server.url}/bytes`)

    assert.deepEqual(
      [...(await response.bytes())],
      Array.from({ length: 256 }, (_, i) => i),
    )
  })

  it('answers one request after another on a connection', async () => {
    await using server = await serving()

    const text = await exchange(
      server.port,
      `GET / HTTP/1.1\r\n${HOST}\r\n\r\nPOST /echo HTTP/1.1\r\n${HOST}\r\nContent-Length: 3\r\n\r\nabcGET /json HTTP/1.1\r\n${HOST}\r\nConnection: close\r\n\r\n`,
    )

    assert.equal(text.split('HTTP/1.1 200 OK').length, 4)
    assert.ok(text.indexOf('hi') < text.indexOf('abc') && text.indexOf('abc') < text.indexOf('{"a":'))
  })

  it('reveals nothing of an error, even when the response cannot be written', async () => {
    await using server = await serving()

    for (const path of ['/boom', '/native-error']) {
      const response = await request(server.port, [`GET ${path} HTTP/1.1`, HOST, 'Connection: close'])
      assert.equal(response.status, 500)
      assert.doesNotMatch(response.body, /hunter2/)
    }
  })

  it('joins header lines as RFC 9110 says, cookies by a semicolon', async () => {
    await using server = await serving()

    const response = await request(server.port, [
      'GET /headers HTTP/1.1',
      HOST,
      'Cookie: a=1',
      'Cookie: b=2',
      'X-List: 1',
      'x-list: 2',
      'Connection: close',
    ])

    assert.deepEqual(JSON.parse(response.body), ['a=1; b=2', '1, 2', '1, 2'])
  })

  it('rejects when the application does not boot, or the port is taken', async () => {
    await using server = await serving()

    await assert.rejects(serve(App.create({ locales: ['no tag!'] }), { port: 0, signals: [] }), RangeError)
    await assert.rejects(serve(App.create(), { port: server.port, signals: [] }), { code: 'EADDRINUSE' })
  })

  for (const origin of [
    'app.test',
    'ftp://app.test',
    'https://app.test/path',
    'https://app.test?x',
    'https://user@app.test',
    'javascript:x',
    '',
  ]) {
    it(`refuses ${JSON.stringify(origin)} for an origin`, async () => {
      await assert.rejects(serve(App.create(), { port: 0, signals: [], origin }), TypeError)
    })
  }
})

describe('where a request comes from', () => {
  it('is taken from connection and Host, and from nothing that a client forwards', async () => {
    await using server = await serving()

    const response = await request(server.port, [
      'GET /about?x=%2F&y HTTP/1.1',
      'Host: App.Test:81',
      'X-Forwarded-For: 1.2.3.4',
      'X-Forwarded-Proto: https',
      'X-Forwarded-Host: evil.test',
      'Forwarded: for=1.2.3.4;proto=https;host=evil.test',
      'Connection: close',
    ])

    assert.deepEqual(JSON.parse(response.body), [
      'http://app.test:81',
      false,
      '127.0.0.1',
      'http://app.test:81/about?x=%2F&y',
      '/about',
      'x=%2F&y',
    ])
  })

  it('is the origin that the application was given, whatever the connection is', async () => {
    await using server = await serving(ANSWERS, { serve: { origin: 'https://app.test' } })

    const response = await request(server.port, [
      'GET /about HTTP/1.1',
      'Host: app.test',
      'Connection: close',
    ])
    const cookies = await request(server.port, [
      'GET /cookies HTTP/1.1',
      'Host: app.test',
      'Connection: close',
    ])

    assert.deepEqual((JSON.parse(response.body) as unknown[]).slice(0, 4), [
      'https://app.test',
      true,
      '127.0.0.1',
      'https://app.test/about',
    ])
    assert.ok(
      values(cookies, 'set-cookie').some((line) => line.startsWith('__Host-sid=') && line.endsWith('Secure')),
    )
  })

  it('is a 400, and not an error, when the host makes no URL', async () => {
    await using server = await serving()

    for (const host of ['a%zz', '999.999.999.999', '1.2.3.4.5', '%00', 'a..b%']) {
      const response = await request(server.port, [
        'GET /about HTTP/1.1',
        `Host: ${host}`,
        'Connection: close',
      ])
      assert.equal(response.status, 400, host)
    }
  })
})

describe('what is refused before the application sees it', () => {
  for (const [what, lines, status] of [
    ['a doubled Host', ['GET / HTTP/1.1', HOST, 'Host: evil.test'], 400],
    ['a doubled Host, both the same', ['GET / HTTP/1.1', HOST, HOST], 400],
    ['no Host', ['GET / HTTP/1.1'], 400],
    ['an empty Host', ['GET / HTTP/1.1', 'Host:'], 400],
    ['a Host with a path', ['GET / HTTP/1.1', 'Host: app.test/evil'], 400],
    ['a Host with credentials', ['GET / HTTP/1.1', 'Host: user@app.test'], 400],
    ['a Host with a blank', ['GET / HTTP/1.1', 'Host: app.test evil.test'], 400],
    ['a Host with two ports', ['GET / HTTP/1.1', 'Host: app.test:80:81'], 400],
    ['a Host with an impossible port', ['GET / HTTP/1.1', 'Host: app.test:99999'], 400],
    ['a very long Host', ['GET / HTTP/1.1', `Host: ${'a'.repeat(300)}`], 400],
    [
      'a doubled Authorization',
      ['GET / HTTP/1.1', HOST, 'Authorization: Bearer a', 'authorization: Bearer b'],
      400,
    ],
    [
      'a doubled Content-Type',
      ['POST /echo HTTP/1.1', HOST, 'Content-Type: a/b', 'Content-Type: c/d', 'Content-Length: 0'],
      400,
    ],
    [
      'a doubled Content-Length',
      ['POST /echo HTTP/1.1', HOST, 'Content-Length: 0', 'Content-Length: 0'],
      400,
    ],
    [
      'length and chunks at once',
      ['POST /echo HTTP/1.1', HOST, 'Content-Length: 5', 'Transfer-Encoding: chunked'],
      400,
    ],
    ['an unknown transfer encoding', ['POST /echo HTTP/1.1', HOST, 'Transfer-Encoding: gzip'], 400],
    ['a negative length', ['POST /echo HTTP/1.1', HOST, 'Content-Length: -1'], 400],
    ['a length that is not a number', ['POST /echo HTTP/1.1', HOST, 'Content-Length: 0x5'], 400],
    ['a scheme-relative target', ['GET //evil.test/ HTTP/1.1', HOST], 400],
    ['an absolute target', ['GET http://evil.test/ HTTP/1.1', HOST], 400],
    ['a target that is not a path', ['GET evil HTTP/1.1', HOST], 400],
    ['a target with a fragment', ['GET /#x HTTP/1.1', HOST], 400],
    ['a target with a backslash', ['GET /\\evil.test HTTP/1.1', HOST], 400],
    ['a query with a backslash', ['GET /?\\x HTTP/1.1', HOST], 400],
    ['OPTIONS *', ['OPTIONS * HTTP/1.1', HOST], 400],
    ['TRACE', ['TRACE / HTTP/1.1', HOST], 405],
    ['CONNECT', ['CONNECT app.test:443 HTTP/1.1', HOST], 405],
    ['a blank in a header name', ['GET / HTTP/1.1', HOST, 'X Y: 1'], 400],
    ['a blank before the colon', ['GET / HTTP/1.1', HOST, 'Content-Length : 5'], 400],
    ['a folded header', ['GET / HTTP/1.1', HOST, 'X-A: 1', ' 2'], 400],
    ['a NUL in a header', ['GET / HTTP/1.1', HOST, 'X-A: a\0b'], 400],
    ['an unknown protocol', ['GET / HTTP/9.9', HOST], 400],
    ['headers over 16 KiB', ['GET / HTTP/1.1', HOST, `X-A: ${'a'.repeat(17_000)}`], 431],
    ['a target over 16 KiB', [`GET /${'a'.repeat(17_000)} HTTP/1.1`, HOST], 431],
  ] as const) {
    it(`answers ${status} to ${what}, closes the connection, and runs nothing`, async () => {
      const ran: string[] = []
      const answers = Object.fromEntries(
        Object.keys(ANSWERS).map((line) => [line, () => (ran.push(line), 'ran')]),
      )
      await using server = await serving(answers, {
        app: (app) =>
          app
            .middleware()
            .incoming({ process: (context: HttpContext, next) => (ran.push(context.path()), next()) }),
      })

      const text = await exchange(server.port, Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'))

      const response = parse(text)
      assert.equal(response.status, status)
      assert.deepEqual(
        values(response, 'connection').map((value) => value.toLowerCase()),
        ['close'],
      )
      assert.deepEqual(ran, [])
      assert.doesNotMatch(text, /evil/)
      assert.equal((await fetch(server.url)).status, 200)
    })
  }

  it('accepts a request of HTTP/1.0 without a Host', async () => {
    await using server = await serving()

    assert.equal((await request(server.port, ['GET / HTTP/1.0'])).status, 200)
  })
})

describe('bodies', () => {
  it('are read completely, in one piece or in chunks', async () => {
    await using server = await serving()
    const whole = await request(
      server.port,
      ['POST /echo HTTP/1.1', HOST, 'Content-Length: 5', 'Connection: close'],
      'hello',
    )
    const chunked = await request(
      server.port,
      ['POST /echo HTTP/1.1', HOST, 'Transfer-Encoding: chunked', 'Connection: close'],
      '3\r\nhel\r\n2\r\nlo\r\n0\r\n\r\n',
    )
    const form = await request(
      server.port,
      [
        'POST /form HTTP/1.1',
        HOST,
        'Content-Type: application/x-www-form-urlencoded',
        'Content-Length: 7',
        'Connection: close',
      ],
      'a=1&a=2',
    )

    assert.match(whole.body, /hello/)
    assert.match(chunked.body, /hello/)
    assert.deepEqual(JSON.parse(form.body), ['1', '2'])
  })

  for (const [what, lines, body] of [
    ['an announced body', ['Content-Length: 2000000'], 'x'.repeat(100_000)],
    ['an announced body that never comes', ['Content-Length: 2000000'], ''],
    ['chunks', ['Transfer-Encoding: chunked'], `${(60_000).toString(16)}\r\n${'x'.repeat(60_000)}\r\n`],
  ] as const) {
    for (const path of ['/echo', '/ignore', '/form']) {
      it(`413 with one Connection: close to ${what} over the limit, at ${path} [R-35]`, async () => {
        await using server = await serving(ANSWERS, { app: (app) => app.limits({ bodyBytes: 50_000 }) })

        const response = await request(
          server.port,
          [`POST ${path} HTTP/1.1`, HOST, 'Content-Type: application/x-www-form-urlencoded', ...lines],
          body,
        )

        assert.equal(response.status, 413)
        assert.deepEqual(values(response, 'connection'), ['close'])
      })
    }
  }

  it('do not cut off the response to a head that is refused while they come [R-35]', async () => {
    await using server = await serving()
    const socket = connect({ port: server.port, host: '127.0.0.1', allowHalfOpen: true })
    let answer = ''
    let isReset = false
    socket.setEncoding('latin1').on('data', (chunk: string) => (answer += chunk))
    socket.on('error', () => (isReset = true))
    socket.write(`POST //echo HTTP/1.1\r\n${HOST}\r\nContent-Length: 1000\r\n\r\nx`)
    await once(socket, 'end')

    // A connection that is closed whole answers what still comes with a reset.
    for (let i = 0; i < 20 && !socket.destroyed; i++) {
      socket.write('x')
      await new Promise((resolve) => setTimeout(resolve, 5))
    }

    assert.match(answer, /^HTTP\/1\.1 400 [^]*\r\nconnection: close\r\n/i)
    assert.equal(isReset, false)
    socket.destroy()
  })

  it('that are not read end the connection when they are incomplete', async () => {
    await using server = await serving()

    const [whole, part] = [
      await exchange(
        server.port,
        `POST /ignore HTTP/1.1\r\n${HOST}\r\nContent-Length: 5\r\n\r\nhelloGET / HTTP/1.1\r\n${HOST}\r\nConnection: close\r\n\r\n`,
      ),
      await exchange(
        server.port,
        `POST /ignore HTTP/1.1\r\n${HOST}\r\nContent-Length: 50000\r\n\r\nGET / HTTP/1.1\r\n${HOST}\r\n\r\n`,
      ),
    ]

    assert.equal(part.split('HTTP/1.1 200 OK').length, 2)
    assert.deepEqual(values(parse(part), 'connection'), ['close'])
    assert.ok(whole.split('HTTP/1.1 200 OK').length >= 2)
  })

  it('of a client that disconnects end the request, even if it left before the body was read [R-39]', async () => {
    const ends: string[] = []
    const arrived = Promise.withResolvers<void>()
    const gone = Promise.withResolvers<void>()
    const answers: Answers = {
      'POST /now': async (context) => {
        arrived.resolve()
        await context.form().then(
          () => ends.push('read'),
          (error: unknown) => ends.push((error as Error).name),
        )
        return ''
      },
      'POST /late': async (context) => {
        arrived.resolve()
        await gone.promise
        await context.form().then(
          () => ends.push('read'),
          (error: unknown) => ends.push((error as Error).name),
        )
        return ''
      },
    }
    await using server = await serving(answers)
    for (const path of ['/now', '/late']) {
      const socket = await open(server.port)
      socket.write(
        `POST ${path} HTTP/1.1\r\n${HOST}\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 100\r\n\r\na=1`,
      )
      await new Promise((resolve) => setTimeout(resolve, 50))
      socket.destroy()
    }
    await new Promise((resolve) => setTimeout(resolve, 50))
    gone.resolve()
    await new Promise((resolve) => setTimeout(resolve, 50))

    assert.deepEqual(ends, ['BadRequestException', 'BadRequestException'])
  })
})

describe('streams', () => {
  it('are sent chunk by chunk, as fast as the client reads them', async () => {
    let pulled = 0
    const chunk = new Uint8Array(65_536).fill(120)
    const warnings: Error[] = []
    const warn = (warning: Error): void => void warnings.push(warning)
    process.on('warning', warn)
    await using server = await serving({
      'GET /': () =>
        new Response(
          new ReadableStream<Uint8Array>(
            {
              pull(controller) {
                if (++pulled > 400) controller.close()
                else controller.enqueue(chunk)
              },
            },
            { highWaterMark: 0 },
          ),
        ),
    })
    const socket = await open(server.port)
    socket.pause()
    socket.write(`GET / HTTP/1.1\r\n${HOST}\r\nConnection: close\r\n\r\n`)
    await new Promise((resolve) => setTimeout(resolve, 100))
    const before = pulled
    let size = 0
    socket.on('data', (data: Buffer) => (size += data.byteLength))
    socket.resume()
    await once(socket, 'close')
    await new Promise((resolve) => setImmediate(resolve))
    process.off('warning', warn)

    assert.ok(before < 400, `${before} pieces were pulled for a client that reads none`)
    assert.ok(size > 400 * chunk.byteLength)
    assert.deepEqual(warnings, [])
  })

  it('are cancelled when the client disconnects, even while it reads nothing [R-39]', async () => {
    let cancelled = 0
    const both = Promise.withResolvers<void>()
    const cancel = (): void => {
      if (++cancelled === 2) both.resolve()
    }
    await using server = await serving({
      'GET /slow': () =>
        new Response(
          new ReadableStream({
            start: (controller) => controller.enqueue(Buffer.from('x')),
            cancel,
          }),
        ),
      'GET /fast': () =>
        new Response(
          new ReadableStream({
            pull: (controller) => controller.enqueue(new Uint8Array(65_536)),
            cancel,
          }),
        ),
    })
    for (const path of ['/slow', '/fast']) {
      const socket = await open(server.port)
      socket.pause()
      socket.write(`GET ${path} HTTP/1.1\r\n${HOST}\r\n\r\n`)
      await new Promise((resolve) => setTimeout(resolve, 50))
      socket.destroy()
    }
    await both.promise

    assert.equal(cancelled, 2)
  })

  it('that fail cut the connection: a client never takes the part for the whole', async () => {
    await using server = await serving({
      'GET /': () =>
        new Response(
          new ReadableStream({
            start(controller) {
              controller.enqueue(Buffer.from('part'))
            },
            pull() {
              throw new Error('disk')
            },
          }),
        ),
    })

    await assert.rejects(fetch(server.url).then((response) => response.text()))
    assert.equal((await fetch(server.url).catch(() => null)) !== undefined, true)
  })
})

describe('Server.close()', () => {
  it('lets the pending request finish, tells its client to close, then closes the application [R-28]', async () => {
    const arrived = Promise.withResolvers<void>()
    const finish = Promise.withResolvers<void>()
    const order: string[] = []
    const server = await serving(
      {
        'GET /': async () => {
          arrived.resolve()
          await finish.promise
          order.push('answered')
          return 'done'
        },
      },
      {
        app: (app) => app.onClose(() => void order.push('application closed')),
        serve: { drainMilliseconds: 5000 },
      },
    )
    const answer = exchange(server.port, `GET / HTTP/1.1\r\n${HOST}\r\n\r\n`)
    await arrived.promise

    const closing = server.close()
    await assert.rejects(fetch(server.url))
    finish.resolve()
    await within(4000, closing)

    const response = parse(await answer)
    assert.deepEqual([response.status, response.body], [200, 'done'])
    assert.deepEqual(values(response, 'connection'), ['close'])
    assert.deepEqual(order, ['answered', 'application closed'])
  })

  it('closes idle connections at once, and is called twice without harm', async () => {
    const server = await serving(ANSWERS, { serve: { drainMilliseconds: 10_000 } })
    const socket = await open(server.port)
    socket.write(`GET / HTTP/1.1\r\n${HOST}\r\n\r\n`)
    await once(socket, 'data')

    await within(3000, Promise.all([server.close(), server.close(), once(socket, 'close')]))
  })

  it('closes a connection whose response had begun before, when that has ended [R-28]', async () => {
    const begun = Promise.withResolvers<void>()
    const finish = Promise.withResolvers<void>()
    const body = new ReadableStream<Uint8Array>({
      async start(controller) {
        controller.enqueue(Buffer.from('begun'))
        begun.resolve()
        await finish.promise
        controller.close()
      },
    })
    const server = await serving(
      { 'GET /': () => new Response(body) },
      { serve: { drainMilliseconds: 10_000 } },
    )
    const socket = await open(server.port)
    socket.write(`GET / HTTP/1.1\r\n${HOST}\r\n\r\n`)
    await once(socket, 'data')
    await begun.promise

    const closing = server.close()
    finish.resolve()
    await within(3000, Promise.all([closing, once(socket, 'close')]))
  })

  it('gives up on requests that never end', async () => {
    const server = await serving(
      { 'GET /': () => new Promise(() => undefined) },
      { serve: { drainMilliseconds: 50 } },
    )
    const answer = exchange(server.port, `GET / HTTP/1.1\r\n${HOST}\r\n\r\n`)
    await new Promise((resolve) => setTimeout(resolve, 30))

    await server.close()

    assert.equal(await answer, '')
  })

  it('handles the signals it was given, and leaves the process without listeners', async () => {
    const before = process.listenerCount('SIGWINCH')
    const closed = Promise.withResolvers<void>()
    await serving(ANSWERS, {
      app: (app) => app.onClose(() => closed.resolve()),
      serve: { signals: ['SIGWINCH'] },
    })
    assert.equal(process.listenerCount('SIGWINCH'), before + 1)

    process.kill(process.pid, 'SIGWINCH')
    await closed.promise

    assert.equal(process.listenerCount('SIGWINCH'), before)
  })
})
