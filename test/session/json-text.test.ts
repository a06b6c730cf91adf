import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { isDeepStrictEqual } from 'node:util'

import { textOf, valueOf } from '../../src/session/json-text.ts'

describe('the JSON of an entry', () => {
  for (const value of [
    '',
    'a',
    '"',
    '"a"',
    'a"b',
    '\\',
    '\\"',
    'a\\',
    '\n\u0000\u2028',
    'é€\u{1f600}',
    '\ud800',
    '[1]',
    'null',
    5,
    -0.5,
    true,
    null,
    [],
    ['a', 'b'],
    { a: 'b', c: [null] },
  ]) {
    it(`returns ${JSON.stringify(value)}`, () => {
      assert.deepEqual(valueOf(textOf('key', value)), value)
    })
  }

  it('returns a copy', () => {
    const value = { a: [1] }

    assert.notEqual(valueOf(textOf('key', value)), value)
  })

  for (const text of ['', '"', '"a', 'a"', "'a'", '"\\"', '{', '"a"b"', '"a\u0000"', '"a\n"', '']) {
    it(`is not ${text || 'nothing'}`, () => {
      assert.throws(() => valueOf(text), SyntaxError)
    })
  }

  const cyclic: Record<string, unknown> = {}
  cyclic['self'] = { list: [cyclic] }
  const matched = /(?<year>\d+)/.exec('2026')
  for (const [value, sentence] of [
    [undefined, 'its value is undefined'],
    [() => undefined, 'its value is a function'],
    [Symbol('a'), 'its value is a symbol'],
    [1n, 'its value is a bigint'],
    [Number.NaN, 'its value is NaN'],
    [Number.POSITIVE_INFINITY, 'its value is Infinity'],
    [{ a: [1, { 'b c': -0 }] }, '.a[1]["b c"] is -0'],
    [{ at: new Date() }, '.at is an instance of Date, which JSON cannot restore'],
    [[new Map()], '[0] is an instance of Map, which JSON cannot restore'],
    [{ a: { b: undefined } }, '.a.b is undefined'],
    [{ 1: Number.NaN }, '.1 is NaN'],
    [{ 'a1 ': Number.NaN }, '["a1 "] is NaN'],
    [Array.from({ length: 2 }).fill(1, 0, 1), '[1] is undefined'],
    // A hole, which the linter does not want to be written.
    [Object.assign(Array(2), { 1: 1 }), 'its value is a list with holes'],
    [Object.assign([1], { extra: 1 }), 'its value is a list with members of its own'],
    [{ matched }, '.matched is a list with members of its own'],
    [{ groups: matched?.groups }, '.groups is an object without a prototype: spread it, { ...value }'],
    [{ [Symbol('a')]: 1 }, 'its value is an object with a symbol for a key'],
    [Object.assign([1], { [Symbol('a')]: 1 }), 'its value is an object with a symbol for a key'],
    [Object.defineProperty({ a: 1 }, 'b', { value: 2 }), '.b is not enumerable'],
    [
      {
        a: [
          {
            get b() {
              return 1
            },
          },
        ],
      },
      '.a[0].b is a getter or a setter',
    ],
    [{ set b(_: number) {} }, '.b is a getter or a setter'],
    [Object.defineProperty([1], 'b', { value: 2 }), '.b is not enumerable'],
    [Object.defineProperty([1], '1x', { value: 2 }), '.1x is not enumerable'],
    [Object.defineProperty([1], 'x1', { value: 2 }), '.x1 is not enumerable'],
    [Object.assign([1], { x1: 1 }), 'its value is a list with members of its own'],
    [Object.assign([1], { '1x': 1 }), 'its value is a list with members of its own'],
    [{ ' a': undefined }, '[" a"] is undefined'],
    [{ $a_1: undefined }, '.$a_1 is undefined'],
    [Object.setPrototypeOf([1], Object.prototype), 'its value is a list with the prototype of an object'],
    [Object.create(Array.prototype), 'its value is an object with the prototype of a list'],
    [Object.create({ constructor: 5 }), 'its value is an instance of a class, which JSON cannot restore'],
    [Object.create({}), 'its value is an instance of Object, which JSON cannot restore'],
    [Object.defineProperty([1, 2], 1, { get: () => 2, enumerable: true }), '[1] is a getter or a setter'],
    [Object.defineProperty([1, 2], 1, { enumerable: false }), '[1] is not enumerable'],
    [Object.assign(Array(2), { 1: 1, extra: 1 }), 'its value is a list with members of its own'],
    [Object.defineProperty(Array(2), 'b', { value: 2 }), 'its value is a list with holes'],
    [Object.defineProperty(Array(1), 'b', { value: 2 }), '.b is not enumerable'],
    [Object.defineProperty({}, Symbol('a'), { value: 2 }), 'its value is an object with a symbol for a key'],
    [cyclic, '.self.list[0] is an object that contains itself'],
    [{ a: { toJSON: () => 1 } }, '.a.toJSON is a function'],
    [new String('a'), 'its value is an instance of String, which JSON cannot restore'],
    [Buffer.from('a'), 'its value is an instance of Buffer, which JSON cannot restore'],
    [new (class extends Array {})(), 'its value is an instance of a class, which JSON cannot restore'],
  ] as const) {
    it(`is not made from what JSON would change: ${sentence} [HOLD-24]`, () => {
      assert.throws(
        () => textOf('key', value as never),
        new TypeError(`Cannot keep "key" in the session: ${sentence}`),
      )
    })
  }

  it('accepts 500 levels, and no more [HOLD-24]', () => {
    let deep: unknown = 1
    for (let level = 0; level < 500; level++) deep = level % 2 === 0 ? [deep] : { a: deep }

    assert.deepEqual(valueOf(textOf('key', deep as never)), deep)
    assert.throws(
      () => textOf('key', [deep] as never),
      new TypeError(
        `Cannot keep "key" in the session: [0]${'.a[0]'.repeat(249)}.a is deeper than 500 levels`,
      ),
    )
  })

  it('is not made from what would overflow the stack of its reader [HOLD-24]', () => {
    let deep: unknown = 1
    for (let level = 0; level < 20_000; level++) deep = [deep]

    assert.throws(
      () => textOf('key', deep as never),
      /^TypeError: Cannot keep "key".*deeper than 500 levels$/,
    )
  })

  const fail = (): never => {
    throw new Error('a trap')
  }
  const revoked = Proxy.revocable({}, {})
  revoked.revoke()
  for (const [what, proxy] of [
    ['gives all as it is', new Proxy({ a: 1 }, {})],
    ['stands for a list', new Proxy([1], {})],
    ['gives a toJSON()', new Proxy({ a: 1 }, { get: (_, name) => (name === 'toJSON' ? () => 2 : 1) })],
    [
      'has a key that reads as undefined',
      new Proxy(
        { a: 1 },
        {
          ownKeys: () => ['a', 'b'],
          getOwnPropertyDescriptor: () => ({ value: 1, enumerable: true, configurable: true }),
        },
      ),
    ],
    ['throws', new Proxy({}, { get: fail, ownKeys: fail, getPrototypeOf: fail })],
    ['was revoked', revoked.proxy],
  ] as const) {
    it(`is not made from a proxy that ${what} [HOLD-24]`, () => {
      const fault = 'a proxy: copy its content into an object or a list'

      for (const [value, place] of [
        [proxy, 'its value'],
        [{ list: [proxy] }, '.list[0]'],
      ] as const)
        assert.throws(
          () => textOf('key', value as never),
          new TypeError(`Cannot keep "key" in the session: ${place} is ${fault}`),
        )
    })
  }

  for (const prototype of [
    new Proxy({}, { get: fail, getOwnPropertyDescriptor: fail }),
    {
      get constructor(): never {
        return fail()
      },
    },
    { constructor: new Proxy(class {}, { get: fail, getOwnPropertyDescriptor: fail }) },
    { constructor: Object.defineProperty(class {}, 'name', { get: fail }) },
  ]) {
    it('names the key whatever the prototype of a value does [HOLD-24]', () => {
      assert.throws(
        () => textOf('key', Object.create(prototype) as never),
        /^TypeError: Cannot keep "key" in the session: its value is an instance of a class/,
      )
    })
  }

  it('names no value, because it may be a secret [HOLD-24]', () => {
    class Secret {
      value = 'hunter2'
    }

    assert.throws(
      () => textOf('key', { a: new Secret(), b: 'hunter2' } as never),
      (error: Error) => {
        assert.doesNotMatch(error.message, /hunter2/)
        return error instanceof TypeError
      },
    )
  })

  it('returns everything that it accepts equal [HOLD-24]', () => {
    let taken = 0
    for (let seed = 1; seed <= 20_000; seed++) {
      const value = oddValue(seed)
      let text: string
      try {
        text = textOf('key', value as never)
      } catch (error) {
        assert.ok(error instanceof TypeError && error.message.startsWith('Cannot keep "key"'), `seed ${seed}`)
        continue
      }
      taken++
      assert.ok(isDeepStrictEqual(valueOf(text), value), `seed ${seed}: ${text}`)
    }
    assert.ok(taken > 2000 && taken < 18_000, String(taken))
  })
})

