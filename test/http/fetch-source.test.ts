import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { BadRequestException, FetchSource, PayloadTooLargeException } from '../../src/http/index.ts'

const LIMITS = { bodyBytes: 16 }

function post(body: RequestInit['body'], headers: Record<string, string> = {}): Request {
  return new Request('http://localhost/x', { method: 'POST', body, headers, duplex: 'half' } as RequestInit)
}

function streamOf(...chunks: string[]): {
  stream: ReadableStream<Uint8Array>
  pulled: () => number
  cancelled: () => boolean
} {
  let pulled = 0
  let cancelled = false
  const stream = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        const chunk = chunks[pulled++]
        if (chunk === undefined) controller.close()
        else controller.enqueue(Buffer.from(chunk))
      },
      cancel() {
        cancelled = true
      },
    },
    { highWaterMark: 0 },
  )
  return { stream, pulled: () => pulled, cancelled: () => cancelled }
}

describe('FetchSource', () => {
  for (const [url, target, origin, secure] of [
    ['http://localhost/', '/', 'http://localhost', false],
    ['http://localhost', '/', 'http://localhost', false],
    ['https://App.test:443/a/b?x=1&y=%2F', '/a/b?x=1&y=%2F', 'https://app.test', true],
    ['https://app.test:8443/a?b#top', '/a?b', 'https://app.test:8443', true],
    ['http://localhost?x=/y', '/?x=/y', 'http://localhost', false],
    ['http://localhost//evil.test/', '//evil.test/', 'http://localhost', false],
  ] as const) {
    it(`reads ${url}`, () => {
      const source = new FetchSource(new Request(url), LIMITS)

      assert.deepEqual([source.target, source.origin, source.secure], [target, origin, secure])
    })
  }

  it('gives the same bytes at each call, and again through the request', async () => {
    const source = new FetchSource(post('hello'), LIMITS)

    const [first, second] = await Promise.all([source.bytes(), source.bytes()])

    assert.equal(first, second)
    assert.equal(Buffer.from(first).toString(), 'hello')
    assert.equal(source.request(), source.request())
    assert.equal(await source.request().text(), 'hello')
    assert.equal(Buffer.from(await source.bytes()).toString(), 'hello')
  })

  it('gives the bytes after the request was read', async () => {
    const source = new FetchSource(post('{"a":1}', { 'content-type': 'application/json' }), LIMITS)

    assert.deepEqual(await source.request().json(), { a: 1 })
    assert.equal(Buffer.from(await source.bytes()).toString(), '{"a":1}')
    assert.equal(source.request().headers.get('content-type'), 'application/json')
    assert.equal(source.request().method, 'POST')
  })

  it('gives no bytes where there is no body', async () => {
    assert.equal((await new FetchSource(new Request('http://localhost/'), LIMITS).bytes()).byteLength, 0)
    assert.equal((await new FetchSource(post(''), LIMITS).bytes()).byteLength, 0)
  })

  it('takes a body of exactly the limit', async () => {
    assert.equal((await new FetchSource(post('x'.repeat(16)), LIMITS).bytes()).byteLength, 16)
  })

  it('refuses an announced body over the limit without reading it', async () => {
    const { stream, pulled } = streamOf('x')
    const source = new FetchSource(post(stream, { 'content-length': '17' }), LIMITS)

    await assert.rejects(source.bytes(), PayloadTooLargeException)
    assert.equal(pulled(), 0)
  })

  it('stops reading a body that grows over the limit', async () => {
    const { stream, pulled, cancelled } = streamOf(...Array.from({ length: 100 }, () => 'x'.repeat(8)))
    const source = new FetchSource(post(stream), LIMITS)

    await assert.rejects(source.bytes(), PayloadTooLargeException)
    await assert.rejects(source.bytes(), PayloadTooLargeException)
    assert.ok(pulled() <= 4)
    assert.equal(cancelled(), true)
  })

  it('tells the application of a body over the limit through the request too', async () => {
    const source = new FetchSource(post('x'.repeat(17)), LIMITS)

    await assert.rejects(source.request().text(), PayloadTooLargeException)
  })

  it('answers a body that breaks off with a 400', async () => {
    const stream = new ReadableStream<Uint8Array>({
      start(controller) {
        controller.enqueue(Buffer.from('a'))
        controller.error(new Error('reset'))
      },
    })

    await assert.rejects(new FetchSource(post(stream), LIMITS).bytes(), BadRequestException)
  })

  it('answers a body that somebody else has read with a 400', async () => {
    const request = post('hello')
    await request.text()

    await assert.rejects(new FetchSource(request, LIMITS).bytes(), BadRequestException)
  })
})
