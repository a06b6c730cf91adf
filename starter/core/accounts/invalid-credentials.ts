import { ValidationException, Violation } from 'sallyport/input'

/**
 * The single response to an unknown address, a wrong password, an account that may not sign in, missing or malformed fields,
 * and a lost rehash, so that clients cannot distinguish them.
 *
 * @returns The exception to throw.
 */
export function invalidCredentials(): ValidationException {
  const code = 'invalid_credentials'
  const violation = { field: null, code, messageId: code, fallback: 'Invalid credentials', domain: 'auth' }
  return new ValidationException([new Violation(violation)])
}
