import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'

import { emptyResponse, jsonResponse, LightResponse, textResponse } from '../../src/http/internal.ts'

describe('LightResponse', () => {
  it('is a Response to any check', async () => {
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

  it('returns its body through each member', async () => {
    const make = (): Response => jsonResponse(200, { a: [1, null] })

    assert.deepEqual(await make().json(), { a: [1, null] })
    assert.equal(Buffer.from(await make().arrayBuffer()).toString(), '{"a":[1,null]}')
    assert.equal(Buffer.from(await make().bytes()).toString(), '{"a":[1,null]}')
    assert.equal((await make().blob()).size, 14)
    assert.ok(make().body instanceof ReadableStream)
    await assert.rejects(() => make().formData(), TypeError)
  })

  for (const name of ['arrayBuffer', 'blob', 'bytes', 'formData', 'json', 'text'] as const) {
    it(`ends no process by ${name}() that fails unawaited [HOLD-49]`, async (t) => {
      const unhandled: unknown[] = []
      const listen = (reason: unknown): void => void unhandled.push(reason)
      process.on('unhandledRejection', listen)
      t.after(() => process.off('unhandledRejection', listen))
      const body = new ReadableStream({ pull: () => Promise.reject(new Error('the disk')) })

      const reading = new LightResponse(200, body, [])[name]()
      await sleep(2)

      assert.deepEqual(unhandled, [])
      await assert.rejects(reading)
    })
  }

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

  it('treats no unmeasured string as ASCII', () => {
    assert.equal(new LightResponse(200, 'é', []).isAsciiText, false)
  })

  it('sets a default only where there is none', () => {
    const response = textResponse(200, '', 'text/html')

    response.setDefault('content-type', 'text/plain')
    response.setDefault('x-a', '1')
    response.setDefault('x-a', '2')

    const lines = ['content-type', 'text/html', 'content-length', '0', 'x-a', '1']
    assert.deepEqual(response.headerLines(), lines)
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

describe('LightResponse.header()', () => {
  it('returns a value by its name, and never a value for a name', () => {
    const response = new LightResponse(200, null, ['x-a', 'x-b', 'x-c', 'set-cookie', 'x-d', '1'])

    assert.equal(response.header('x-a'), 'x-b')
    assert.equal(response.header('x-b'), null)
    assert.deepEqual(response.cookieLines(), [])
  })

  it('returns values written to the headers since, and no deleted ones', () => {
    const response = new LightResponse(200, null, ['x-a', '1'])
    response.headers.delete('x-a')
    response.headers.set('x-b', '2')

    assert.deepEqual([response.header('x-a'), response.header('x-b')], [null, '2'])
  })
})

describe('LightResponse.cookieLines()', () => {
  it('returns each cookie once, in order, before and after the headers were accessed', () => {
    const response = new LightResponse(200, null, ['set-cookie', 'a=1', 'x-a', '1'])
    response.append('set-cookie', 'b=2')

    assert.deepEqual(response.cookieLines(), ['a=1', 'b=2'])
    response.headers.append('set-cookie', 'c=3')
    assert.deepEqual(response.cookieLines(), ['a=1', 'b=2', 'c=3'])
  })
})

describe('LightResponse.setConstant()', () => {
  it('adds a header when none of that name exists, before and after the headers were accessed', () => {
    const response = new LightResponse(200, null, ['x-a', '1'])
    response.setConstant('x-a', '2')
    response.setConstant('x-b', '2')
    const { headers } = response
    response.setConstant('x-b', '3')
    response.setConstant('x-c', '3')

    assert.deepEqual(
      [...headers],
      [
        ['x-a', '1'],
        ['x-b', '2'],
        ['x-c', '3'],
      ],
    )
    assert.deepEqual(response.headerLines(), ['x-a', '1', 'x-b', '2', 'x-c', '3'])
  })
})

describe('LightResponse.hasAsciiHeaders', () => {
  const ascii = (): LightResponse => new LightResponse(200, 'x', ['x-a', '1'])

  it('is true as long as every value is ASCII', () => {
    const [plain, appended, exposed] = [ascii(), ascii(), ascii()]
    appended.append('x-b', '~')
    exposed.headers.set('x-b', '~')

    for (const response of [plain, appended, exposed]) assert.equal(response.hasAsciiHeaders, true)
  })

  it('is false once one is not, however it was added, and false for a copy', () => {
    const [appended, exposed, early, taken] = [
      ascii(),
      ascii(),
      ascii(),
      LightResponse.from(new Response('x', { headers: { 'x-b': 'é' } })),
    ]
    appended.append('x-b', 'é')
    appended.append('x-c', '1')
    exposed.headers.set('x-b', 'é')
    early.headers.set('x-c', '1')
    early.append('x-b', 'é')
    // The headers of a response of the platform that was taken over are judged when they are asked for.
    void taken.headers

    for (const response of [appended, exposed, early, taken]) {
      assert.equal(response.hasAsciiHeaders, false)
      assert.equal(response.detached().hasAsciiHeaders, false)
    }
  })
})

describe('LightResponse.detached()', () => {
  it('has the same status, body and headers, and keeps its own changes', () => {
    const kept = textResponse(201, 'x', 'text/plain')
    kept.headers.set('x-a', '1')

    const copy = kept.detached()
    copy.append('set-cookie', 'a=1')
    copy.headers.set('x-a', '2')

    assert.deepEqual([copy.status, copy.payload, copy.isAsciiText], [201, 'x', true])
    assert.deepEqual([kept.header('x-a'), kept.cookieLines()], ['1', []])
    assert.deepEqual([copy.header('x-a'), copy.cookieLines()], ['2', ['a=1']])
    assert.equal(textResponse(200, 'é', 'text/plain').detached().isAsciiText, false)
  })

  it('belongs to the request that the response belongs to [HOLD-49]', () => {
    const [one, other] = [{}, {}]
    const kept = textResponse(200, 'x', 'text/plain')
    assert.equal(kept.takeFor(one), true)

    const copy = kept.detached()

    for (const response of [kept, copy]) {
      assert.equal(response.takeFor(one), true)
      assert.equal(response.takeFor(other), false)
    }
  })
})

describe('LightResponse.isBodyTaken', () => {
  const stream = (): ReadableStream<Uint8Array> => new Blob(['x']).stream()

  it('is false before the body is read, with any body or none', () => {
    const none = new LightResponse(204, null, [])
    const text = new LightResponse(200, 'x', [])
    const streamed = new LightResponse(200, stream(), [])

    for (const response of [none, text, streamed]) {
      assert.equal(response.isBodyTaken, false)
      void response.toNative()
      assert.equal(response.isBodyTaken, false)
    }
  })

  it('is true once reading has begun or ended', async () => {
    const make = [
      (): LightResponse => new LightResponse(200, 'x', []),
      (): LightResponse => new LightResponse(200, stream(), []),
    ]
    for (const each of make) {
      const [begun, ended] = [each(), each()]
      const reader = begun.body?.getReader()
      await ended.text()

      assert.ok(reader !== undefined)
      assert.equal(begun.isBodyTaken, true)
      assert.equal(ended.isBodyTaken, true)
      assert.equal(ended.bodyUsed, true)
    }
    const locked = stream()
    locked.getReader()
    assert.equal(new LightResponse(200, locked, []).isBodyTaken, true)
  })
})

describe('LightResponse.toSent()', () => {
  it('is the only response of the platform when the body is not a stream', () => {
    const response = textResponse(200, 'x', 'text/plain')

    assert.equal(response.toSent(), response.toNative())
  })

  it('keeps status and headers when it is one', async () => {
    const response = new LightResponse(203, new Blob(['x']).stream(), ['x-a', '1'])

    const sent = response.toSent()

    assert.deepEqual([sent.status, sent.headers.get('x-a'), await sent.text()], [203, '1', 'x'])
  })
})

describe('LightResponse.bodyFailed()', () => {
  it('returns whether there is a listener, and calls it', () => {
    const faults: unknown[] = []
    const response = textResponse(200, 'x', 'text/plain')
    const fault = new Error('the disk')

    assert.equal(response.bodyFailed(fault), false)
    response.onBodyFault((heard) => faults.push(heard))
    assert.equal(response.bodyFailed(fault), true)
    assert.deepEqual(faults, [fault])
  })
})

describe('LightResponse.from()', () => {
  it('drops headers that frame the body on a connection, of the platform and of others', () => {
    const headers = { 'Transfer-Encoding': 'chunked', Trailer: 'x', 'x-a': '1' }
    const foreign = {
      [Symbol.toStringTag]: 'Response',
      status: 200,
      headers: new Map(Object.entries(headers)),
      body: null,
    } as unknown as Response

    for (const response of [new Response(null, { headers }), foreign])
      assert.deepEqual(LightResponse.from(response).headerLines(), ['x-a', '1'])
  })
})

describe('LightResponse.from()', () => {
  for (const status of [204, 205, 304]) {
    it(`cancels the source of a body that ${status} does not allow, even if it cannot be cancelled [HOST-04]`, async (t) => {
      const unhandled: unknown[] = []
      const listen = (reason: unknown): void => void unhandled.push(reason)
      process.on('unhandledRejection', listen)
      t.after(() => process.off('unhandledRejection', listen))
      let stops = 0
      const cancel = (): Promise<void> => {
        stops++
        return Promise.reject(new Error('the disk'))
      }
      const members = { status, headers: new Map(), body: new ReadableStream({ cancel }) }

      const light = LightResponse.from({
        [Symbol.toStringTag]: 'Response',
        ...members,
      } as unknown as Response)
      await sleep(2)

      assert.deepEqual([light.status, light.payload, stops, unhandled], [status, null, 1, []])
    })
  }
})

describe('LightResponse.ok', () => {
  for (const [status, ok] of [
    [199, false],
    [200, true],
    [299, true],
    [300, false],
  ] as const) {
    it(`is ${ok} for ${status}`, () => {
      assert.equal(new LightResponse(status, null, []).ok, ok)
    })
  }
})
