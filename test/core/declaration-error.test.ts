import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import {
  assertCallback,
  assertNoPromise,
  assertOptions,
  declarationError,
  inDeclaration,
} from '../../src/core/internal.ts'

const PLACE = /\(\S+declaration-error\.test\.ts:\d+\)$/

describe('declarationError()', () => {
  it('names the place of the declaration, in the requested class', () => {
    const cause = new Error('behind')
    const error = declarationError('Cannot do it', RangeError, { cause })

    assert.ok(error instanceof RangeError)
    assert.match(error.message, PLACE)
    assert.equal(error.cause, cause)
    assert.ok(declarationError('Cannot do it') instanceof TypeError)
  })
})

describe('inDeclaration()', () => {
  it('adds what it belongs to before the message of a programming mistake, and its place after it', () => {
    const fault = new TypeError('x is not a function')
    const told = inDeclaration(fault, 'Cannot configure module "Shop"')

    assert.ok(told instanceof TypeError)
    assert.match(told.message, /^Cannot configure module "Shop"\. x is not a function \(/)
    assert.match(told.message, PLACE)
    assert.equal(told.cause, fault)
    assert.ok(inDeclaration(new RangeError('x'), 'y') instanceof RangeError)
  })

  it('names only one place, and leaves every other error unchanged', () => {
    const other = new Error('no database')
    const told = inDeclaration(declarationError('Cannot do it'), 'Cannot boot')

    assert.equal(inDeclaration(other, 'Cannot boot'), other)
    assert.equal(inDeclaration('text', 'Cannot boot'), 'text')
    assert.ok(told instanceof TypeError)
    assert.equal(told.message.match(/declaration-error\.test\.ts:\d+/g)?.length, 1)
  })
})

describe('assertCallback()', () => {
  it('refuses a value that is not a function, or works asynchronously', () => {
    for (const given of [undefined, {}, 'x', async () => undefined, function* each() {}])
      assert.throws(() => assertCallback(given, 'declare'), { name: 'TypeError', message: PLACE })
    assertCallback(() => undefined, 'declare')
  })
})

describe('assertNoPromise()', () => {
  it('refuses a promise, and handles its rejection', async () => {
    const unhandled: unknown[] = []
    const listen = (reason: unknown): void => void unhandled.push(reason)
    process.on('unhandledRejection', listen)
    try {
      assert.throws(() => assertNoPromise(Promise.reject(new Error('late')), 'declare', 'app.ts:3'), {
        name: 'TypeError',
        message: /^Cannot declare with a function that returns a promise.*\(app\.ts:3\)$/,
      })
      await new Promise((resolve) => setImmediate(resolve))
    } finally {
      process.off('unhandledRejection', listen)
    }

    assert.deepEqual(unhandled, [])
    assertNoPromise({}, 'declare')
  })
})

describe('assertOptions()', () => {
  it('refuses a value that is not an object, and unknown options', () => {
    for (const given of [null, undefined, 5, [], Promise.resolve(), { b: 1 }])
      assert.throws(() => assertOptions(given, ['a'], 'it'), { name: 'TypeError', message: PLACE })
    assertOptions({ a: undefined }, ['a', 'b'], 'it')
  })
})
