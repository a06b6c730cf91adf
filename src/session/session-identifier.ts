import { hash } from 'node:crypto'
import { DEFAULT_COOKIE_NAME, type SessionPolicy } from './session-policy.ts'

// The cookie: 256 random bits in base64url. The store sees only their SHA-256.
const IDENTIFIER = /^[A-Za-z0-9_-]{43}$/

/**
 * @param sent Value of a session cookie; undefined when none was sent.
 * @returns Whether it may be an identifier.
 */
export function isIdentifier(sent: string | undefined): sent is string {
  return sent !== undefined && IDENTIFIER.test(sent)
}

/**
 * Areas that share a store are separated by their cookie names: a cookie copied under another name finds no session.
 *
 * @param identifier Value of the cookie.
 * @param policy Policy of the area.
 * @returns The digest under which the store knows it.
 */
export function digestOf(identifier: string, { cookieName }: SessionPolicy): string {
  const area = cookieName === DEFAULT_COOKIE_NAME ? '' : `${cookieName}=`
  return hash('sha256', area + identifier, 'base64url')
}

/**
 * Derives a secret from an identifier. The store holds only the digest, so a leaked store does not reveal the secret.
 *
 * @param identifier Value of the cookie.
 * @returns 32 bytes that only the browser with this identifier can prove.
 */
export function endedSecretOf(identifier: string): Buffer {
  return hash('sha256', `sallyport ended ${identifier}`, 'buffer')
}
