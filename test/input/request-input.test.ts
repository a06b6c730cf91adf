import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { FetchSource } from '../../src/http/internal.ts'
import {
  HttpException,
  PayloadTooLargeException,
  UnsupportedMediaTypeException,
} from '../../src/http/index.ts'
import { DEFAULT_INPUT_LIMITS, parseForm, readInput, validateInput } from '../../src/input/internal.ts'
import { InputException, type StandardSchema, ValidationException } from '../../src/input/index.ts'

const LIMITS = { ...DEFAULT_INPUT_LIMITS, fields: 10 }
const FORM = 'application/x-www-form-urlencoded'

async function read(
  query: string,
  body?: { text: string; type?: string; method?: string },
): Promise<unknown> {
  const headers = body?.type === undefined ? {} : { 'content-type': body.type }
  const init =
    body === undefined ? {} : { method: body.method ?? 'POST', body: Buffer.from(body.text), headers }
  const source = new FetchSource(new Request('http://localhost/', init), { bodyBytes: 1000 })
  return readInput({ source, query, form: await parseForm(source, LIMITS), limits: LIMITS })
}

function plain(value: unknown): unknown {
  return { ...(value as object) }
}

describe('readInput()', () => {
  it('reads the query; a name that occurs several times is a list', async () => {
    assert.deepEqual(plain(await read('a=1&b=x+y&a=2&c')), { a: ['1', '2'], b: 'x y', c: '' })
    assert.deepEqual(plain(await read('')), {})
  })

  it('reads a form without the fields of the framework', async () => {
    assert.deepEqual(plain(await read('', { text: 'a=1&a=2&b=3&_csrf=x&_method=PUT', type: FORM })), {
      a: ['1', '2'],
      b: '3',
    })
  })

  for (const type of ['application/json', 'application/json; charset=utf-8', 'application/vnd.api+json']) {
    it(`reads a body of type ${type}`, async () => {
      assert.deepEqual(plain(await read('', { text: '{"a":{"b":[1]}}', type })), { a: { b: [1] } })
    })
  }

  for (const [what, headers] of [
    ['of another charset', { 'content-type': 'application/json; charset=utf-16' }],
    ['of another charset, with a suffix', { 'content-type': 'application/x+json; charset="latin1"' }],
    ['that is compressed', { 'content-type': 'application/json', 'content-encoding': 'gzip' }],
  ] as const) {
    it(`answers 415 to JSON ${what} [HOLD-07]`, async () => {
      const request = new Request('http://localhost/', { method: 'POST', body: '{}', headers })
      const source = new FetchSource(request, { bodyBytes: 1000 })

      await assert.rejects(
        async () => readInput({ source, query: '', form: null, limits: LIMITS }),
        UnsupportedMediaTypeException,
      )
    })
  }

  it('answers 400 to JSON and to a query that are not valid UTF-8 [HOLD-07]', async () => {
    const request = new Request('http://localhost/', {
      method: 'POST',
      body: Uint8Array.of(0x22, 0xe9, 0x22),
      headers: { 'content-type': 'application/json' },
    })
    const source = new FetchSource(request, { bodyBytes: 1000 })

    await assert.rejects(
      async () => readInput({ source, query: '', form: null, limits: LIMITS }),
      InputException,
    )
    for (const query of ['a=%ff', '%e9=1', 'a=%ed%a0%80', 'a=1&b=%c0%af'])
      await assert.rejects(read(query), InputException)
  })

  it('returns a JSON body that is not an object unchanged when there is no query', async () => {
    assert.deepEqual(await read('', { text: '[1,2]', type: 'application/json' }), [1, 2])
    assert.equal(await read('', { text: 'null', type: 'application/json' }), null)
    await assert.rejects(read('a=1', { text: '[1,2]', type: 'application/json' }), InputException)
  })

  it('merges query and body; a name in both must have the same value', async () => {
    const json = 'application/json'

    assert.deepEqual(
      plain(
        await read('a=1&t=true&l=x&l=y&s=', {
          text: '{"a":1,"b":2,"t":true,"l":["x","y"],"s":""}',
          type: json,
        }),
      ),
      {
        a: 1,
        b: 2,
        t: true,
        l: ['x', 'y'],
        s: '',
      },
    )
    for (const [query, text] of [
      ['a=1', '{"a":2}'],
      ['a=1', '{"a":["1"]}'],
      ['a=1&a=2', '{"a":"1"}'],
      ['a=null', '{"a":null}'],
      ['a=1', '{"a":{"x":1}}'],
      ['a=1&a=2', '{"a":["2","1"]}'],
    ] as const) {
      await assert.rejects(read(query, { text, type: json }), InputException, `${query} ${text}`)
    }
    await assert.rejects(read('a=1', { text: 'a=2', type: FORM }), InputException)
    assert.deepEqual(plain(await read('a=1', { text: 'a=1', type: FORM })), { a: '1' })
  })

  for (const [what, query, body] of [
    ['query', '__proto__=x&constructor=1&__proto__=y', undefined],
    ['form', '', { text: '__proto__=x&constructor=1', type: FORM }],
    ['JSON', '', { text: '{"__proto__":{"admin":true},"constructor":"1"}', type: 'application/json' }],
  ] as const) {
    it(`cannot change a prototype by the ${what}`, async () => {
      const input = await read(query, body)

      const copy = Object.assign({}, input) as Record<string, unknown>
      assert.equal(Object.getPrototypeOf(copy), Object.prototype)
      assert.equal(Object.hasOwn(copy, '__proto__'), false)
      assert.equal(copy['constructor'], '1')
    })
  }

  it('answers 400 to a body of broken JSON', async () => {
    await assert.rejects(read('', { text: '{', type: 'application/json' }), InputException)
  })

  for (const [what, body, message] of [
    ['no type', { text: 'a=1' }, /^The body has no content type; send one of application\/json, /],
    [
      'an unread type',
      { text: 'a=1', type: 'text/plain' },
      /^A body of type text\/plain is not read here; send/,
    ],
    ['a malformed type', { text: '{}', type: 'json' }, /^A body of type json is not read here; send/],
  ] as const) {
    it(`answers 415 to a body of ${what}, and names the types that are read`, async () => {
      const types = 'application/json, application/x-www-form-urlencoded, multipart/form-data'
      for (const [method, header] of [
        ['POST', 'accept-post'],
        ['PATCH', 'accept-patch'],
        ['PUT', 'accept'],
      ] as const) {
        await assert.rejects(read('', { ...body, method }), (error) => {
          assert.ok(error instanceof UnsupportedMediaTypeException)
          assert.match(error.message, message)
          assert.equal(error.headers['accept'], types)
          assert.equal(error.headers[header], types)
          return true
        })
      }
    })
  }

  it('treats an empty body as none', async () => {
    assert.deepEqual(plain(await read('a=1', { text: '', type: 'application/json' })), { a: '1' })
  })

  it('answers 413 to more fields than allowed, in query and form', async () => {
    const many = Array.from({ length: 11 }, (_, i) => `f${i}=1`).join('&')

    await assert.rejects(read(many), PayloadTooLargeException)
    await assert.rejects(read('', { text: many, type: FORM }), PayloadTooLargeException)
  })
})

