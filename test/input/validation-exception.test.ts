import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { HttpException } from '../../src/http/index.ts'
import { ValidationException, ValidationResult, Violation } from '../../src/input/index.ts'

const FIELDS = {
  field: null,
  code: 'invalid_credentials',
  messageId: 'invalid_credentials',
  fallback: 'Invalid credentials',
  domain: 'auth',
} as const

describe('Violation', () => {
  it('has a field or null, and four strings [LOGIN-11]', () => {
    const whole = new Violation(FIELDS)
    const one = new Violation({ ...FIELDS, field: 'email' })

    assert.deepEqual({ ...whole }, FIELDS)
    assert.equal(one.field, 'email')
    assert.deepEqual(JSON.parse(JSON.stringify(whole)), FIELDS)
  })
})

describe('ValidationException', () => {
  it('is built from a validator’s result [LOGIN-12]', () => {
    const violation = new Violation(FIELDS)
    const result = new ValidationResult([violation])

    const error = new ValidationException(result)

    assert.ok(error instanceof HttpException)
    assert.equal(error.status, 422)
    assert.deepEqual(error.violations, [violation])
    assert.equal(result.isValid, false)
  })

  it('is built from violations of any iterable, in their order [LOGIN-12]', () => {
    const violations = ['a', 'b'].map((field) => new Violation({ ...FIELDS, field }))

    assert.deepEqual(
      new ValidationException(new Set(violations)).violations.map(({ field }) => field),
      ['a', 'b'],
    )
  })

  it('cannot be built without a violation', () => {
    assert.throws(() => new ValidationException([]), TypeError)
    assert.throws(() => new ValidationException(new ValidationResult()), TypeError)
    assert.equal(new ValidationResult().isValid, true)
  })
})
