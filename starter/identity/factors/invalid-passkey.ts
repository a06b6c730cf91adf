import { ValidationException, Violation } from 'sallyport/input'

/**
 * The single response to a wrong, malformed, expired or used response of a passkey.
 *
 * @returns The exception to throw.
 */
export function invalidPasskey(): ValidationException {
  const code = 'invalid_passkey'
  const violation = {
    field: 'response',
    code,
    messageId: code,
    fallback: 'That passkey was not accepted',
    domain: 'auth',
  }
  return new ValidationException([new Violation(violation)])
}