describe('validateInput()', () => {
  function schema(validate: StandardSchema['~standard']['validate']): StandardSchema {
    return { '~standard': { version: 1, vendor: 'test', validate } }
  }

  it('returns what the schema returns, also later', async () => {
    assert.equal(
      await validateInput(
        schema((value) => ({ value: Number(value) * 2 })),
        '21',
      ),
      42,
    )
    assert.equal(
      await validateInput(
        schema(async (value) => ({ value })),
        'x',
      ),
      'x',
    )
  })

  it('creates a violation for each issue, with its field and its message [LOGIN-11]', async () => {
    const refusing = schema(() => ({
      issues: [
        { message: 'is required', path: ['name'] },
        { message: 'too small', path: [{ key: 'items' }, 0, { key: 'n' }] },
        { message: 'no' },
        { message: 'odd', path: [Symbol('s')] },
      ],
    }))

    await assert.rejects(
      async () => validateInput(refusing, {}),
      (error: unknown) => {
        assert.ok(error instanceof ValidationException && error instanceof HttpException)
        assert.equal(error.status, 422)
        assert.deepEqual(
          error.violations.map(({ field, code, fallback, domain }) => [field, code, fallback, domain]),
          [
            ['name', 'invalid', 'is required', 'validation'],
            ['items.0.n', 'invalid', 'too small', 'validation'],
            [null, 'invalid', 'no', 'validation'],
            ['Symbol(s)', 'invalid', 'odd', 'validation'],
          ],
        )
        return true
      },
    )
  })

  for (const [what, issues] of [
    ['no issue', []],
    ['an issue that is null', [null]],
    ['an issue without a message', [{}]],
    ['a message that is not a string', [{ message: { toString: () => 'x' } }]],
    ['an empty message', [{ message: '' }]],
    ['a path that is not a list', [{ message: 7, path: 'name' }]],
  ] as const) {
    it(`refuses, in general words, what a schema refuses with ${what}`, async () => {
      await assert.rejects(
        async () => validateInput(answering({ issues }), {}),
        (error: unknown) => {
          assert.ok(error instanceof ValidationException)
          assert.deepEqual(
            error.violations.map(({ field, fallback }) => [field, fallback]),
            [[null, 'Invalid value']],
          )
          return true
        },
      )
    })
  }

  it('handles an invalid part of a path', async () => {
    const issues = [{ message: 'no', path: [{ key: 'a' }, null, {}, 1n, 0] }]

    await assert.rejects(
      async () => validateInput(answering({ issues }), {}),
      (error: unknown) => error instanceof ValidationException && error.violations[0]?.field === 'a.*.*.*.0',
    )
  })

  for (const [what, answer] of [
    ['undefined', undefined],
    ['null', null],
    ['a boolean', true],
    ['an empty object', {}],
    ['issues that are null', { issues: null, value: 1 }],
    ['issues that are no list', { issues: new Set([{ message: 'no' }]) }],
    ['issues that are a string', { issues: 'no', value: 1 }],
  ] as const) {
    it(`names the library of a schema that returns ${what}, immediately and later`, async () => {
      for (const given of [answer, Promise.resolve(answer)]) {
        await assert.rejects(
          async () => validateInput(answering(given), {}),
          (error: unknown) => error instanceof TypeError && error.message.includes('"test"'),
        )
      }
    })
  }

  function answering(answer: unknown): StandardSchema {
    return schema(() => answer as { value: unknown })
  }
})
