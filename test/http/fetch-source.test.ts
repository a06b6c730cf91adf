import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { BadRequestException, PayloadTooLargeException } from '../../src/http/index.ts'
import { FetchSource } from '../../src/http/internal.ts'

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

describe('FetchSource.awaitsBody', () => {
  it('reports a request that waits for its client: from the first read to the last byte', async () => {
    const gate = Promise.withResolvers<void>()
    const stream = new ReadableStream<Uint8Array>({
      async pull(controller) {
        await gate.promise
        controller.enqueue(Buffer.from('hello'))
        controller.close()
      },
    })
    const source = new FetchSource(post(stream), LIMITS)
    assert.equal(source.awaitsBody, false)

    const read = Promise.resolve(source.bytes())
    assert.equal(source.awaitsBody, true)
    gate.resolve()
    assert.equal(Buffer.from(await read).toString(), 'hello')

    assert.equal(source.awaitsBody, false)
  })

  it('is false for a body that nothing reads, though it is counted', async () => {
    const source = new FetchSource(post('hello'), LIMITS)
    const counted = source.finishBody()

    assert.equal(source.awaitsBody, false)
    await counted
  })
})

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

  it('returns the same bytes on each call, and again through the request', async () => {
    const source = new FetchSource(post('hello'), LIMITS)

    const [first, second] = await Promise.all([source.bytes(), source.bytes()])

    assert.equal(first, second)
    assert.equal(Buffer.from(first).toString(), 'hello')
    assert.equal(source.request(), source.request())
    assert.equal(await source.request().text(), 'hello')
    assert.equal(Buffer.from(await source.bytes()).toString(), 'hello')
  })

  it('returns the bytes after the request was read', async () => {
    const source = new FetchSource(post('{"a":1}', { 'content-type': 'application/json' }), LIMITS)

    assert.deepEqual(await source.request().json(), { a: 1 })
    assert.equal(Buffer.from(await source.bytes()).toString(), '{"a":1}')
    assert.equal(source.request().headers.get('content-type'), 'application/json')
    assert.equal(source.request().method, 'POST')
  })

  it('returns no bytes when there is no body', async () => {
    assert.equal((await new FetchSource(new Request('http://localhost/'), LIMITS).bytes()).byteLength, 0)
    assert.equal((await new FetchSource(post(''), LIMITS).bytes()).byteLength, 0)
  })

  it('accepts a body of exactly the limit', async () => {
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

  it('reports a body over the limit through the request too', async () => {
    const source = new FetchSource(post('x'.repeat(17)), LIMITS)

    await assert.rejects(source.request().text(), PayloadTooLargeException)
  })

  it('responds with 400 to a body that breaks off', async () => {
    const stream = new ReadableStream<Uint8Array>({
      start(controller) {
        controller.enqueue(Buffer.from('a'))
        controller.error(new Error('reset'))
      },
    })

    await assert.rejects(new FetchSource(post(stream), LIMITS).bytes(), (error: Error) => {
      assert.ok(error instanceof BadRequestException)
      assert.match(String(error.cause), /reset/)
      return true
    })
  })

  it('requests nothing of the body before it is read', async () => {
    const { stream, pulled } = streamOf('x')
    const source = new FetchSource(post(stream), LIMITS)

    const request = source.request()
    await new Promise((resolve) => setImmediate(resolve))

    assert.equal(pulled(), 0)
    assert.equal(await request.text(), 'x')
  })

  it('has the address and the origin that its host knows, and none otherwise [HOST-03]', () => {
    const request = new Request('http://10.0.0.7:3000/a?b', { headers: { 'x-a': '1' } })

    const known = new FetchSource(request, LIMITS, {
      clientAddress: '::FFFF:192.0.2.1',
      origin: 'https://app.test',
    })
    const unknown = new FetchSource(request, LIMITS, { origin: null })

    assert.deepEqual(
      [known.clientAddress, known.origin, known.secure, known.target, known.request().url],
      ['192.0.2.1', 'https://app.test', true, '/a?b', 'https://app.test/a?b'],
    )
    assert.equal(known.request().headers.get('x-a'), '1')
    assert.deepEqual(
      [unknown.clientAddress, unknown.origin, unknown.secure, unknown.request().url],
      ['', 'http://10.0.0.7:3000', false, 'http://10.0.0.7:3000/a?b'],
    )
  })

  it('passes on the same request where nothing of it changes, with what its host has added', () => {
    const request = new Request('http://app.test/a')

    assert.equal(new FetchSource(request, LIMITS).request(), request)
    assert.equal(new FetchSource(request, LIMITS, { origin: 'http://app.test' }).request(), request)
  })

  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
    it(`passes on a request of its own for ${method} without a body: reading that fails ends no process`, async (t) => {
      const unhandled: unknown[] = []
      const listen = (reason: unknown): void => void unhandled.push(reason)
      process.on('unhandledRejection', listen)
      t.after(() => process.off('unhandledRejection', listen))
      const given = new Request('http://app.test/a', { method, headers: { 'x-a': '1' } })

      const handedOn = new FetchSource(given, LIMITS).request()
      const reading = handedOn.json()
      await new Promise((resolve) => setImmediate(resolve))

      assert.deepEqual(unhandled, [])
      await assert.rejects(reading, SyntaxError)
      assert.deepEqual(
        [handedOn.method, handedOn.url, handedOn.headers.get('x-a'), handedOn.body],
        [method, given.url, '1', null],
      )
    })
  }

  it('passes on the same request for HEAD, too', () => {
    const request = new Request('http://app.test/a', { method: 'HEAD' })

    assert.equal(new FetchSource(request, LIMITS).request(), request)
  })

  it('aborts with the request, and so does the one it passes on [HOLD-15]', () => {
    const client = new AbortController()
    const request = new Request('http://app.test/a', { signal: client.signal })
    const source = new FetchSource(request, LIMITS, { origin: 'https://other.test' })
    const handedOn = source.request()

    client.abort()

    assert.ok(source.signal.aborted)
    assert.ok(handedOn.signal.aborted)
  })

  for (const [announced, length] of [
    [{ 'content-length': '5' }, 5],
    [{ 'content-length': '05' }, 5],
    [{}, null],
    [{ 'content-length': 'x5' }, null],
    [{ 'content-length': '5x' }, null],
    [{ 'content-length': '' }, null],
  ] as const) {
    it(`reads the length ${JSON.stringify(announced)} as ${length}`, () => {
      const { stream } = streamOf('hello')

      assert.equal(new FetchSource(post(stream, announced), LIMITS).bodyLength, length)
      assert.equal(
        new FetchSource(new Request('http://localhost/', { headers: announced }), LIMITS).bodyLength,
        0,
      )
    })
  }

  it('accepts a body whose announced length is the limit', async () => {
    const { stream } = streamOf('x'.repeat(16))

    const bytes = await new FetchSource(post(stream, { 'content-length': '16' }), LIMITS).bytes()

    assert.equal(bytes.byteLength, 16)
  })

  it('responds with 400 to a stream that is not bytes', async () => {
    const stream = new ReadableStream({
      start(controller) {
        controller.enqueue('text')
        controller.close()
      },
    })

    await assert.rejects(new FetchSource(post(stream), LIMITS).bytes(), BadRequestException)
  })

  it('responds with 400 to a body that has been read elsewhere', async () => {
    const request = post('hello')
    await request.text()

    await assert.rejects(new FetchSource(request, LIMITS).bytes(), BadRequestException)
  })
})

