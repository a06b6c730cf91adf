import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'

import { isResponse, LightResponse, TakenResponses, textResponse } from '../../src/http/internal.ts'

const get = { sentMethod: () => 'GET' }
const head = { sentMethod: () => 'HEAD' }

/** A stream that never ends, and whether its source was told to stop. */
function feed(): { stream: ReadableStream<Uint8Array>; isOver: () => boolean } {
  let isOver = false
  const stream = new ReadableStream<Uint8Array>(
    {
      pull: (controller) => controller.enqueue(new Uint8Array(1)),
      cancel: () => void (isOver = true),
    },
    { highWaterMark: 0 },
  )
  return { stream, isOver: () => isOver }
}

describe('TakenResponses.take()', () => {
  const makers: Readonly<Record<string, () => Response>> = {
    'a light one': () => textResponse(200, 'x', 'text/plain'),
    'one of the platform': () => new Response('x'),
    'one of the platform without a body': () => new Response(null),
  }
  for (const [what, make] of Object.entries(makers)) {
    it(`returns ${what} to the same request again [HOLD-49]`, () => {
      const responses = new TakenResponses()
      const response = make()

      const first = responses.take(response, get)

      assert.equal(responses.take(first, get), first)
      assert.equal(responses.take(response, get).status, 200)
    })
  }

  it('refuses a body that is another request’s [HOLD-49]', () => {
    for (const response of [textResponse(200, 'x', 'text/plain'), new Response('x')]) {
      const responses = new TakenResponses()
      responses.take(response, get)

      assert.throws(() => responses.take(response, { sentMethod: () => 'GET' }), /another request has sent/)
    }
  })

  it('returns a platform’s response without a body to any number of requests [HOLD-49]', () => {
    const responses = new TakenResponses()
    const response = new Response(null, { status: 204 })

    for (const request of [get, head]) assert.equal(responses.take(response, request).status, 204)
  })

  it('refuses what it created from a platform’s response to any other request [HOLD-49]', () => {
    for (const made of [new Response('x'), new Response(null, { status: 204 })]) {
      const responses = new TakenResponses()
      const light = responses.take(made, get)

      assert.throws(() => responses.take(light, head), /another request has sent/)
      assert.equal(responses.take(light, get), light)
    }
  })

  it('refuses a foreign response whose body has been read, or belongs to another request [HOLD-49]', () => {
    const responses = new TakenResponses()
    const [free, locked] = [{}, { locked: true }].map((body) => {
      const members = { status: 200, headers: new Map(), body, bodyUsed: false }
      return { [Symbol.toStringTag]: 'Response', ...members } as unknown as Response
    }) as [Response, Response]

    assert.equal(responses.take(free, get).status, 200)
    assert.equal(responses.take(free, get).status, 200)
    assert.throws(() => responses.take(free, head), /another request has sent/)
    assert.throws(() => responses.take(locked, get), /has been read or sent/)
  })

  it('a body that cannot be cancelled reaches neither the listener nor the process [HOLD-49]', async (t) => {
    const unhandled: unknown[] = []
    const listen = (reason: unknown): void => void unhandled.push(reason)
    process.on('unhandledRejection', listen)
    t.after(() => process.off('unhandledRejection', listen))
    const cancel = (): Promise<void> => Promise.reject(new Error('the disk'))
    const stream = new ReadableStream<Uint8Array>({ cancel })

    assert.throws(() => new TakenResponses().take(new LightResponse(999, stream, []), get), TypeError)
    await sleep(2)

    assert.deepEqual(unhandled, [])
  })

  it('refuses a body that is being read or has been read [HOLD-49]', async () => {
    for (const make of [() => new Response('x'), () => textResponse(200, 'x', 'text/plain')]) {
      const [begun, ended] = [make(), make()]
      begun.body?.getReader()
      await ended.text()

      for (const response of [begun, ended])
        assert.throws(() => new TakenResponses().take(response, get), /has been read or sent/)
    }
    const foreign = {
      [Symbol.toStringTag]: 'Response',
      status: 200,
      headers: new Map(),
      body: {},
      bodyUsed: true,
    }
    assert.throws(() => new TakenResponses().take(foreign as unknown as Response, get), /read or sent/)
    const { stream } = feed()
    stream.getReader()
    assert.throws(() => new TakenResponses().take(new LightResponse(200, stream, []), get), /read or sent/)
  })

  for (const status of [0, 100, 101, 199, 600, 999, 200.5, NaN, '200']) {
    it(`refuses the ${typeof status} ${status} as a status, and cancels the source of the body [HOLD-49]`, () => {
      const { stream, isOver } = feed()
      const response = new LightResponse(status as number, stream, [])

      assert.throws(() => new TakenResponses().take(response, get), TypeError)
      assert.ok(isOver())
    })
  }

  for (const status of [200, 299, 304, 404, 599]) {
    it(`accepts the status ${status} [HOLD-49]`, () => {
      assert.equal(new TakenResponses().take(new LightResponse(status, null, []), get).status, status)
    })
  }

  for (const [length, payload, request, status] of [
    ['1', 'x', get, 200],
    ['2', 'é', get, 200],
    ['1', new Uint8Array(1), get, 200],
    ['0', null, get, 200],
    ['7', null, head, 200],
    ['7', null, get, 304],
    ['7', null, head, 304],
    ['0', null, get, 204],
    ['7', new Blob(['x']).stream(), get, 200],
  ] as const) {
    it(`accepts a length of ${length} with ${typeof payload} for ${request.sentMethod()} and ${status} [HOLD-49]`, () => {
      const response = new LightResponse(status, payload, [])
      response.headers.set('content-length', length)

      assert.equal(new TakenResponses().take(response, request), response)
    })
  }

  for (const [length, payload, request, status] of [
    ['2', 'x', get, 200],
    ['2', 'x', head, 200],
    ['2', 'x', get, 304],
    ['7', null, get, 204],
    ['7', null, head, 204],
    ['1', 'é', get, 200],
    ['1', null, get, 200],
    ['2', new Uint8Array(1), get, 200],
    ['1x', 'x', get, 200],
    ['x1', 'x', get, 200],
    ['-1', 'x', get, 200],
    ['', 'x', get, 200],
    ['1, 1', 'x', get, 200],
    ['+1', new Blob(['x']).stream(), get, 200],
    ['1x', new Blob(['x']).stream(), get, 200],
  ] as const) {
    it(`refuses a length of "${length}" with ${typeof payload} for ${request.sentMethod()} and ${status} [HOLD-49]`, () => {
      const response = new LightResponse(status, payload, [])
      response.headers.set('content-length', length)

      assert.throws(() => new TakenResponses().take(response, request), TypeError)
    })
  }

  it('refuses a header that the platform accepts and no adapter can write [HOLD-49]', () => {
    for (const value of ['a\u0001b', 'a\u007fb']) {
      const light = textResponse(200, 'x', 'text/plain')
      light.headers.set('x-a', value)

      for (const response of [light, new Response('x', { headers: { 'x-a': value } })])
        assert.throws(() => new TakenResponses().take(response, get), TypeError)
    }
  })

  it('removes the length from a 204, which has none, and from nothing else [HOLD-49]', () => {
    for (const [status, length] of [
      [204, null],
      [200, '0'],
      [304, '0'],
    ] as const) {
      const light = new LightResponse(status, null, [])
      light.headers.set('content-length', '0')

      assert.equal(new TakenResponses().take(light, get).header('content-length'), length)
    }
  })

  it('keeps the only connection option that an application may set [HOLD-49]', () => {
    for (const [given, sent] of [
      ['close', 'close'],
      ['keep-alive, close', 'close'],
      ['keep-alive', null],
    ] as const) {
      const light = textResponse(200, 'x', 'text/plain')
      light.headers.set('connection', given)

      for (const response of [light, new Response('x', { headers: { connection: given } })])
        assert.equal(new TakenResponses().take(response, get).header('connection'), sent)
    }
  })

  it('removes headers that frame a body: they belong to the adapter [HOLD-49]', () => {
    const light = textResponse(200, 'x', 'text/plain')
    const headers = { 'transfer-encoding': 'chunked', trailer: 'x-a', 'x-b': '1' }
    for (const [name, value] of Object.entries(headers)) light.headers.set(name, value)

    for (const response of [light, new Response('x', { headers })]) {
      const lines = new TakenResponses().take(response, get).headerLines()

      assert.ok(isResponse(response))
      assert.deepEqual(
        lines.filter((line) => line in headers),
        ['x-b'],
      )
    }
  })
})
