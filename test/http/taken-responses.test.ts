import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { isResponse, LightResponse, TakenResponses, textResponse } from '../../src/http/index.ts'

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
    it(`HOLD-49: gives ${what} to the same request again`, () => {
      const responses = new TakenResponses()
      const response = make()

      const first = responses.take(response, get)

      assert.equal(responses.take(first, get), first)
      assert.equal(responses.take(response, get).status, 200)
    })
  }

  it('HOLD-49: refuses a body that is another request’s', () => {
    for (const response of [textResponse(200, 'x', 'text/plain'), new Response('x')]) {
      const responses = new TakenResponses()
      responses.take(response, get)

      assert.throws(() => responses.take(response, { sentMethod: () => 'GET' }), /another request has sent/)
    }
  })

  it('HOLD-49: gives a platform’s response without a body to any number of requests', () => {
    const responses = new TakenResponses()
    const response = new Response(null, { status: 204 })

    for (const request of [get, head]) assert.equal(responses.take(response, request).status, 204)
  })

  it('HOLD-49: refuses a body that somebody reads, whether he has begun or ended', async () => {
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
    it(`HOLD-49: refuses the ${typeof status} ${status} as a status, and stops what feeds the body`, () => {
      const { stream, isOver } = feed()
      const response = new LightResponse(status as number, stream, [])

      assert.throws(() => new TakenResponses().take(response, get), TypeError)
      assert.ok(isOver())
    })
  }

  for (const status of [200, 299, 304, 404, 599]) {
    it(`HOLD-49: takes the status ${status}`, () => {
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
    ['7', new Blob(['x']).stream(), get, 200],
  ] as const) {
    it(`HOLD-49: takes a length of ${length} with ${typeof payload} for ${request.sentMethod()} and ${status}`, () => {
      const response = new LightResponse(status, payload, [])
      response.headers.set('content-length', length)

      assert.equal(new TakenResponses().take(response, request), response)
    })
  }

  for (const [length, payload, request, status] of [
    ['2', 'x', get, 200],
    ['2', 'x', head, 200],
    ['2', 'x', get, 304],
    ['1', 'é', get, 200],
    ['1', null, get, 200],
    ['2', new Uint8Array(1), get, 200],
    ['1x', 'x', get, 200],
    ['x1', 'x', get, 200],
    ['-1', 'x', get, 200],
    ['', 'x', get, 200],
    ['1, 1', 'x', get, 200],
    ['+1', new Blob(['x']).stream(), get, 200],
  ] as const) {
    it(`HOLD-49: refuses a length of "${length}" with ${typeof payload} for ${request.sentMethod()} and ${status}`, () => {
      const response = new LightResponse(status, payload, [])
      response.headers.set('content-length', length)

      assert.throws(() => new TakenResponses().take(response, request), TypeError)
    })
  }

  it('HOLD-49: refuses a header that the platform lets in and no adapter can write', () => {
    for (const value of ['a\u0001b', 'a\u007fb']) {
      const light = textResponse(200, 'x', 'text/plain')
      light.headers.set('x-a', value)

      for (const response of [light, new Response('x', { headers: { 'x-a': value } })])
        assert.throws(() => new TakenResponses().take(response, get), TypeError)
    }
  })

  it('HOLD-49: takes headers that frame a body away: they are the adapter’s affair', () => {
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
