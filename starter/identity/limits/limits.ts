import { createHash } from 'node:crypto'
import type { HashOptions } from 'sallyport/auth'
import type { LimitedSubject } from './attempts.ts'
import type { AttemptLimit } from './lock-length.ts'
import { emailKey } from '../accounts/users.ts'
import { networkOf, type Prefix } from '../clients/network.ts'

const QUARTER_OF_AN_HOUR = 15 * 60
const HOUR = 4 * QUARTER_OF_AN_HOUR

// An address of IPv4 is one client. A client of IPv6 usually controls a whole /64.
const CLIENT_PREFIX: Prefix = { bytes: 4, groups: 4 }

/** Failed codes of one account, of all its factors together, across all challenges and sessions. */
export const FACTOR_LIMIT: AttemptLimit = { failures: 10, windowSeconds: QUARTER_OF_AN_HOUR }

/**
 * Failed passwords for one address, whether or not it has an account. The owner, whom others may lock out by it, has a way
 * out: a new password set by a link in a mail.
 */
export const PASSWORD_LIMIT: AttemptLimit = {
  failures: 10,
  windowSeconds: QUARTER_OF_AN_HOUR,
  maxLockSeconds: 4 * HOUR,
}

/** Failed passwords of one client, across all accounts. It grows less: many people may share an address. */
export const CLIENT_LIMIT: AttemptLimit = {
  failures: 50,
  windowSeconds: QUARTER_OF_AN_HOUR,
  maxLockSeconds: HOUR,
}

/**
 * Failed codes of one authenticator. They count against `FACTOR_LIMIT`, too, and are fewer: when it is locked, something of the
 * budget is left for the other factors of its owner.
 */
export const AUTHENTICATOR_LIMIT: AttemptLimit = { failures: 7, windowSeconds: QUARTER_OF_AN_HOUR }

/** Failed recovery codes of one account. They count against `FACTOR_LIMIT`, too, and are fewer for the same reason. */
export const RECOVERY_LIMIT: AttemptLimit = { failures: 5, windowSeconds: QUARTER_OF_AN_HOUR }

/** Failed codes in a browser that the link of a mail unlocked. They count for nothing else: the lock holds for everybody else. */
export const UNLOCKED_LIMIT: AttemptLimit = { failures: 5, windowSeconds: QUARTER_OF_AN_HOUR }

/** Wrong first codes of one enrollment, and new sets of recovery codes in it. */
export const ENROLLMENT_LIMIT: AttemptLimit = { failures: 10, windowSeconds: QUARTER_OF_AN_HOUR }

/** Confirmation mails to one address, whether or not it has an account. */
export const SIGN_UP_ADDRESS_LIMIT: AttemptLimit = { failures: 5, windowSeconds: HOUR }

/** Confirmation mails that one client asks for. */
export const SIGN_UP_CLIENT_LIMIT: AttemptLimit = { failures: 20, windowSeconds: HOUR }

/**
 * Times that one account, or the link of one mail, costs hashes of passwords or codes, whatever comes of them. Where a sign-in or a code
 * is limited in another way, it does not count.
 */
export const HASH_LIMIT: AttemptLimit = { failures: 20, windowSeconds: QUARTER_OF_AN_HOUR }

/** Right passwords of one address: each costs a hash, and no failure counts it. */
export const RIGHT_PASSWORD_LIMIT: AttemptLimit = { failures: 100, windowSeconds: QUARTER_OF_AN_HOUR }

/** Maximum number of codes for one challenge. */
export const CHALLENGE_ATTEMPTS = 5

/**
 * @param accountId Account reference.
 * @returns The subject of `FACTOR_LIMIT`.
 */
export function factorSubject(accountId: string): string {
  return `factor:${accountId}`
}

/**
 * The limits of a code, whatever its kind.
 *
 * @param accountId Account reference.
 * @param own The limits of what is asked for.
 * @param unlock Identifier of the unlock of this browser: the locks do not hold in it, and its own tries are counted instead. Default:
 *   none.
 * @returns All limits that apply.
 */
export function codeLimits(
  accountId: string,
  own: readonly LimitedSubject[],
  unlock: string | undefined,
): readonly LimitedSubject[] {
  if (unlock !== undefined) return [{ subject: unlockedSubject(unlock), limit: UNLOCKED_LIMIT }]
  return [{ subject: factorSubject(accountId), limit: FACTOR_LIMIT }, ...own]
}

/**
 * @param factorId Identifier of an authenticator.
 * @returns The subject of `AUTHENTICATOR_LIMIT`.
 */
export function authenticatorSubject(factorId: string): string {
  return `authenticator:${factorId}`
}

/**
 * @param accountId Account reference.
 * @returns The subject of `RECOVERY_LIMIT`.
 */
export function recoverySubject(accountId: string): string {
  return `recovery:${accountId}`
}

/**
 * @param unlockId Identifier of an unlock.
 * @returns The subject of `UNLOCKED_LIMIT`.
 */
export function unlockedSubject(unlockId: string): string {
  return `unlocked:${unlockId}`
}

/**
 * @param accountId Account reference.
 * @returns The subject of `ENROLLMENT_LIMIT`.
 */
export function enrollmentSubject(accountId: string): string {
  return `enrollment:${accountId}`
}

/**
 * The subject is the address, not the account, so that a locked account and an unknown address look the same. It is hashed,
 * because users sometimes type passwords into the wrong field.
 *
 * @param email Address as it was typed.
 * @returns The subject of `PASSWORD_LIMIT`.
 */
export function passwordSubject(email: string): string {
  return `password:${emailDigest(email)}`
}

/**
 * @param email Address as it was typed.
 * @returns The subject of `RIGHT_PASSWORD_LIMIT`.
 */
export function rightPasswordSubject(email: string): string {
  return `right-password:${emailDigest(email)}`
}

/**
 * @param payer Account reference, or digest of the link of a mail.
 * @returns The subject of `HASH_LIMIT`.
 */
export function hashSubject(payer: string): string {
  return `hash:${payer}`
}

/**
 * @param clientAddress Address of the client for whom something is hashed; empty when the server does not know it.
 * @returns Whose turn the hash takes. Clients are told apart as their limits tell them apart.
 */
export function hashedFor(clientAddress: string): HashOptions {
  const client = clientSubject(clientAddress)
  return client === undefined ? {} : { client }
}

/**
 * @param email Address as it was typed.
 * @returns The subject of `SIGN_UP_ADDRESS_LIMIT`.
 */
export function signUpSubject(email: string): string {
  return `sign-up:${emailDigest(email)}`
}

/**
 * @param client Result of `clientSubject()`.
 * @returns The subject of `SIGN_UP_CLIENT_LIMIT`: a client that signs up others may still sign in.
 */
export function signUpClientSubject(client: string): string {
  return `sign-up-${client}`
}

/**
 * @param email Address as it was typed.
 * @returns A digest of its key, for the subject of a limit.
 */
export function emailDigest(email: string): string {
  return createHash('sha256').update(emailKey(email)).digest('base64url')
}

/**
 * An IPv6 client usually controls a whole /64, so each /64 counts as one client.
 *
 * @param clientAddress Address of the client; empty when the server does not know it.
 * @returns The subject of `CLIENT_LIMIT`; undefined for an unknown address, because such clients must not share a limit.
 */
export function clientSubject(clientAddress: string): string | undefined {
  if (clientAddress === '') return undefined
  return `client:${networkOf(clientAddress, CLIENT_PREFIX)}`
}
