import assert from 'node:assert/strict'
import { once } from 'node:events'
import { describe, it, type TestContext } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import type { App, HttpContext } from 'sallyport'
import { serve, type Server } from 'sallyport/node'

import { type Answers, Faults, site } from '../app/fixture.ts'
import { exchange, open, parse, request } from './raw.ts'

const HOST = 'Host: app.test'
const FORM = 'Content-Type: application/x-www-form-urlencoded'

const ANSWERS: Answers = {
  'POST|PUT /echo': (context: HttpContext) => new Response(context.request().body),
  'POST /upper': (context: HttpContext) => {
    const upper = new TransformStream<Uint8Array, Uint8Array>({
      transform: (piece, controller) =>
        controller.enqueue(Buffer.from(String(Buffer.from(piece)).toUpperCase())),
    })
    return new Response(context.request().body?.pipeThrough(upper) ?? null)
  },
  'POST /other': (context: HttpContext) => {
    context.request()
    return new Response(ReadableStream.from([Buffer.from('other')]))
  },
  'POST /form': async (context) => (await context.form())?.text('a') ?? 'none',
  'GET|POST /ignore': () => 'ignored',
  'GET /form': async (context) => (await context.form())?.text('a') ?? 'none',
  'GET /': () => 'hi',
}

function application(limit = 32 * 2 ** 20): App {
  return site(ANSWERS, {
    configure: (app) => {
      new Faults().listen(app)
      app.limits({ bodyBytes: limit })
    },
  })
}

async function serving(t: TestContext, limit?: number): Promise<Server> {
  const server = await serve(application(limit), { port: 0, signals: [], drainMilliseconds: 200 })
  t.after(() => server.close())
  return server
}

function stream(bytes: Uint8Array, size: number): ReadableStream<Uint8Array> {
  let start = 0
  return new ReadableStream({
    pull(controller) {
      if (start >= bytes.byteLength) return controller.close()
      controller.enqueue(bytes.slice(start, (start += size)))
    },
  })
}

describe('a response made from the request body', () => {
  for (const size of [0, 1, 70_000, 200_000, 5_000_000]) {
    const bytes = Buffer.alloc(size, 'abcdefghijk')
    const bodies: Readonly<Record<string, () => RequestInit>> = {
      announced: () => ({ body: bytes }),
      'in chunks': () => ({ body: stream(bytes, 30_000), duplex: 'half' }),
    }
    for (const [how, body] of Object.entries(bodies)) {
      it(`is sent completely, of ${size} bytes ${how}, under serve() as under fetch() [HOLD-51]`, async (t) => {
        const server = await serving(t)
        const app = application()

        for (const path of ['/echo', '/upper']) {
          const wired = await fetch(`${server.url}${path}`, { method: 'POST', ...body() })
          const direct = await app.fetch(new Request(`http://app.test${path}`, { method: 'POST', ...body() }))
          const expected = path === '/echo' ? bytes : Buffer.from(String(bytes).toUpperCase())
          assert.ok(expected.equals(Buffer.from(await wired.arrayBuffer())), path)
          assert.ok(expected.equals(Buffer.from(await direct.arrayBuffer())), path)
        }
      })
    }
  }

  it('leaves its connection to the next request [HOLD-51]', async (t) => {
    const server = await serving(t)
    const body = 'x'.repeat(300_000)
    const post = (path: string, last = ''): string =>
      `POST ${path} HTTP/1.1\r\n${HOST}\r\nContent-Length: ${body.length}\r\n${last}\r\n${body}`

    const text = await exchange(
      server.port,
      post('/echo') + post('/other') + post('/ignore', 'Connection: close\r\n'),
    )

    assert.equal(text.split('HTTP/1.1 200 OK').length, 4)
    assert.match(text, /other/)
    assert.match(text, /ignored$/)
  })

  it('is cut off when the client disconnects, and nothing else is [HOLD-51]', async (t) => {
    const server = await serving(t)
    const socket = await open(server.port)
    socket.on('error', () => undefined)
    socket.write(`POST /echo HTTP/1.1\r\n${HOST}\r\nContent-Length: 300000\r\n\r\n${'x'.repeat(100_000)}`)
    await pause(50)
    socket.resetAndDestroy()

    assert.equal((await fetch(server.url)).status, 200)
  })
})

describe('a client that disconnects while its body is the response', () => {
  const broken = (): RequestInit => {
    const body = new ReadableStream({
      async pull(controller) {
        controller.enqueue(Buffer.from('abc'))
        await pause(5)
        controller.error(new Error('gone'))
      },
    })
    return { method: 'POST', headers: { 'content-length': '100' }, body, duplex: 'half' }
  }

  it('is not an error of the application, under serve() as under fetch() [HOLD-51]', async (t) => {
    const faults = new Faults()
    const app = site(ANSWERS, { configure: faults.listen })
    const server = await serve(app, { port: 0, signals: [], drainMilliseconds: 200 })
    t.after(() => server.close())

    const direct = await app.fetch(new Request('http://app.test/echo', broken()))
    await assert.rejects(direct.text(), /could not be read/)
    for (const leave of ['end', 'destroy', 'resetAndDestroy'] as const) {
      const socket = await open(server.port)
      socket.on('error', () => undefined)
      socket.write(`POST /echo HTTP/1.1\r\n${HOST}\r\nContent-Length: 100\r\n\r\nabc`)
      await pause(20)
      socket[leave]()
      await pause(20)
      socket.destroy()
    }

    assert.deepEqual(faults.messages, [])
  })
})

