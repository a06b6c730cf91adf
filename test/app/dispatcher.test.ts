import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { View, ViewEngine } from 'sallyport/view'

import { browser, Faults } from './fixture.ts'

class PlainEngine extends ViewEngine {
  override render(template: string, data: Readonly<Record<string, unknown>>): Promise<string> {
    return Promise.resolve(`${template}:${String(data['name'])}`)
  }
}

describe('what an action returns', () => {
  for (const [what, value, status, type, body] of [
    [
      'a Response',
      () => new Response('own', { status: 201, headers: { 'content-type': 'text/x' } }),
      201,
      'text/x',
      'own',
    ],
    ['a string', () => '<p>hi</p>', 200, 'text/html; charset=utf-8', '<p>hi</p>'],
    ['an empty string', () => '', 200, 'text/html; charset=utf-8', ''],
    ['an object', () => ({ a: 1 }), 200, 'application/json; charset=utf-8', '{"a":1}'],
    ['an array', () => [1, null], 200, 'application/json; charset=utf-8', '[1,null]'],
    [
      'an object without a prototype',
      () => Object.assign(Object.create(null) as object, { a: 1 }),
      200,
      'application/json; charset=utf-8',
      '{"a":1}',
    ],
    ['null', () => null, 204, null, ''],
    ['undefined', () => undefined, 204, null, ''],
    [
      'a view',
      () => new View('page', { name: 'x' }, { status: 422 }),
      422,
      'text/html; charset=utf-8',
      'page:x',
    ],
  ] as const) {
    it(`answers ${what}, immediately and later`, async () => {
      const client = browser(
        { 'GET /now': value, 'GET /later': async () => value() },
        {
          configure: (app) => app.configure((definitions) => definitions.set(ViewEngine, new PlainEngine())),
        },
      )

      for (const path of ['/now', '/later']) {
        const response = await client.get(path)
        assert.equal(response.status, status)
        assert.equal(response.headers.get('content-type'), type)
        assert.equal(await response.text(), body)
      }
    })
  }

  for (const [what, value] of [
    ['a number', 5],
    ['a boolean', true],
    ['a symbol', Symbol('x')],
    ['a bigint', 5n],
    ['a function', () => 1],
  ] as const) {
    it(`responds with 500 to ${what} and reports what to return`, async () => {
      const faults = new Faults()
      const client = browser({ 'GET /': () => value }, { configure: faults.listen })

      assert.equal((await client.get('/')).status, 500)
      assert.match(
        faults.messages[0] ?? '',
        /return a Response, a view, a string, an object, an array or nothing/,
      )
    })
  }

  const cyclic: { self?: unknown } = {}
  cyclic.self = cyclic
  for (const [what, value] of [
    ['a bigint', () => ({ a: 5n })],
    ['a cycle', () => cyclic],
    ['a Map', () => new Map([['a', 1]])],
    ['an empty Set', () => new Set()],
    ['an Error', () => Object.assign(new Error('no'), { code: 1 })],
    ['a RegExp', () => /a/],
    ['URLSearchParams', () => new URLSearchParams('a=1')],
    ['FormData', () => new FormData()],
    ['Headers', () => new Headers({ a: '1' })],
    ['an ArrayBuffer', () => new ArrayBuffer(3)],
    ['an iterator', () => [1].values()],
    ['a Map inside', () => ({ list: [{ empty: {}, counts: new Map() }] })],
    ['a promise inside', () => ({ user: Promise.resolve({ name: 'Ada' }) })],
    ['a Map of a subclass inside', () => [new (class extends Map<string, string> {})()]],
  ] as const) {
    it(`responds with 500 to what JSON cannot represent: ${what}`, async () => {
      const faults = new Faults()
      const answers = { 'GET /now': value, 'GET /later': async () => value() }
      const client = browser(answers, { configure: faults.listen })

      for (const path of ['/now', '/later']) assert.equal((await client.get(path)).status, 500)
      assert.equal(faults.seen.length, 2)
      for (const message of faults.messages)
        assert.match(message, /^Cannot respond with what Pages\.answer[01] /)
    })
  }

  for (const [value, text] of [
    [{ a: {}, b: [{}], c: '{}' }, '{"a":{},"b":[{}],"c":"{}"}'],
    [new (class Empty {})(), '{}'],
    [
      { at: new Date(0), u: new URL('http://a.test') },
      '{"at":"1970-01-01T00:00:00.000Z","u":"http://a.test/"}',
    ],
    [Object.assign(new Map(), { toJSON: () => ({}) }), '{}'],
    [{ m: Object.assign(new Map(), { toJSON: () => ({ a: 1 }) }), e: {} }, '{"m":{"a":1},"e":{}}'],
  ] as const) {
    it(`answers with everything that JSON can represent: ${text}`, async () => {
      const faults = new Faults()
      const client = browser({ 'GET /': () => value }, { configure: faults.listen })

      assert.equal(await (await client.get('/')).text(), text)
      assert.deepEqual(faults.seen, [])
    })
  }

  it('answers with an object of any depth', async () => {
    let deep: object = {}
    for (let i = 0; i < 3000; i++) deep = { deep }

    const answer = await browser({ 'GET /': () => deep }).get('/')

    assert.equal(answer.status, 200)
  })

  it('answers with a stream only in a Response', async () => {
    const stream = (): ReadableStream => new Blob(['abc']).stream()
    const client = browser(
      {
        'GET /wrapped': () => new Response(stream()),
        'GET /bare': () => stream(),
        'GET /bytes': () => Buffer.from('abc'),
      },
      { configure: new Faults().listen },
    )

    assert.equal(await (await client.get('/wrapped')).text(), 'abc')
    assert.equal((await client.get('/bare')).status, 500)
    assert.equal((await client.get('/bytes')).status, 500)
  })

  for (const [headers, status, type] of [
    [{ 'content-type': 'application/xhtml+xml' }, 200, 'application/xhtml+xml'],
    [{ 'Content-Length': '3' }, 500, 'text/html; charset=utf-8'],
    [{ 'content-length': '0x5' }, 500, 'text/html; charset=utf-8'],
    [{ 'x-a': 'a\u0007' }, 500, 'text/html; charset=utf-8'],
  ] as const) {
    it(`checks the headers of a view before it is sent: ${JSON.stringify(headers)} [HOLD-49]`, async () => {
      const faults = new Faults()
      const client = browser(
        { 'GET /': () => new View('page', { name: 'x' }, { headers }) },
        {
          configure: (app) => {
            faults.listen(app)
            app.configure((definitions) => definitions.set(ViewEngine, new PlainEngine()))
          },
        },
      )

      const answer = await client.get('/')

      assert.deepEqual([answer.status, answer.headers.get('content-type')], [status, type])
      assert.equal(faults.seen.length, status === 500 ? 1 : 0)
    })
  }

  it('responds with 500 to a view without an engine, and says what to register', async () => {
    const faults = new Faults()
    const client = browser({ 'GET /': () => new View('page') }, { configure: faults.listen })

    assert.equal((await client.get('/')).status, 500)
    assert.match(faults.messages[0] ?? '', /ViewEngine/)
  })
})
