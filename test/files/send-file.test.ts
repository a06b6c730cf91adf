import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, it } from 'node:test'
import { App, Controller, defineModule, inject } from 'sallyport'
import { DiskFileStorage, sendFile, type SendFileOptions } from 'sallyport/files'
import { NotFoundException } from 'sallyport/http'
import { FileStorage, type StoredFile } from 'sallyport/input'
import { type Actions, param } from 'sallyport/routing'
import { TestClient } from 'sallyport/testing'
import { Faults } from '../app/fixture.ts'
import { temporaryFolder } from './fixture.ts'

const TEXT = 'abcdefghijklmnopqrstuvwxyz'
const MODIFIED = new Date('2026-01-31T12:00:00.500Z')
const DATE = 'Sat, 31 Jan 2026 12:00:00 GMT'
const ETAG = `"${createHash('sha256').update('v1').digest('hex').slice(0, 32)}"`

/** A stored file that hands out its bytes in chunks of five. */
function stored(change: Partial<StoredFile> = {}): StoredFile {
  const stream = (): ReadableStream<Uint8Array<ArrayBuffer>> =>
    ReadableStream.from(TEXT.match(/.{1,5}/g)?.map((piece) => new TextEncoder().encode(piece)) ?? [])
  return { type: 'audio/mpeg', size: TEXT.length, tag: 'v1', modified: MODIFIED, stream, ...change }
}

interface Site {
  readonly client: TestClient
  readonly faults: Faults
}

function sending(file: StoredFile, options?: SendFileOptions): Site {
  class FileController extends Controller {
    static readonly actions = { index: [], indexPost: [] }
    index() {
      return sendFile(this.context, file, options)
    }
    indexPost() {
      return sendFile(this.context, file, options)
    }
  }
  const site = defineModule('Site', (module) => module.controllers(FileController))
  const app = App.create({ debug: false }).modules(site)
  const faults = new Faults()
  faults.listen(app)
  return { client: new TestClient(app), faults }
}

async function get(file: StoredFile, headers: Record<string, string> = {}): Promise<Response> {
  return sending(file).client.get('/site/file', { headers })
}

