import { ValidationException } from 'sallyport/input'
import type { Rule } from '../rule.ts'

/** @returns For `assert.rejects()`. */
export function isRefusedBy(rule: Rule | 'reason_missing'): (error: unknown) => boolean {
  return (error) =>
    error instanceof ValidationException && error.violations.map(({ code }) => code).join() === rule
}
