import assert from 'node:assert/strict'
import { PassThrough, Readable, Writable } from 'node:stream'
import { describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { runInNewContext } from 'node:vm'

import { jsonText } from '../../src/http/json-text.ts'

describe('jsonText()', () => {
  it('names the kind, the key and what to do', () => {
    assert.throws(() => jsonText(new Set()), {
      name: 'TypeError',
      message:
        'Cannot write a value of type Set as JSON, which would lose its content: convert it to an object, an array or a string',
    })
    assert.throws(() => jsonText({ a: [{ user: Promise.resolve() }] }), {
      message: 'Cannot write "user", of type Promise, as JSON, which would lose its content: await it',
    })
  })

  it('recognizes the kinds of other realms, and their plain objects', () => {
    assert.throws(() => jsonText({ a: runInNewContext('new Map()') as unknown }), /"a", of type Map/)
    assert.throws(() => jsonText(runInNewContext('new RangeError("x")')), /of type Error/)
    assert.equal(jsonText({ a: runInNewContext('({})') as unknown }), '{"a":{}}')
  })

  it('writes what JSON.stringify does', () => {
    for (const value of [null, 5, NaN, 'a{}', true, [], [undefined], { a: undefined }, [[{}]], new Date(0)])
      assert.equal(jsonText(value), JSON.stringify(value))
  })

  it('refuses values without a JSON form', () => {
    for (const [value, kind] of [
      [undefined, 'undefined'],
      [() => 1, 'function'],
      [Symbol('x'), 'symbol'],
      [{ toJSON: () => undefined }, 'object'],
    ] as const)
      assert.throws(() => jsonText(value), { name: 'TypeError', message: `Cannot write ${kind} as JSON` })
  })

  for (const value of [
    [].values(),
    new ArrayBuffer(1),
    (async function* () {})(),
    new Blob(['x']),
    new DOMException('x'),
    new Error('x'),
    new File(['x'], 'x'),
    new FormData(),
    (function* () {})(),
    new Headers({ a: 'b' }),
    [].values().map(String),
    new Map([[1, 2]]).keys(),
    new Map([[1, 2]]),
    Promise.resolve(1),
    new ReadableStream(),
    /x/,
    new Request('http://app.test/'),
    new Response('x'),
    new Set([1]).keys(),
    new Set([1]),
    new SharedArrayBuffer(1),
    new TransformStream(),
    new URLSearchParams('a=b'),
    new WeakMap(),
    new WeakRef({}),
    new WeakSet(),
    new WritableStream(),
  ]) {
    const kind = Object.prototype.toString.call(value).slice(8, -1)

    it(`refuses what JSON would empty: ${kind}, by itself and within others`, () => {
      const message = new RegExp(`of type ${kind}\\b`)
      for (const given of [value, [value], { a: value }, { a: {}, b: [[{ c: value }]] }])
        assert.throws(() => jsonText(given), { name: 'TypeError', message })
      // Unless it says itself what it is in JSON.
      const told = Object.create(value, { toJSON: { value: () => ({}) } }) as object
      assert.equal(jsonText({ told, empty: {} }), '{"told":{},"empty":{}}')
    })
  }

  it('refuses an error even with members of its own, because its message is lost', () => {
    assert.throws(() => jsonText(Object.assign(new Error('x'), { code: 'E' })), /of type Error as JSON/)
    assert.equal(jsonText(Object.assign(new Error('x'), { toJSON: () => 'x' })), '"x"')
  })

  for (const value of [new Map(), new Set(), new Headers(), /x/, new ArrayBuffer(1), new DOMException('x')]) {
    const kind = Object.prototype.toString.call(value).slice(8, -1)

    it(`refuses the whole value even with members of its own: ${kind} [HOLD-24]`, () => {
      assert.throws(
        () => jsonText(Object.assign(value, { owner: 'ada' })),
        new RegExp(`of type ${kind} as JSON`),
      )
    })
  }

  for (const stream of [Readable.from(['x']), new PassThrough(), new Writable()]) {
    it(`refuses a stream of Node: ${stream.constructor.name} [HOLD-24]`, () => {
      assert.throws(() => jsonText(stream), /^TypeError: Cannot write a value of type stream as JSON/)
      assert.throws(
        () => jsonText([{ file: stream }]),
        /^TypeError: Cannot write "file", of type stream, as JSON/,
      )
      assert.throws(() => jsonText({ toJSON: () => stream }), /of type stream as JSON/)
      assert.equal(jsonText(Object.assign(stream, { toJSON: () => ({ a: {} }) })), '{"a":{}}')
    })
  }

  it('writes an object that only has the name of a stream [HOLD-24]', () => {
    for (const value of [{ pipe: 'a', on: true, a: {} }, { pipe() {}, a: {} }, { a: { on() {} } }])
      assert.equal(jsonText(value), JSON.stringify(value))
  })

  it('keeps the promise that it refuses from ending the process', async (t) => {
    const unhandled: unknown[] = []
    const listen = (reason: unknown): void => void unhandled.push(reason)
    process.on('unhandledRejection', listen)
    t.after(() => process.off('unhandledRejection', listen))

    assert.throws(() => jsonText({ a: Promise.reject(new Error('no row')) }), /"a", of type Promise/)
    await sleep(2)

    assert.deepEqual(unhandled, [])
  })

  it('trusts the toJSON() of a value, whatever it returns', () => {
    class Told {
      readonly held = new Map()
      toJSON(): object {
        return {}
      }
    }

    assert.equal(jsonText([new Told(), {}, null, 'a']), '[{},{},null,"a"]')
    assert.throws(() => jsonText([new Told(), { a: new Map() }]), /"a", of type Map/)
  })

  it('names the position in a list, too', () => {
    assert.throws(() => jsonText(['a', new Set()]), /"1", of type Set, as JSON/)
  })

  it('accepts values of any depth that JSON accepts', () => {
    let deep: unknown = {}
    for (let i = 0; i < 1000; i++) deep = { deep }

    assert.equal(jsonText(deep), JSON.stringify(deep))
  })

  it('refuses a promise, at any depth, unless it has a toJSON()', () => {
    const query = (members: object): unknown => ({ then: () => undefined, ...members })

    for (const value of [query({}), query({ sql: 'SELECT 1' }), { a: [query({})] }, Promise.resolve(1)])
      assert.throws(() => jsonText(value), /^TypeError: .* of type Promise.*await it$/)
    assert.equal(jsonText(query({ toJSON: () => ({ a: 1 }) })), '{"a":1}')
  })

  it('refuses bytes', () => {
    for (const value of [new Uint8Array([1, 2]), Buffer.from('x'), new DataView(new ArrayBuffer(2))])
      assert.throws(() => jsonText(value), /^TypeError: Cannot write \w+ as JSON: convert it to a string$/)
  })

  for (const value of [
    new Uint8Array(2),
    new Uint8Array(),
    new Float64Array([1.5]),
    new BigUint64Array(),
    Buffer.from('x'),
    Buffer.alloc(0),
    new DataView(new ArrayBuffer(2)),
    runInNewContext('new Uint8Array(2)') as object,
    { toJSON: () => new Uint8Array(3) },
  ]) {
    const kind = Object.prototype.toString.call(value).slice(8, -1)

    it(`refuses bytes within others: ${kind} [HOLD-24]`, () => {
      for (const given of [{ a: value }, { b: {}, a: { c: [{ a: value }] } }])
        assert.throws(() => jsonText(given), {
          name: 'TypeError',
          message: /^Cannot write "a", of type \w+, as JSON: convert it to a string$/,
        })
      assert.throws(() => jsonText([value]), /^TypeError: Cannot write "0", of type \w+, as JSON/)
    })
  }

  it('writes objects that look like bytes', () => {
    for (const value of [{ 0: 1, 1: 2 }, { a: { 0: 'x' } }, { type: 'Buffer', data: [1] }, [{ a: '{"0":' }]])
      assert.equal(jsonText(value), JSON.stringify(value))
    const told = Object.assign(new Uint8Array(1), { toJSON: () => ({ hex: '00', empty: {} }) })
    assert.equal(jsonText({ told }), '{"told":{"hex":"00","empty":{}}}')
  })

  it('refuses a result of toJSON() that JSON would empty', () => {
    const model = (given: unknown): unknown => ({ id: 1, toJSON: () => given })

    for (const value of [
      model(new Map([[1, 2]])),
      { a: [model(new Set())] },
      model({ tags: new Set() }),
      model({ a: model(new Map()) }),
    ])
      assert.throws(() => jsonText(value), /^TypeError: .*of type (?:Map|Set)/)
    assert.equal(jsonText([model({}), model([]), model('{}')]), '[{},[],"{}"]')
  })
})
