import assert from 'node:assert/strict'
import { utimesSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import type { TestClient } from 'sallyport/testing'
import { serveFolder, temporaryFolder } from './fixture.ts'

const TEXT = 'abcdefghijklmnopqrstuvwxyz'
const CHANGED = new Date('2026-01-31T12:00:00Z')

interface Served {
  readonly etag: string
  readonly get: (headers: Readonly<Record<string, string>>) => ReturnType<TestClient['get']>
}

async function serve(content: string | Uint8Array = TEXT): Promise<Served> {
  const folder = temporaryFolder({ 'a.txt': content })
  utimesSync(join(folder.path, 'a.txt'), CHANGED, CHANGED)
  const { client } = serveFolder(folder)
  const etag = (await client.get('/assets/a.txt')).headers.get('etag') ?? ''
  return { etag, get: (headers) => client.get('/assets/a.txt', { headers }) }
}

describe('respondWithFile()', () => {
  it('answers conditions in the order of RFC 9110 [PAGE-09]', async () => {
    const { etag, get } = await serve()
    const rows: [Readonly<Record<string, string>>, number][] = [
      [{ 'if-none-match': etag }, 304],
      [{ 'if-none-match': `W/${etag}` }, 304],
      [{ 'if-none-match': `"x", ${etag}` }, 304],
      [{ 'if-none-match': '*' }, 304],
      [{ 'if-none-match': '"x"' }, 200],
      [{ 'if-none-match': etag.slice(1, -1) }, 200],
      // A tag outweighs a date.
      [{ 'if-none-match': '"x"', 'if-modified-since': 'Sat, 31 Jan 2026 12:00:00 GMT' }, 200],
      [{ 'if-modified-since': 'Sat, 31 Jan 2026 12:00:00 GMT' }, 304],
      [{ 'if-modified-since': 'Saturday, 31-Jan-26 12:00:00 GMT' }, 304],
      [{ 'if-modified-since': 'Sat Jan 31 12:00:00 2026' }, 304],
      [{ 'if-modified-since': 'Sat, 31 Jan 2026 11:59:59 GMT' }, 200],
      [{ 'if-modified-since': '2026-02-01' }, 200],
      [{ 'if-match': etag }, 200],
      [{ 'if-match': '*' }, 200],
      [{ 'if-match': `W/${etag}` }, 412],
      [{ 'if-match': '"x"' }, 412],
      [{ 'if-match': '"x"', 'if-none-match': etag }, 412],
      [{ 'if-unmodified-since': 'Sat, 31 Jan 2026 11:59:59 GMT' }, 412],
      [{ 'if-unmodified-since': 'Sat, 31 Jan 2026 12:00:00 GMT' }, 200],
      [{ 'if-match': etag, 'if-unmodified-since': 'Sat, 31 Jan 2026 11:59:59 GMT' }, 200],
    ]

    for (const [headers, status] of rows)
      assert.equal((await get(headers)).status, status, JSON.stringify(headers))
  })

  it('sends a 304 with the validators and without a body [PAGE-09]', async () => {
    const { etag, get } = await serve()

    const response = await get({ 'if-none-match': etag })

    assert.equal(await response.text(), '')
    assert.equal(response.headers.get('etag'), etag)
    assert.equal(response.headers.get('cache-control'), 'no-cache')
    assert.equal(response.headers.get('content-length'), null)
  })

  it('sends one part of a file [PAGE-09]', async () => {
    const { get } = await serve()
    const rows: [string, string, string][] = [
      ['bytes=0-4', 'abcde', 'bytes 0-4/26'],
      ['bytes=20-', 'uvwxyz', 'bytes 20-25/26'],
      ['bytes=-3', 'xyz', 'bytes 23-25/26'],
      ['bytes=-99', TEXT, 'bytes 0-25/26'],
      ['bytes=24-99', 'yz', 'bytes 24-25/26'],
      ['BYTES = 1-1'.replaceAll(' ', ''), 'b', 'bytes 1-1/26'],
      // What does not exist is left out.
      ['bytes=0-1,99-', 'ab', 'bytes 0-1/26'],
    ]

    for (const [range, text, position] of rows) {
      const response = await get({ range })
      assert.deepEqual([response.status, await response.text()], [206, text], range)
      assert.equal(response.headers.get('content-range'), position)
      assert.equal(response.headers.get('content-length'), String(text.length))
      assert.equal(response.headers.get('content-type'), 'text/plain; charset=utf-8')
    }
  })

  it('sends several parts as multipart/byteranges [PAGE-09]', async () => {
    const { get } = await serve()

    const response = await get({ range: 'bytes=0-1, 24-,  4-4' })

    const type = response.headers.get('content-type') ?? ''
    const boundary = /^multipart\/byteranges; boundary=([\w-]+)$/.exec(type)?.[1] ?? ''
    const part = (position: string, text: string): string =>
      `--${boundary}\r\ncontent-type: text/plain; charset=utf-8\r\ncontent-range: bytes ${position}/26\r\n\r\n${text}\r\n`
    const expected = `${part('0-1', 'ab')}${part('24-25', 'yz')}${part('4-4', 'e')}--${boundary}--\r\n`
    assert.equal(response.status, 206)
    assert.equal(await response.text(), expected)
    assert.equal(response.headers.get('content-length'), String(expected.length))
    assert.equal(response.headers.get('content-range'), null)
  })

  it('sends the whole file for a range that it need not answer [PAGE-09]', async () => {
    const { get } = await serve()
    const many = Array.from({ length: 17 }, (_, index) => `${index}-${index}`).join()
    for (const range of [
      'lines=0-4',
      'bytes=4-0',
      'bytes=a-b',
      'bytes=',
      'bytes=-',
      'bytes=0-4x',
      'bytes 0-4',
      'bytes=0-9,5-12',
      `bytes=${many}`,
    ])
      assert.equal((await get({ range })).status, 200, range)
  })

  it('answers a range behind the end with a 416 [PAGE-09]', async () => {
    const { get } = await serve()
    const empty = await serve('')

    const response = await get({ range: 'bytes=26-' })

    assert.deepEqual([response.status, response.headers.get('content-range')], [416, 'bytes */26'])
    assert.equal((await get({ range: 'bytes=-0' })).status, 416)
    assert.equal((await empty.get({ range: 'bytes=0-' })).status, 416)
    assert.equal((await empty.get({})).status, 200)
  })

  it('sends parts only to a client that has the other parts [PAGE-09]', async () => {
    const { etag, get } = await serve()
    const range = 'bytes=0-1'
    const rows: [string, number][] = [
      [etag, 206],
      [`W/${etag}`, 200],
      ['"x"', 200],
      ['Sat, 31 Jan 2026 12:00:00 GMT', 206],
      ['Sat, 31 Jan 2026 12:00:01 GMT', 200],
      ['nonsense', 200],
    ]

    for (const [condition, status] of rows)
      assert.equal((await get({ range, 'if-range': condition })).status, status, condition)
  })

  it('reads a large file in blocks [PAGE-09]', async () => {
    const bytes = Buffer.alloc(300_000, 'sallyport')
    const { get } = await serve(bytes)

    const whole = await get({})
    const part = await get({ range: 'bytes=70000-270000' })

    assert.ok(bytes.equals(Buffer.from(await whole.arrayBuffer())))
    assert.ok(bytes.subarray(70_000, 270_001).equals(Buffer.from(await part.arrayBuffer())))
  })
})
