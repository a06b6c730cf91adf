import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { get } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { brotliDecompressSync, createGunzip, gunzipSync, gzipSync, zstdDecompressSync } from 'node:zlib'

import { App, eventStream } from 'sallyport'
import { StaticFiles } from 'sallyport/files'
import { Compression } from 'sallyport/middleware'
import { serve } from 'sallyport/node'
import { TestClient } from 'sallyport/testing'

import { type Answers, Faults, site } from '../app/fixture.ts'
import { within } from '../node/raw.ts'
import { onThisMachine } from '../../packages/sallyport-app/src/testing/on-this-machine.ts'

type Options = ConstructorParameters<typeof Compression>[0]

const TEXT = 'Once upon a time, é✓. '.repeat(200)
const BYTES = Buffer.from(TEXT)
const DECODERS = { zstd: zstdDecompressSync, br: brotliDecompressSync, gzip: gunzipSync } as const

function compressing(answers: Answers, options: Options = {}): App {
  const app = site(answers)
  app.middleware().outgoing(new Compression(options))
  return app
}

/** Waits until a condition is met, three seconds of a quiet machine at most. */
async function eventually(condition: () => boolean): Promise<void> {
  const end = performance.now() + onThisMachine(3000)
  while (!condition()) {
    assert.ok(performance.now() < end, 'it did not happen in time')
    await pause(5)
  }
}

const accept = (codings: string) => ({ headers: { 'accept-encoding': codings } })

const plain = (
  body: ConstructorParameters<typeof Response>[0],
  headers: Record<string, string> = {},
  status = 200,
) => new Response(body, { status, headers: { 'content-type': 'text/plain', ...headers } })

