import { ValidationException, Violation } from 'sallyport/input'
import { isPlainLine } from 'sallyport-app/text'

const LENGTH_OF_REASON = /^.{5,500}$/su

/**
 * @returns The same, without blanks around it.
 * @throws {ValidationException} With the code `reason_missing`, if it has not 5 to 500 characters in one line.
 */
export function reasonOf(text: string): string {
  if (isReason(text)) return text.trim()
  throw new ValidationException([new Violation(MISSING)])
}

/** @returns Whether it is a reason. */
export function isReason(text: string): boolean {
  const reason = text.trim()
  return LENGTH_OF_REASON.test(reason) && isPlainLine(reason)
}

const MISSING = {
  field: 'reason',
  code: 'reason_missing',
  messageId: 'rule.reason_missing',
  fallback: 'Give a reason of 5 to 500 characters in one line',
  domain: 'messages',
}
