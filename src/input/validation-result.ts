import type { Violation } from './violation.ts'

/** What a validator found. */
export class ValidationResult {
  /** The violations, in the order they were found; none when the input is good. */
  readonly violations: readonly Violation[]

  /**
   * @param violations What was found. Default: nothing.
   */
  constructor(violations: Iterable<Violation> = []) {
    this.violations = [...violations]
  }

  /** Whether there is no violation. */
  get isValid(): boolean {
    return this.violations.length === 0
  }
}
