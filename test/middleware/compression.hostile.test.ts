import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { brotliDecompressSync, gunzipSync, gzipSync, zstdDecompressSync } from 'node:zlib'
import { Compression } from 'sallyport/middleware'
import { TestClient } from 'sallyport/testing'
import { type Answers, site } from '../app/fixture.ts'
import { onThisMachine } from '../../packages/sallyport-app/src/testing/on-this-machine.ts'

const TEXT = 'Once upon a time, é✓. '.repeat(200)
const DECODERS: Readonly<Record<string, (bytes: Uint8Array) => Buffer>> = {
  zstd: zstdDecompressSync,
  br: brotliDecompressSync,
  gzip: gunzipSync,
}

/** Headers that clients send to confuse or to slow down what reads them. */
const HOSTILE: readonly string[] = [
  '__proto__',
  'constructor, toString, hasOwnProperty, gzip',
  '__proto__;q=1, br;q=0.5',
  'gzip;q=NaN',
  'gzip;q=-1',
  'gzip;q=1e400',
  'gzip;q=0x1',
  'gzip;q=0.0000000000000000001',
  'gzip;q=1;q=0',
  'gzip;q=";q=1"',
  'gzip;q',
  'gzip;;;;q=1',
  'gzip q=1',
  '*;q=0, gzip;q=0, br;q=0, zstd;q=0, identity;q=0',
  'identity;q=0, *;q=0',
  '"gzip"',
  'x-gzip',
  'gzip\t,\tbr',
  '\u00e9\u00ff, gzip',
  ',,,,,,gzip,,,,,',
  'zstd'.repeat(100),
  Array.from({ length: 400 }, (_, i) => `c${i};q=0.${i % 10}`).join(','),
  `gzip${';q=0'.repeat(300)}`,
  `gzip;q=${'0'.repeat(10_000)}1`,
  `${' '.repeat(10_000)}gzip`,
  `gzip${', x'.repeat(4000)}`,
  `${'gzip;q=0.1,'.repeat(4000)}br`,
  `${'\t \t '.repeat(4000)};q=1`,
  ';'.repeat(15_000),
  ','.repeat(15_000),
  '*'.repeat(15_000),
]

function client(answers: Answers, isCompressing = true): TestClient {
  const app = site(answers)
  if (isCompressing) app.middleware().outgoing(new Compression({ minBytes: 0 }))
  return new TestClient(app)
}

async function decoded(response: Response): Promise<Buffer> {
  const coding = response.headers.get('content-encoding')
  const bytes = new Uint8Array(await response.arrayBuffer())
  if (coding === null) return Buffer.from(bytes)
  const decode = DECODERS[coding]
  assert.ok(decode, `the coding ${coding}`)
  return decode(bytes)
}

describe('Compression against clients', () => {
  it('sends what the client can read, whatever it says that it accepts [PAGE-11]', async () => {
    const browser = client({ 'GET /': () => TEXT })
    const begun = process.cpuUsage()

    for (const accepted of HOSTILE) {
      const response = await browser.get('/', { headers: { 'accept-encoding': accepted } })

      assert.equal(response.status, 200, accepted.slice(0, 40))
      const coding = response.headers.get('content-encoding')
      if (coding !== null) assert.ok(/gzip|br|\*/i.test(accepted), `${coding} for ${accepted.slice(0, 40)}`)
      assert.equal((await decoded(response)).toString(), TEXT, accepted.slice(0, 40))
      assert.equal(response.headers.get('vary'), 'Accept-Encoding')
    }

    // 32 requests of some 16 KB: a reader with quadratic time takes seconds for a single one.
    const { user, system } = process.cpuUsage(begun)
    assert.ok((user + system) / 1000 < onThisMachine(2000), `${(user + system) / 1000} ms`)
  })

  it('does not compress again what is compressed, by its type or its coding [PAGE-11]', async () => {
    const bytes = gzipSync(TEXT)
    for (const type of [
      'application/gzip',
      'application/zip',
      'application/zstd',
      'application/pdf',
      'application/octet-stream',
      'font/woff2',
      'image/jpeg',
      'image/webp',
      'audio/mpeg',
      'video/mp4',
    ]) {
      const browser = client({ 'GET /': () => new Response(bytes, { headers: { 'content-type': type } }) })
      const response = await browser.get('/', { headers: { 'accept-encoding': 'gzip, br, zstd' } })

      assert.equal(response.headers.get('content-encoding'), null, type)
      assert.deepEqual(Buffer.from(await response.arrayBuffer()), bytes, type)
    }
    for (const coding of ['gzip', 'br', 'zstd', 'compress', 'gzip, br', 'x-own']) {
      const headers = { 'content-type': 'text/plain', 'content-encoding': coding }
      const response = await client({ 'GET /': () => new Response(bytes, { headers }) }).get('/', {
        headers: { 'accept-encoding': 'br' },
      })

      assert.equal(response.headers.get('content-encoding'), coding)
      assert.deepEqual(Buffer.from(await response.arrayBuffer()), bytes, coding)
    }
  })

  it('sends a stream of tiny and of empty pieces whole, in each coding [PAGE-11]', async () => {
    const sizes = [0, 1, 0, 0, 1, 2, 1, 0]
    const pieces = Array.from({ length: 2000 }, (_, i) =>
      Buffer.alloc(sizes[i % sizes.length] ?? 0, 65 + (i % 26)),
    )
    const whole = Buffer.concat(pieces)
    const browser = client({
      'GET /': () => new Response(ReadableStream.from(pieces), { headers: { 'content-type': 'text/plain' } }),
      'GET /none': () => new Response(ReadableStream.from([]), { headers: { 'content-type': 'text/plain' } }),
    })

    for (const coding of ['gzip', 'br', 'zstd']) {
      const headers = { 'accept-encoding': coding }
      const response = await browser.get('/', { headers })
      const length = response.headers.get('content-length')
      assert.deepEqual([response.headers.get('content-encoding'), length], [coding, null])
      assert.deepEqual(await decoded(response), whole, coding)
      assert.equal((await decoded(await browser.get('/none', { headers }))).length, 0, coding)
    }
  })

  it('cannot be made to send much more than the pieces of a stream hold [PAGE-11]', async () => {
    const pieces = Array.from({ length: 1000 }, () => Buffer.from('x'))
    const stream = (): Response =>
      new Response(ReadableStream.from(pieces), { headers: { 'content-type': 'text/plain' } })

    for (const coding of ['gzip', 'br', 'zstd']) {
      const response = await client({ 'GET /': stream }).get('/', { headers: { 'accept-encoding': coding } })
      const { byteLength } = await response.arrayBuffer()

      // Each piece is sent when it comes, so each costs the end of a block: about as much as a chunk of HTTP/1.1.
      assert.ok(byteLength < 1000 * 20, `${coding}: ${byteLength}`)
    }
  })
})
