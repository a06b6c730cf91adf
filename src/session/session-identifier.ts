import { hash } from 'node:crypto'
import { DEFAULT_COOKIE_NAME, type SessionPolicy } from './session-policy.ts'

/*
 * The cookie is 256 random bits in base64url: 43 characters. Its first two are the group of the session. They stay the same
 * through every rotation, so that a store of several machines finds the old and the new record of a rotation on one of them.
 * The other 41 characters, 244 bits, are new each time.
 *
 * The store knows an identifier by its group and its SHA-256 in base64url: 2 + 43 characters.
 */
const IDENTIFIER = /^[A-Za-z0-9_-]{43}$/
const GROUP_CHARACTERS = 2
const DIGEST_CHARACTERS = 43

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
 * @returns The group and the digest under which the store knows it.
 */
export function storedIdOf(identifier: string, policy: SessionPolicy): string {
  const { area } = policy
  const prefix = area === DEFAULT_COOKIE_NAME ? '' : `${area}=`
  return identifier.slice(0, GROUP_CHARACTERS) + hash('sha256', prefix + identifier, 'base64url')
}

/**
 * Moves a new identifier to the group of a session that goes on. Only the identifier of a live record may pass on its
 * group: otherwise a client could choose the group of new sessions, and fill a single machine of a cluster with them.
 *
 * @param fresh A new identifier.
 * @param id How the store knows the identifier of the live record.
 * @returns The new identifier, in the group of the record.
 */
export function inGroupOf(fresh: string, id: string): string {
  return groupOf(id) + fresh.slice(GROUP_CHARACTERS)
}

/**
 * @param id How a store knows an identifier.
 * @returns Its group.
 */
export function groupOf(id: string): string {
  return id.slice(0, -DIGEST_CHARACTERS)
}

/**
 * @param id How a store knows an identifier.
 * @returns Its digest, without the group.
 */
export function digestIn(id: string): string {
  return id.slice(-DIGEST_CHARACTERS)
}

/**
 * @param id How a store knows an identifier.
 * @param digest Digest of the identifier that it was rotated to; null when there is none.
 * @returns How a store knows that one: a rotation stays in its group.
 */
export function successorOf(id: string, digest: string | null): string | null {
  return digest === null ? null : groupOf(id) + digest
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