describe('sendFile()', () => {
  it('sends a file with its validators, and asks browsers to ask again', async () => {
    const response = await get(stored())

    assert.equal(await response.text(), TEXT)
    const sent = ['etag', 'last-modified', 'cache-control', 'accept-ranges', 'content-length', 'content-type']
    assert.deepEqual(
      sent.map((name) => response.headers.get(name)),
      [ETAG, DATE, 'private, no-cache', 'bytes', '26', 'audio/mpeg'],
    )
    assert.equal(response.headers.get('content-disposition'), 'inline')
    assert.equal(response.headers.get('x-content-type-options'), 'nosniff')
  })

  for (const [what, file] of [
    ['that reads parts', stored({ part: (first, last) => new Blob([TEXT.slice(first, last + 1)]).stream() })],
    ['that reads from the beginning', stored()],
  ] as const) {
    it(`answers conditions and ranges for a storage ${what} [PAGE-09]`, async () => {
      const rows: readonly [Record<string, string>, number, string][] = [
        [{ 'if-none-match': ETAG }, 304, ''],
        [{ 'if-none-match': '"x"' }, 200, TEXT],
        [{ 'if-modified-since': DATE }, 304, ''],
        [{ 'if-match': ETAG }, 200, TEXT],
        [{ range: 'bytes=2-4' }, 206, 'cde'],
        [{ range: 'bytes=4-10' }, 206, 'efghijk'],
        [{ range: 'bytes=-3' }, 206, 'xyz'],
        [{ range: 'bytes=24-' }, 206, 'yz'],
        [{ range: 'bytes=0-' }, 206, TEXT],
        [{ range: 'bytes=24-99' }, 206, 'yz'],
        [{ range: 'bytes=4-2' }, 200, TEXT],
        [{ range: 'chapters=1-2' }, 200, TEXT],
        [{ range: 'bytes=2-4', 'if-range': ETAG }, 206, 'cde'],
        [{ range: 'bytes=2-4', 'if-range': `W/${ETAG}` }, 200, TEXT],
        [{ range: 'bytes=2-4', 'if-range': '"x"' }, 200, TEXT],
        [{ range: 'bytes=2-4', 'if-range': DATE }, 206, 'cde'],
        [{ range: 'bytes=2-4', 'if-range': 'Sat, 31 Jan 2026 11:00:00 GMT' }, 200, TEXT],
      ]

      for (const [headers, status, text] of rows) {
        const response = await get(file, headers)
        assert.deepEqual([response.status, await response.text()], [status, text], JSON.stringify(headers))
      }
      const part = await get(file, { range: 'bytes=2-4' })
      assert.equal(part.headers.get('content-range'), 'bytes 2-4/26')
      assert.equal(part.headers.get('content-length'), '3')
      const behind = await get(file, { range: 'bytes=26-' })
      assert.deepEqual([behind.status, behind.headers.get('content-range')], [416, 'bytes */26'])
      assert.equal((await get(file, { 'if-match': '"x"' })).status, 412)
      const several = await (await get(file, { range: 'bytes=0-1,24-25' })).text()
      assert.match(several, /content-range: bytes 0-1\/26\r\n\r\nab\r\n[^]*\r\n\r\nyz\r\n/)
    })
  }

  it('answers HEAD as GET without its body, and knows no conditions for POST', async () => {
    const { client } = sending(stored())

    const head = await client.request('HEAD', '/site/file', { headers: { range: 'bytes=2-4' } })
    const post = await client.post('/site/file', { headers: { range: 'bytes=2-4', 'if-none-match': ETAG } })

    assert.deepEqual([head.status, head.headers.get('content-length'), await head.text()], [200, '26', ''])
    assert.deepEqual([post.status, await post.text()], [200, TEXT])
  })

  it('sends whole files where the storage knows no validators and the client has a condition', async () => {
    const { tag: _tag, modified: _modified, ...file } = stored()

    const plain = await get(file)
    assert.deepEqual([plain.headers.get('etag'), plain.headers.get('last-modified')], [null, null])
    assert.equal((await get(file, { 'if-none-match': ETAG, 'if-modified-since': DATE })).status, 200)
    assert.equal((await get(file, { range: 'bytes=2-4' })).status, 206)
    for (const condition of [ETAG, DATE])
      assert.equal((await get(file, { range: 'bytes=2-4', 'if-range': condition })).status, 200)
  })

  it('sends an empty file', async () => {
    const response = await get(stored({ size: 0, stream: () => new Blob([]).stream() }))

    assert.deepEqual([response.status, response.headers.get('content-length')], [200, '0'])
    assert.equal(await response.text(), '')
    assert.equal((await get(stored({ size: 0 }), { range: 'bytes=0-' })).status, 416)
  })

  it('names files as RFC 6266 and RFC 8187 say, whatever a user called them', async () => {
    const rows: readonly [string, string][] = [
      ['plan.pdf', 'filename=plan.pdf'],
      ['a plan.pdf', 'filename="a plan.pdf"'],
      ['Rechnung März.pdf', `filename="Rechnung M?rz.pdf"; filename*=UTF-8''Rechnung%20M%C3%A4rz.pdf`],
      ['日本.pdf', `filename="??.pdf"; filename*=UTF-8''%E6%97%A5%E6%9C%AC.pdf`],
      ['../../etc/passwd', 'filename=passwd'],
      ['C:\\Users\\ada\\plan.pdf', 'filename=plan.pdf'],
      ['a"; filename="b.exe', 'filename="a; filename=b.exe"'],
      ['a\r\nset-cookie: x=y.pdf', 'filename="aset-cookie x=y.pdf"'],
      ['\u202Egpj.exe', 'filename=gpj.exe'],
      ['\uD800.pdf', `filename="?.pdf"; filename*=UTF-8''%EF%BF%BD.pdf`],
      ['a%41.pdf', `filename=a%41.pdf; filename*=UTF-8''a%2541.pdf`],
    ]
    for (const [name, expected] of rows) {
      const saved = await sending(stored(), { download: name }).client.get('/site/file')
      const shown = await sending(stored(), { name }).client.get('/site/file')

      assert.equal(saved.headers.get('content-disposition'), `attachment; ${expected}`, name)
      assert.equal(shown.headers.get('content-disposition'), `inline; ${expected}`, name)
    }
    const unnamed = await sending(stored(), { download: '..' }).client.get('/site/file')
    assert.equal(unnamed.headers.get('content-disposition'), 'attachment')
  })

  it('sends nothing that a browser could run, whatever type a storage names [PAGE-06]', async () => {
    for (const type of [
      'text/html',
      'TEXT/HTML; charset=utf-8',
      'image/svg+xml',
      'application/xhtml+xml',
      'text/xml',
      'video/x+xml',
      'text/javascript',
      'text/css',
      'application/json',
      'application/wasm',
      'multipart/x-mixed-replace; boundary=a',
      'text/html, image/png',
      'image/png, text/html',
      'application/octet-stream',
      'application/zip',
      '',
      'unknown',
    ]) {
      const response = await sending(stored({ type }), { name: 'a.bin' }).client.get('/site/file')

      assert.deepEqual(
        ['content-type', 'content-disposition', 'content-security-policy', 'x-content-type-options'].map(
          (header) => response.headers.get(header),
        ),
        ['application/octet-stream', 'attachment; filename=a.bin', "sandbox; default-src 'none'", 'nosniff'],
        type,
      )
    }
    for (const [type, sent] of [
      ['image/png', 'image/png'],
      ['IMAGE/JPEG', 'image/jpeg'],
      ['video/mp4; codecs=avc1', 'video/mp4'],
      ['application/pdf', 'application/pdf'],
      ['text/plain', 'text/plain; charset=utf-8'],
    ] as const) {
      const response = await get(stored({ type }))
      assert.equal(response.headers.get('content-type'), sent)
      assert.equal(response.headers.get('content-disposition'), 'inline')
    }
  })

  it('serves what a DiskFileStorage keeps, and tells nobody its key', async () => {
    const storage = new DiskFileStorage({ directory: temporaryFolder().url })
    const draft = await storage.begin({ type: 'image/png', extension: 'png' })
    await draft.write(Buffer.from(TEXT))
    const key = await draft.keep()
    class PictureController extends Controller {
      static readonly actions = { show: [param.string('key')] } satisfies Actions<PictureController>
      readonly #storage = inject(FileStorage)
      async show(name: string) {
        const file = await this.#storage.find(name)
        if (file === null) throw new NotFoundException()
        return sendFile(this.context, file, { caching: 'private, max-age=60' })
      }
    }
    const album = defineModule('Album', (module) => module.controllers(PictureController))
    const app = App.create()
      .modules(album)
      .configure((definitions) => definitions.set(FileStorage, storage))
    const client = new TestClient(app)
    const url = `/album/picture/show/${key}`

    const whole = await client.get(url)
    const etag = whole.headers.get('etag') ?? ''
    const part = await client.get(url, { headers: { range: 'bytes=20-', 'if-range': etag } })

    assert.equal(await whole.text(), TEXT)
    assert.equal(whole.headers.get('cache-control'), 'private, max-age=60')
    assert.ok(!etag.includes(key.slice(0, 26)))
    assert.deepEqual([part.status, await part.text()], [206, 'uvwxyz'])
    assert.equal((await client.get(url, { headers: { 'if-none-match': etag } })).status, 304)
    assert.equal((await client.get('/album/picture/show/none')).status, 404)
  })

  it('cuts off and reports a file that is shorter than its storage says [PAGE-15]', async () => {
    const { client, faults } = sending(stored({ size: 40 }))

    await assert.rejects((await client.get('/site/file')).text())
    assert.deepEqual(faults.messages, ['Cannot send the file: it is shorter than its storage says'])
  })

  it('stops reading when the client leaves, and behind the part that was asked for', async () => {
    let cancelled = 0
    const endless = (): ReadableStream<Uint8Array<ArrayBuffer>> =>
      new ReadableStream({
        pull: (controller) => controller.enqueue(new Uint8Array(1000)),
        cancel: () => void cancelled++,
      })
    const file = stored({ size: 1_000_000_000, stream: endless })

    const part = await get(file, { range: 'bytes=100-2099' })
    assert.equal((await part.arrayBuffer()).byteLength, 2000)
    assert.equal(cancelled, 1)
    const reader = (await get(file)).body?.getReader()
    await reader?.read()
    await reader?.cancel()
    assert.equal(cancelled, 2)
  })

  it('refuses unknown options, and what is not a string', async () => {
    for (const options of [{ filename: 'a' }, { download: true }, { caching: 5 }, { name: null }]) {
      const { client, faults } = sending(stored(), options as SendFileOptions)
      assert.equal((await client.get('/site/file')).status, 500)
      assert.ok(faults.seen[0] instanceof TypeError, JSON.stringify(options))
    }
  })
})
