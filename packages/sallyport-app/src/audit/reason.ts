import { ValidationException, Violation } from 'sallyport/input'
import { isPlainLine } from '../text/index.ts'

const LENGTH_OF_REASON = /^.{5,500}$/su
const MISSING = {
  field: 'reason',
  code: 'reason_missing',
  messageId: 'rule.reason_missing',
  fallback: 'Give a reason of 5 to 500 characters in one line',
  domain: 'messages',
}

/**
 * Reads a reason that somebody typed.
 *
 * @param text What was typed.
 * @returns The same, without blanks around it.
 * @throws {ValidationException} With the code `reason_missing` and the message `rule.reason_missing`, if it has not 5 to 500 characters in
 *   one line.
 */
export function reasonOf(text: string): string {
  if (isReason(text)) return text.trim()
  throw new ValidationException([new Violation(MISSING)])
}

/**
 * Says whether a text is a reason.
 *
 * @param text What was typed.
 * @returns Whether it has 5 to 500 characters in one line.
 */
export function isReason(text: string): boolean {
  const reason = text.trim()
  return LENGTH_OF_REASON.test(reason) && isPlainLine(reason)
}
