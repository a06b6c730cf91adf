import { createHmac } from 'node:crypto'
import { isEqualConstantTime } from '../core/internal.ts'

// The value, a full stop, and the HMAC-SHA256 of the value in base64 without padding. Express writes `s:` before it.
const SIGNED = /^(?:s:)?(.+)\.([A-Za-z0-9+/]{43})$/s

/**
 * Reads a cookie that `cookie-signature` has signed, for an application that takes over the users of another one. The cookies of
 * express-session, cookie-parser, @fastify/session and @fastify/cookie have this format; that of express-session holds the id of the
 * session.
 *
 * @param value Value of the cookie, as `cookies().get()` returns it; undefined if there is none.
 * @param secrets What the other application signs with: the present secret and the former ones.
 * @returns The value without its signature; null if there is none, or none of the secrets made the signature.
 * @throws {TypeError} If there is no secret, or one is not a string or is empty.
 * @example
 * ```ts
 * import assert from 'node:assert/strict'
 * import { unsignCookie } from 'sallyport/session'
 *
 * const value = 's:42.0bNVUoWT81QpJwbuUa6KNtEDYtsKAq3Pd/RPVsXdga8'
 *
 * assert.equal(unsignCookie(value, ['present', 'former']), '42')
 * assert.equal(unsignCookie(value, ['present']), null)
 * ```
 *
 * @see Clause HOST-10
 */
export function unsignCookie(value: string | undefined, secrets: readonly string[]): string | null {
  assertSecrets(secrets)
  const [, signed = '', signature = ''] = SIGNED.exec(value ?? '') ?? []
  const isSigned = secrets.some((secret) => isEqualConstantTime(signature, signatureOf(signed, secret)))
  return isSigned ? signed : null
}

function signatureOf(value: string, secret: string): string {
  return createHmac('sha256', secret).update(value).digest('base64').replace(/=+$/, '')
}

// A secret that a variable of the environment does not have would be an empty string, with which anyone can sign.
function assertSecrets(secrets: readonly unknown[]): void {
  const given: unknown = secrets
  if (!Array.isArray(given) || given.length === 0)
    throw new TypeError('Cannot read a signed cookie: pass a list of the secrets that may have signed it')
  const bad = secrets.findIndex((secret) => typeof secret !== 'string' || secret === '')
  if (bad === -1) return
  const kind = secrets[bad] === '' ? 'an empty string' : `of type ${typeof secrets[bad]}`
  throw new TypeError(`Cannot read a signed cookie: secret ${bad + 1} is ${kind}; pass non-empty strings`)
}