const LEAVES: readonly unknown[] = [
  0,
  -0,
  1.5,
  -1e300,
  Number.NaN,
  Number.NEGATIVE_INFINITY,
  '',
  '"',
  '\\',
  '\ud800',
  '\u0000',
  'é\u2028',
  true,
  false,
  null,
  undefined,
  10n,
  new Date(0),
  new Set([1]),
  new Uint8Array(2),
  Object.create(null),
  Object.create({ inherited: 1 }),
]
const NAMES = ['a', '__proto__', 'constructor', 'toString', '', '1', '\ud800"', 'b c']

// A value of a seed: mostly JSON, now and then something else.
function oddValue(seed: number): unknown {
  let state = seed
  const next = (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
  const make = (depth: number): unknown => {
    const kind = depth > 3 ? 0 : next(4)
    if (kind === 1) return Array.from({ length: next(4) }, () => make(depth + 1))
    if (kind === 2 || kind === 3) {
      const entries = Array.from({ length: next(4) }, () => [NAMES[next(NAMES.length)], make(depth + 1)])
      return Object.fromEntries(entries) as unknown
    }
    // The first half of the leaves more often.
    return LEAVES[next(3) === 0 ? next(LEAVES.length) : ([0, 2, 6, 7, 8, 9, 10, 11, 12, 14][next(10)] ?? 0)]
  }
  return make(0)
}
