import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { describe, it } from 'node:test'
import { createContext, runInContext } from 'node:vm'

import { isResponse, LightResponse, textResponse } from '../../src/http/internal.ts'
import { PlatformResponse } from '../../src/http/platform-response.ts'

/** A response of an implementation that shares nothing with the platform's but the standard's names. */
function foreign(
  status: number,
  body: unknown,
  headers: readonly (readonly [string, string])[] = [],
): Response {
  const made: unknown = {
    [Symbol.toStringTag]: 'Response',
    status,
    headers: new Map(headers),
    body,
    arrayBuffer: () => Promise.resolve(Buffer.from('whole')),
  }
  return made as Response
}

/** A response of another realm: its prototypes are not the ones of this file. */
function ofAnotherRealm(): Response {
  const code = `
    class Response {
      status = 403
      headers = new Map([['Content-Type', 'text/plain'], ['X-Realm', 'other']])
      body = (async function* () { yield new TextEncoder().encode('no '); yield new TextEncoder().encode('entry') })()
      get [Symbol.toStringTag]() { return 'Response' }
    }
    new Response()`
  return runInContext(code, createContext({ TextEncoder })) as Response
}

describe('isResponse()', () => {
  it('recognizes the platform’s, a light one, and those of other implementations and realms [HOST-04]', () => {
    for (const response of [
      new Response('x'),
      Response.json({}),
      Response.error(),
      textResponse(200, 'x', 'text/plain'),
      foreign(403, null),
      ofAnotherRealm(),
    ]) {
      assert.ok(isResponse(response))
    }
  })

  it('recognizes nothing else [HOST-04]', () => {
    for (const value of [
      null,
      undefined,
      'x',
      {},
      { status: 200, headers: {}, body: 'x' },
      { [Symbol.toStringTag]: 'Response' },
      { [Symbol.toStringTag]: 'Response', status: '200', headers: {} },
      { [Symbol.toStringTag]: 'Response', status: 200, headers: null },
      { [Symbol.toStringTag]: 'Response', status: 200, headers: 'x-a: b' },
      { [Symbol.toStringTag]: 'Response', status: 200 },
      new Request('http://localhost/'),
      new Headers(),
      Response,
      [],
    ]) {
      assert.equal(isResponse(value), false)
    }
  })

  it('recognizes both when a host has replaced the global class in the meantime [HOST-02]', () => {
    const before = globalThis.Response
    class Replaced {}
    try {
      Object.assign(globalThis, { Response: Replaced })

      assert.ok(isResponse(textResponse(200, 'x', 'text/plain')))
      assert.ok(textResponse(200, 'x', 'text/plain').toNative() instanceof before)
      assert.equal(PlatformResponse, before)
    } finally {
      Object.assign(globalThis, { Response: before })
    }
  })
})

describe('LightResponse.from() of a foreign response', () => {
  const bytes = Buffer.from('streamed')

  for (const [what, response, text] of [
    ['no body', foreign(204, null), ''],
    ['a body that is not set', foreign(200, undefined), ''],
    ['a body that is a text', foreign(200, 'text'), 'whole'],
    ['a stream of the platform', foreign(200, new Blob([bytes]).stream()), 'streamed'],
    ['a stream of Node', foreign(200, Readable.from([bytes])), 'streamed'],
    ['a body that can only be read whole', foreign(200, {}), 'whole'],
    ['another realm', ofAnotherRealm(), 'no entry'],
  ] as const) {
    it(`sends ${what} [HOST-04]`, async () => {
      const native = LightResponse.from(response).toNative()

      assert.equal(native.status, response.status)
      assert.equal(await native.text(), text)
    })
  }

  it('keeps its headers, in lower case, and refuses one that cannot be sent [HOST-04]', () => {
    assert.equal(LightResponse.from(ofAnotherRealm()).header('x-realm'), 'other')
    for (const header of [
      ['x-a', 'b\r\nset-cookie: c=d'],
      ['x a', 'b'],
    ] as const) {
      assert.throws(() => LightResponse.from(foreign(200, null, [header])), TypeError)
    }
  })

  it('requests nothing of its body before it is read [HOST-04]', async () => {
    let isAsked = false
    // oxlint-disable-next-line require-await
    async function* feed(): AsyncGenerator<Uint8Array> {
      isAsked = true
      yield bytes
    }
    const native = LightResponse.from(foreign(200, feed())).toNative()

    await new Promise((resolve) => setImmediate(resolve))

    assert.equal(isAsked, false)
    assert.equal(await native.text(), 'streamed')
  })

  it('cancels the source of the body when it is not read to its end [HOST-04]', async () => {
    let isOver = false
    async function* feed(): AsyncGenerator<Uint8Array> {
      try {
        for (;;) yield await Promise.resolve(bytes)
      } finally {
        isOver = true
      }
    }
    const reader = LightResponse.from(foreign(200, feed())).toNative().body?.getReader()

    await reader?.read()
    await reader?.cancel()

    assert.ok(isOver)
  })
})