describe('Compression', () => {
  it('sends text, bytes, JSON and streams in each coding, as they were when decoded [PAGE-11]', async () => {
    const answers: Answers = {
      'GET /html': () => TEXT,
      'GET /json': () => ({ text: TEXT }),
      'GET /bytes': () => plain(BYTES),
      'GET /stream': () => plain(ReadableStream.from([BYTES.subarray(0, 5), BYTES.subarray(5)])),
      'GET /large': () => plain(TEXT.repeat(100)),
    }
    const expected: Readonly<Record<string, string>> = {
      '/json': JSON.stringify({ text: TEXT }),
      '/large': TEXT.repeat(100),
    }
    const client = new TestClient(compressing(answers))
    for (const [coding, decode] of Object.entries(DECODERS))
      for (const path of ['/html', '/json', '/bytes', '/stream', '/large']) {
        const response = await client.get(path, accept(coding))
        const body = Buffer.from(await response.arrayBuffer())

        assert.equal(response.headers.get('content-encoding'), coding)
        assert.equal(response.headers.get('vary'), 'Accept-Encoding')
        const length = response.headers.get('content-length')
        assert.ok(length === null || Number(length) === body.length)
        assert.equal(decode(body).toString(), expected[path] ?? TEXT, `${coding} ${path}`)
        assert.ok(body.length < 2000)
      }
  })

  it('takes the coding that the client prefers, and of equal ones zstd, then br, then gzip [PAGE-11]', async () => {
    const rows: readonly [string | null, string | null][] = [
      ['gzip, deflate, br, zstd', 'zstd'],
      ['gzip, deflate, br', 'br'],
      ['gzip', 'gzip'],
      ['GZip', 'gzip'],
      ['gzip;q=1.0, br;q=0.5, zstd;q=0.1', 'gzip'],
      ['br;q=0.001', 'br'],
      ['zstd;q=0, br;q=0, *', 'gzip'],
      ['*', 'zstd'],
      ['*;q=0', null],
      ['gzip;q=0', null],
      ['identity', null],
      ['identity;q=1, gzip;q=0.5', null],
      ['identity;q=0', null],
      ['deflate, compress', null],
      ['', null],
      [null, null],
      [';;;,,=', null],
      [`gzip${', x'.repeat(1000)}`, null],
    ]
    const client = new TestClient(compressing({ 'GET /': () => TEXT }))
    for (const [codings, chosen] of rows) {
      const response = await client.get('/', codings === null ? {} : accept(codings))

      assert.equal(response.status, 200)
      assert.equal(response.headers.get('content-encoding'), chosen, String(codings))
      assert.equal(response.headers.get('vary'), 'Accept-Encoding', 'a cache must know also of the plain one')
    }
    const own = new TestClient(compressing({ 'GET /': () => TEXT }, { codings: ['gzip', 'br'] }))
    assert.equal((await own.get('/', accept('zstd, br, gzip'))).headers.get('content-encoding'), 'gzip')
    assert.equal((await own.get('/', accept('zstd'))).headers.get('content-encoding'), null)
  })

  it('leaves alone what is small, compressed, marked or a part [PAGE-11]', async () => {
    const answers: Answers = {
      'GET /small': () => 'x'.repeat(1023),
      'GET /image': () => plain(BYTES, { 'content-type': 'image/png' }),
      'GET /untyped': () => new Response(BYTES),
      'GET /encoded': () => plain(BYTES, { 'content-encoding': 'br' }),
      'GET /marked': () => plain(TEXT, { 'cache-control': 'private, No-Transform' }),
      'GET /part': () => plain(TEXT, { 'content-range': 'bytes 0-9/10' }, 206),
      'GET /digest': () => plain(TEXT, { 'content-digest': 'sha-256=:AA==:' }),
      'GET /empty': () => plain(null, {}, 204),
    }
    const client = new TestClient(compressing(answers))
    const bare = new TestClient(site(answers))
    for (const line of Object.keys(answers)) {
      const [, path = ''] = line.split(' ')
      const [response, untouched] = [await client.get(path, accept('gzip')), await bare.get(path)]

      assert.deepEqual([...response.headers], [...untouched.headers], path)
      assert.deepEqual(await response.bytes(), await untouched.bytes(), path)
    }
    const all = new TestClient(compressing(answers, { minBytes: 0 }))
    assert.equal((await all.get('/small', accept('gzip'))).headers.get('content-encoding'), 'gzip')
  })

  it('PAGE-11 PAGE-12: leaves event streams alone, which arrive event by event', async (t) => {
    const app = compressing({
      'GET /own': () => plain(TEXT, { 'content-type': 'text/event-stream; charset=utf-8' }),
      'GET /events': (context) =>
        eventStream(context, async function* () {
          yield { data: TEXT }
          await pause(1_000_000, undefined, { signal: context.signal })
        }),
    })
    const server = await serve(app, { port: 0, signals: [], drainMilliseconds: 200 })
    t.after(() => server.close())
    assert.equal((await fetch(`${server.url}/own`)).headers.get('content-encoding'), null)

    const response = await fetch(`${server.url}/events`, accept('gzip, br, zstd'))

    assert.equal(response.headers.get('content-encoding'), null)
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
    let text = ''
    while (!text.includes(`data: ${TEXT}\n`))
      text += (await within(2000, Promise.resolve(reader?.read())))?.value ?? ''
    await reader?.cancel()
  })

  it('weakens a strong ETag, keeps a weak one, and lets no range of the coded bytes be asked for [PAGE-11]', async () => {
    const client = new TestClient(
      compressing({
        'GET /strong': () => plain(TEXT, { etag: '"1"', 'accept-ranges': 'bytes' }),
        'GET /weak': () => plain(TEXT, { etag: 'W/"1"', vary: 'Accept, accept-encoding' }),
        'GET /known': () => new Response(null, { status: 304, headers: { etag: '"1"' } }),
      }),
    )

    const strong = await client.get('/strong', accept('br'))
    assert.equal(strong.headers.get('etag'), 'W/"1"')
    assert.equal(strong.headers.get('accept-ranges'), null)
    const plainOne = await client.get('/strong')
    assert.equal(plainOne.headers.get('etag'), '"1"')
    assert.equal(plainOne.headers.get('accept-ranges'), 'bytes')
    const weak = await client.get('/weak', accept('br'))
    assert.deepEqual(
      [weak.headers.get('etag'), weak.headers.get('vary')],
      ['W/"1"', 'Accept, accept-encoding'],
    )
    const known = await client.get('/known', accept('br'))
    assert.deepEqual([known.status, known.headers.get('vary')], [304, 'Accept-Encoding'])
    assert.equal(known.headers.get('content-encoding'), null)
  })

  it('compresses static files without a compressed one beside them, and keeps their validators useful [PAGE-11]', async (t) => {
    const folder = await mkdtemp(join(tmpdir(), 'sallyport-compression-'))
    t.after(() => rm(folder, { recursive: true }))
    await writeFile(join(folder, 'plain.css'), TEXT)
    await writeFile(join(folder, 'packed.css'), TEXT)
    await writeFile(join(folder, 'packed.css.gz'), gzipSync(TEXT, { level: 9 }))
    const files = new StaticFiles({
      directory: pathToFileURL(`${folder}/`),
      at: '/assets',
      fingerprint: true,
    })
    const app = App.default().modules(files)
    app.middleware().outgoing(Compression)
    const client = new TestClient(app)

    const full = await client.get('/assets/plain.css', accept('gzip'))
    const etag = full.headers.get('etag') ?? ''
    assert.equal(full.headers.get('content-encoding'), 'gzip')
    assert.match(etag, /^W\//)
    assert.equal(gunzipSync(await full.arrayBuffer()).toString(), TEXT)
    const again = await client.get('/assets/plain.css', {
      headers: { 'accept-encoding': 'gzip', 'if-none-match': etag },
    })
    assert.deepEqual([again.status, again.headers.get('vary')], [304, 'Accept-Encoding'])
    const part = await client.get('/assets/plain.css', {
      headers: { 'accept-encoding': 'gzip', range: 'bytes=0-3', 'if-range': etag },
    })
    assert.equal(part.status, 200, 'a weak tag asks for no part')
    const packed = await client.get('/assets/packed.css', accept('gzip'))
    assert.equal(packed.headers.get('content-encoding'), 'gzip')
    assert.doesNotMatch(packed.headers.get('etag') ?? '', /^W\//)
    assert.equal(gunzipSync(await packed.arrayBuffer()).toString(), TEXT)
  })

  it('gives HEAD the headers of GET and no body [PAGE-11]', async (t) => {
    const server = await serve(compressing({ 'GET /': () => TEXT, 'GET /small': () => 'hi' }), {
      port: 0,
      signals: [],
    })
    t.after(() => server.close())

    for (const path of ['/', '/small']) {
      const [head, full] = await Promise.all([
        fetch(server.url + path, { method: 'HEAD', ...accept('br') }),
        fetch(server.url + path, accept('br')),
      ])
      assert.equal(await head.text(), '')
      for (const name of ['content-encoding', 'vary', 'content-type'])
        assert.equal(head.headers.get(name), full.headers.get(name), `${path} ${name}`)
      const length = head.headers.get('content-length')
      if (length !== null) assert.equal(length, full.headers.get('content-length'))
    }
  })

  it('sends each piece of a stream when it comes [PAGE-11]', async (t) => {
    const gate = Promise.withResolvers<void>()
    const app = compressing({
      'GET /': () =>
        plain(
          ReadableStream.from(
            (async function* () {
              yield Buffer.from('first')
              await gate.promise
              yield Buffer.from('second')
            })(),
          ),
        ),
    })
    const server = await serve(app, { port: 0, signals: [] })
    t.after(() => server.close())
    let text = ''
    const ended = new Promise<void>((resolve, reject) => {
      get(server.url, accept('gzip'), (message) => {
        const decoded = message.pipe(createGunzip())
        decoded.on('data', (piece: Buffer) => (text += piece.toString()))
        decoded.on('end', resolve).on('error', reject)
      }).on('error', reject)
    })

    await eventually(() => text === 'first')
    gate.resolve()
    await ended

    assert.equal(text, 'firstsecond')
  })

  it('takes no more of a stream than its client, and ends it when the client leaves [PAGE-11]', async (t) => {
    let taken = 0
    let isCancelled = false
    const app = compressing({
      'GET /': () =>
        plain(
          new ReadableStream<Uint8Array>(
            {
              async pull(controller) {
                taken += 1
                await pause(0)
                controller.enqueue(randomBytes(65_536))
              },
              cancel: () => void (isCancelled = true),
            },
            { highWaterMark: 0 },
          ),
        ),
    })
    const server = await serve(app, { port: 0, signals: [], drainMilliseconds: 200 })
    t.after(() => server.close())
    const leave = new AbortController()
    await fetch(server.url, { ...accept('zstd'), signal: leave.signal })
    // The buffers between the two fill up, in a time that depends on the machine.
    const counts = [-1]
    while (counts.at(-1) !== counts.at(-2) && counts.length < 100) {
      await pause(300)
      counts.push(taken)
    }

    assert.ok(taken < 1000, `${taken} pieces of 64 KiB were taken`)
    leave.abort()
    await eventually(() => isCancelled)
  })

  it('cuts off a stream that fails, and reports its error once [PAGE-11]', async (t) => {
    const faults = new Faults()
    const app = compressing({
      'GET /': () =>
        plain(
          ReadableStream.from(
            (async function* () {
              yield BYTES
              await pause(20)
              throw new Error('disk')
            })(),
          ),
        ),
    })
    faults.listen(app)
    const server = await serve(app, { port: 0, signals: [] })
    t.after(() => server.close())

    const response = await fetch(server.url, accept('gzip'))
    await assert.rejects(response.text())

    assert.deepEqual(faults.messages, ['disk'])
  })

  it('keeps cookies and security headers, and brings none back that was removed [PAGE-11]', async () => {
    const app = site({
      'GET /': (context) => {
        context.cookies().set('a', '1')
        context.cookies().set('b', '2')
        return TEXT
      },
    })
    app
      .middleware()
      .outgoing({
        process(response: Response) {
          response.headers.delete('x-frame-options')
          return response
        },
      })
      .outgoing(Compression)

    const response = await app.fetch(new Request('http://app.test/', accept('br')))

    assert.equal(response.headers.get('content-encoding'), 'br')
    assert.equal(response.headers.getSetCookie().length, 2)
    assert.notEqual(response.headers.get('content-security-policy'), null)
    assert.equal(response.headers.get('x-frame-options'), null)
  })

  it('compresses error pages as well, and a value that the application reuses each time anew [PAGE-11]', async () => {
    const shared = { text: TEXT }
    const client = new TestClient(compressing({ 'GET /': () => shared }, { minBytes: 100 }))

    for (const path of ['/', '/', '/nothing']) {
      const response = await client.get(path, accept('gzip'))
      assert.equal(response.headers.get('content-encoding'), 'gzip', path)
      assert.ok(gunzipSync(await response.arrayBuffer()).length > 100)
    }
  })

  it('refuses sizes and codings that are none, and an unknown option [PAGE-11]', () => {
    for (const minBytes of [-1, 0.5, NaN]) assert.throws(() => new Compression({ minBytes }), RangeError)
    for (const codings of [[], ['deflate'], 'gzip', [undefined]])
      assert.throws(() => new Compression({ codings: codings as never }), TypeError)
    assert.throws(() => new Compression({ threshold: 1 } as never), TypeError)
  })
})
