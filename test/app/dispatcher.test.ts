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
    it(`answers ${what}, at once and later`, async () => {
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
    it(`answers 500 to ${what} and reports what to return`, async () => {
      const faults = new Faults()
      const client = browser({ 'GET /': () => value }, { configure: faults.listen })

      assert.equal((await client.get('/')).status, 500)
      assert.match(
        faults.messages[0] ?? '',
        /return a Response, a view, a string, an object, an array or nothing/,
      )
    })
  }

  it('answers 500 to what JSON cannot hold', async () => {
    const faults = new Faults()
    const client = browser({ 'GET /': () => ({ a: 5n }) }, { configure: faults.listen })

    assert.equal((await client.get('/')).status, 500)
    assert.equal(faults.seen.length, 1)
  })

  it('answers a stream with a Response only', async () => {
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

  it('answers 500 to a view without an engine, and says what to register', async () => {
    const faults = new Faults()
    const client = browser({ 'GET /': () => new View('page') }, { configure: faults.listen })

    assert.equal((await client.get('/')).status, 500)
    assert.match(faults.messages[0] ?? '', /ViewEngine/)
  })
})
