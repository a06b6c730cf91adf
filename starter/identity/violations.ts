import { ValidationException, Violation } from 'sallyport/input'

/**
 * The one answer to an unknown address, a wrong password, an account that may not log in, fields that are missing
 * or malformed, and a lost rehash: nobody can tell them apart.
 *
 * @returns The refusal, ready to be thrown.
 */
export function invalidCredentials(): ValidationException {
  const code = 'invalid_credentials'
  const violation = { field: null, code, messageId: code, fallback: 'Invalid credentials', domain: 'auth' }
  return new ValidationException([new Violation(violation)])
}

/**
 * The one answer to a wrong, malformed, expired or already used code.
 *
 * @returns The refusal, ready to be thrown.
 */
export function invalidCode(): ValidationException {
  const code = 'invalid_code'
  const violation = {
    field: 'code',
    code,
    messageId: code,
    fallback: 'That code is not right',
    domain: 'auth',
  }
  return new ValidationException([new Violation(violation)])
}
