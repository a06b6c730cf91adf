import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { emptyResponse, jsonResponse, LightResponse, textResponse } from '../../src/http/index.ts'

describe('LightResponse', () => {
  it('is a Response to whoever asks', async () => {
    const response: Response = textResponse(201, 'héllo', 'text/plain; charset=utf-8')

    assert.ok(response instanceof Response)
    assert.equal(response.status, 201)
    assert.equal(response.ok, true)
    assert.equal(response.redirected, false)
    assert.equal(response.type, 'default')
    assert.equal(response.url, '')
    assert.equal(response.statusText, '')
    assert.equal(response.headers.get('content-type'), 'text/plain; charset=utf-8')
    assert.equal(response.headers.get('content-length'), '6')
    assert.equal(response.bodyUsed, false)
    assert.equal(await response.clone().text(), 'héllo')
    assert.equal(await response.text(), 'héllo')
    assert.equal(response.bodyUsed, true)
  })

  it('gives its body by each member', async () => {
    const make = (): Response => jsonResponse(200, { a: [1, null] })

    assert.deepEqual(await make().json(), { a: [1, null] })
    assert.equal(Buffer.from(await make().arrayBuffer()).toString(), '{"a":[1,null]}')
    assert.equal(Buffer.from(await make().bytes()).toString(), '{"a":[1,null]}')
    assert.equal((await make().blob()).size, 14)
    assert.ok(make().body instanceof ReadableStream)
    await assert.rejects(() => make().formData(), TypeError)
  })

  it('keeps what is written to its headers, before and after it became a response of the platform', () => {
    const response = textResponse(200, 'x', 'text/plain')

    response.append('x-a', '1')
    response.headers.set('x-b', '2')
    response.append('x-c', '3')
    const native = response.toNative()
    response.append('x-d', '4')
    native.headers.set('x-e', '5')

    for (const [name, value] of [
      ['x-a', '1'],
      ['x-b', '2'],
      ['x-c', '3'],
      ['x-d', '4'],
      ['x-e', '5'],
    ] as const) {
      assert.equal(response.header(name), value)
      assert.equal(native.headers.get(name), value)
      const lines = response.headerLines()
      assert.equal(lines[lines.indexOf(name) + 1], value)
    }
    assert.equal(response.toNative(), native)
  })

  it('keeps several Set-Cookie lines apart, in both directions', () => {
    const native = new Response(null, {
      headers: [
        ['set-cookie', 'a=1'],
        ['set-cookie', 'b=2; Expires=Wed, 01 Jan 2031 00:00:00 GMT'],
      ],
    })

    const light = LightResponse.from(native)
    light.append('set-cookie', 'c=3')

    assert.deepEqual(light.headers.getSetCookie(), [
      'a=1',
      'b=2; Expires=Wed, 01 Jan 2031 00:00:00 GMT',
      'c=3',
    ])
    assert.deepEqual(light.toNative().headers.getSetCookie(), light.headers.getSetCookie())
    assert.equal(light.headerLines().filter((name) => name === 'set-cookie').length, 3)
  })

  for (const [name, value] of [
    ['x-a', 'a\r\nset-cookie: b=c'],
    ['x-a', 'a\nb'],
    ['x-a', 'a\u0000'],
    ['x-a', '€'],
    ['x a', 'v'],
    ['x\r\n', 'v'],
    ['', 'v'],
  ] as const) {
    it(`refuses the header ${JSON.stringify(name)}: ${JSON.stringify(value)}`, () => {
      const response = emptyResponse(200)

      assert.throws(() => response.append(name, value), TypeError)
      assert.throws(() => response.setDefault(name, value), TypeError)
    })
  }

  it('sets a default only where nothing stands', () => {
    const response = textResponse(200, '', 'text/html')

    response.setDefault('content-type', 'text/plain')
    response.setDefault('x-a', '1')
    response.setDefault('x-a', '2')

    assert.equal(response.header('content-type'), 'text/html')
    assert.equal(response.header('x-a'), '1')
  })

  it('takes over a response of the platform, whose headers may be immutable', async () => {
    const redirect = LightResponse.from(Response.redirect('http://localhost/x', 302))
    const page = LightResponse.from(new Response('hi', { status: 203 }))

    redirect.append('x-a', '1')

    assert.equal(redirect.toNative().headers.get('location'), 'http://localhost/x')
    assert.equal(page.status, 203)
    assert.equal(await page.toNative().text(), 'hi')
    assert.equal(LightResponse.from(page), page)
  })

  for (const status of [204, 205, 304]) {
    it(`has no body with status ${status}`, async () => {
      const native = new LightResponse(status, 'gone', []).toNative()

      assert.equal(native.status, status)
      assert.equal(await native.text(), '')
    })
  }
})