describe('FetchSource.finishBody()', () => {
  it('counts a body that nothing reads, once, and keeps nothing: it can no longer be read [HOLD-04]', async () => {
    const { stream, pulled } = streamOf('x'.repeat(8), 'x'.repeat(8))
    const source = new FetchSource(post(stream), LIMITS)

    await Promise.all([source.finishBody(), source.finishBody()])

    assert.equal(pulled(), 3)
    await assert.rejects(source.bytes(), /nothing had begun to read/)
    await assert.rejects(source.request().text(), /nothing had begun to read/)
  })

  it('refuses a body over the limit that nothing reads [HOLD-04]', async () => {
    const { stream, cancelled } = streamOf(...Array.from({ length: 9 }, () => 'x'.repeat(8)))

    await assert.rejects(new FetchSource(post(stream), LIMITS).finishBody(), PayloadTooLargeException)

    assert.ok(cancelled())
  })

  it('keeps a body that was read, as bytes or through the request', async () => {
    for (const ask of [
      (source: FetchSource): unknown => source.bytes(),
      (source: FetchSource): unknown => source.request(),
    ]) {
      const source = new FetchSource(post(streamOf('hello').stream), LIMITS)
      void ask(source)

      await source.finishBody()

      assert.equal(Buffer.from(await source.bytes()).toString(), 'hello')
    }
  })

  it('waits for nothing when there is no body', async () => {
    await new FetchSource(new Request('http://localhost/'), LIMITS).finishBody()
  })
})