describe('a body of unknown length', () => {
  const chunked = (
    method: string,
    path: string,
    chunks: string,
  ): Promise<ReturnType<typeof parse>[]> | string =>
    `${method} ${path} HTTP/1.1\r\n${HOST}\r\n${FORM}\r\nTransfer-Encoding: chunked\r\n\r\n${chunks}`
  const small = '1\r\na\r\n1\r\n=\r\n1\r\n1\r\n0\r\n\r\n'

  it('is discarded when nothing reads it, and its connection continues [HOLD-04]', async (t) => {
    const server = await serving(t)
    const last = `GET / HTTP/1.1\r\n${HOST}\r\nConnection: close\r\n\r\n`
    const sent = ['/nowhere', '/ignore', '/form', '/echo']
      .map((path) => chunked('POST', path, small))
      .join('')

    const text = await exchange(server.port, `${sent}${chunked('GET', '/form', small) as string}${last}`)

    const statuses = [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status)
    assert.deepEqual(statuses, ['404', '200', '200', '200', '200', '200'])
    // The body of a GET has no meaning.
    assert.match(text, /ignored[^]*\r\n\r\n1HTTP[^]*a=1[^]*none[^]*hi$/)
  })

  it('over the limit is a 413 that runs no action, wherever it was sent [R-35]', async (t) => {
    const ran: string[] = []
    const answers = Object.fromEntries(
      Object.keys(ANSWERS).map((line) => [line, () => (ran.push(line), 'ran')]),
    )
    const server = await serve(site(answers, { configure: (app) => app.limits({ bodyBytes: 10 }) }), {
      port: 0,
      signals: [],
    })
    t.after(() => server.close())
    for (const line of ['POST /form', 'POST /ignore', 'GET /ignore', 'POST /nowhere', 'PUT /ignore']) {
      const [method = '', path = ''] = line.split(' ')
      const text = await exchange(
        server.port,
        chunked(method, path, '8\r\n12345678\r\n8\r\n12345678\r\n') as string,
      )
      assert.equal(parse(text).status, 413, line)
    }

    assert.deepEqual(ran, [])
  })

  it('cannot be read after it was discarded [HOLD-04]', async () => {
    const late = Promise.withResolvers<unknown>()
    const app = site(ANSWERS, {
      configure: (configured) =>
        configured.onTerminate((context) => context.request().text().then(late.resolve, late.reject)),
    })

    await app.fetch(new Request('http://app.test/nowhere', { method: 'POST', body: 'a' }))

    await assert.rejects(late.promise, /nothing had begun to read the body/)
  })

  it('is that of the request that a middleware passes on, read or not [HOLD-04]', async () => {
    for (const isRead of [false, true]) {
      const app = site(ANSWERS, {
        configure: (configured) =>
          configured.middleware().incoming({
            process: async (context: HttpContext, next) => {
              const copy = new Request(context.request())
              if (isRead) await copy.text()
              return next(copy)
            },
          }),
      })
      const answer = await app.fetch(new Request('http://app.test/ignore', { method: 'POST', body: 'a' }))
      assert.equal(await answer.text(), 'ignored')
    }
  })
})

describe('a client that expects to be asked for its body', () => {
  const expecting = (path: string, length: number): string =>
    `POST ${path} HTTP/1.1\r\n${HOST}\r\n${FORM}\r\nExpect: 100-continue\r\nContent-Length: ${length}\r\n\r\n`

  it('is invited by the code that reads it', async (t) => {
    const server = await serving(t)
    const socket = await open(server.port)
    let text = ''
    socket.setEncoding('latin1').on('data', (piece: string) => (text += piece))
    socket.write(expecting('/form', 3))
    await once(socket, 'data')
    assert.equal(text, 'HTTP/1.1 100 Continue\r\n\r\n')
    socket.write('a=1')
    await once(socket, 'data')
    socket.destroy()

    assert.match(text, /HTTP\/1\.1 200 OK[^]*1$/)
  })

  for (const [what, path, length, status] of [
    ['too large', '/form', 10 ** 9, 413],
    ['sent nowhere', '/nowhere', 3, 404],
    ['read by nobody', '/ignore', 3, 200],
  ] as const) {
    it(`is not invited for one that is ${what}`, async (t) => {
      const server = await serving(t)

      const answer = await request(server.port, [expecting(path, length).trimEnd()])

      assert.equal(answer.status, status)
    })
  }
})
