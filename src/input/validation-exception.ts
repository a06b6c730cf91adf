import { sentence } from '../core/internal.ts'
import { HttpException } from '../http/index.ts'
import { ValidationResult } from './validation-result.ts'
import type { Violation } from './violation.ts'

/**
 * The input was read but is invalid: 422 with its violations.
 *
 * @example
 * ```ts
 * import assert from 'node:assert/strict'
 * import { ValidationException, Violation } from 'sallyport/input'
 *
 * const taken = new Violation({
 *   field: 'email',
 *   code: 'taken',
 *   messageId: 'email.taken',
 *   fallback: 'This address has an account already',
 *   domain: 'accounts',
 * })
 *
 * const refusal = new ValidationException([taken])
 * assert.deepEqual([refusal.status, refusal.violations[0]?.field], [422, 'email'])
 * ```
 *
 * @see Clause LOGIN-12.
 */
export class ValidationException extends HttpException {
  declare readonly code: 'ERR_INPUT_VALIDATION'

  /** What is wrong, at least one. */
  readonly violations: readonly Violation[]

  /**
   * @param result A validator's result, or its violations.
   * @throws {TypeError} If there is no violation, or the argument is not a list of violations.
   */
  constructor(result: ValidationResult | Iterable<Violation>) {
    const { violations } = result instanceof ValidationResult ? result : new ValidationResult(result)
    if (violations.length === 0) throw new TypeError(sentence`Cannot reject an input without a violation`)
    super(422, 'ERR_INPUT_VALIDATION', 'The input is not valid')
    this.violations = violations
  }
}
