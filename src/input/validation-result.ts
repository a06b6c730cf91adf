import { sentence, shown } from '../core/internal.ts'
import type { Violation } from './violation.ts'

/** Result of a validator. */
export class ValidationResult {
  /** The violations, in the order they were found; empty when the input is valid. */
  readonly violations: readonly Violation[]

  /**
   * @param violations What was found. Default: nothing.
   * @throws {TypeError} If the argument is not a list of violations.
   */
  constructor(violations: Iterable<Violation> = []) {
    const given: unknown = violations
    if (typeof given !== 'object' || given === null || !(Symbol.iterator in given)) throw noViolation(given)
    this.violations = [...violations]
    const copied: readonly unknown[] = this.violations
    for (const violation of copied)
      if (typeof violation !== 'object' || violation === null || !('code' in violation))
        throw noViolation(violation)
  }

  /** Whether there is no violation. */
  get isValid(): boolean {
    return this.violations.length === 0
  }
}

function noViolation(given: unknown): TypeError {
  return new TypeError(
    sentence`Cannot use ${shown(given)} as a violation: pass a list of new Violation({ … })`,
  )
}
