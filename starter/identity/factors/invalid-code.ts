import { ValidationException, Violation } from 'sallyport/input'

/**
 * The single response to a wrong, malformed, expired or used code.
 *
 * @returns The exception to throw.
 */
export function invalidCode(): ValidationException {
  const code = 'invalid_code'
  const violation = {
    field: 'code',
    code,
    messageId: code,
    fallback: 'That code is wrong',
    domain: 'auth',
  }
  return new ValidationException([new Violation(violation)])
}
