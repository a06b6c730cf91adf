import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { inOneLine, isDeferred, shown } from '../../src/core/internal.ts'

describe('shown()', () => {
  it('describes any value, short and on one line', () => {
    const values: readonly (readonly [unknown, string])[] = [
      [undefined, 'undefined'],
      [null, 'null'],
      ['a\nb', String.raw`"a\nb"`],
      ['a\u2028\u202e\u0085b', String.raw`"a\u2028\u202e\u0085b"`],
      [
        new Proxy(
          {},
          {
            getPrototypeOf: () => {
              throw new Error('no')
            },
          },
        ),
        'an object that cannot be read',
      ],
      ['x'.repeat(100), `"${'x'.repeat(59)}…`],
      [-0, '-0'],
      [Number.NaN, 'NaN'],
      [5n, '5'],
      [Symbol('s'), 'Symbol(s)'],
      [[], 'an empty list'],
      [[1, 2], 'a list of 2'],
      [{}, 'an object'],
      [Object.create(null), 'an object'],
      [new Map(), 'an instance of Map'],
      [Promise.resolve(), 'a promise'],
      [class Page {}, 'class Page'],
      [(() => class {})(), 'a class'],
      [function named() {}, 'function named'],
      [
        (
          () => () =>
            undefined
        )(),
        'a function',
      ],
      [
        (
          () => async () =>
            undefined
        )(),
        'an async function',
      ],
      [async function later() {}, 'async function later'],
      [function* each() {}, 'generator function each'],
    ]

    assert.deepEqual(
      values.map(([value]) => shown(value)),
      values.map(([, text]) => text),
    )
  })
})

describe('isDeferred()', () => {
  it('is true for functions whose call alone does not complete their work', () => {
    const deferred = [async () => undefined, function* each() {}, async function* later() {}]

    assert.deepEqual(deferred.map(isDeferred), [true, true, true])
    assert.deepEqual([() => undefined, class Page {}, undefined, {}].map(isDeferred), [
      false,
      false,
      false,
      false,
    ])
  })
})

describe('inOneLine()', () => {
  it('limits a message to 2,000 characters with its escapes, keeping start and end', () => {
    for (const filling of ['x', '\n', '\u2028', '\ud800', '😀', 'x\u202e']) {
      for (const count of [1000, 1990, 1991, 2000, 500_000]) {
        const message = inOneLine(`start ${filling.repeat(count)} end`)

        assert.ok(message.length <= 2000, `${message.length} of ${count}`)
        assert.match(message, /^start .* end$/)
        assert.ok(message.isWellFormed())
      }
    }
    assert.equal(inOneLine('x'.repeat(2000)), 'x'.repeat(2000))
  })
})
