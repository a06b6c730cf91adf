import { hash } from 'node:crypto'
import { DEFAULT_COOKIE_NAME, type SessionPolicy } from './session-policy.ts'

// The cookie: 256 random bits in base64url. The store sees their SHA-256 only.
const IDENTIFIER = /^[A-Za-z0-9_-]{43}$/

/**
 * @param sent Value of a session cookie; undefined when none was sent.
 * @returns Whether it may be an identifier.
 */
export function isIdentifier(sent: string | undefined): sent is string {
  return sent !== undefined && IDENTIFIER.test(sent)
}

/**
 * Areas that share a store are told apart by the name of their cookie: renaming a cookie makes no session of another.
 *
 * @param identifier What the cookie holds.
 * @param policy Policy of the area.
 * @returns What the store knows it by.
 */
export function digestOf(identifier: string, { cookieName }: SessionPolicy): string {
  const area = cookieName === DEFAULT_COOKIE_NAME ? '' : `${cookieName}=`
  return hash('sha256', area + identifier, 'base64url')
}

/**
 * The store holds the digest of an identifier alone, so this secret cannot be made from a leaked store.
 *
 * @param identifier What the cookie holds.
 * @returns 32 bytes that only the browser with this identifier can bring back.
 */
export function endedSecretOf(identifier: string): Buffer {
  return hash('sha256', `sallyport ended ${identifier}`, 'buffer')
}
