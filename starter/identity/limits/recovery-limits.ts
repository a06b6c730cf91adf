import type { AttemptLimit } from './lock-length.ts'
import { emailDigest } from './limits.ts'

const HOUR = 60 * 60

/** Mails with a link for a new password to one address, whether or not it has an account. */
export const RESET_ADDRESS_LIMIT: AttemptLimit = { failures: 5, windowSeconds: HOUR }

/** Mails with a link for a new password that one client asks for. */
export const RESET_CLIENT_LIMIT: AttemptLimit = { failures: 20, windowSeconds: HOUR }

/**
 * @param email Address as it was typed.
 * @returns The subject of `RESET_ADDRESS_LIMIT`.
 */
export function resetSubject(email: string): string {
  return `reset:${emailDigest(email)}`
}

/**
 * @param client Result of `clientSubject()`.
 * @returns The subject of `RESET_CLIENT_LIMIT`: a client that asks for links may still sign in.
 */
export function resetClientSubject(client: string): string {
  return `reset-${client}`
}

/** Mails with the link that begins an enrollment, to one account. */
export const ENROLLMENT_MAIL_LIMIT: AttemptLimit = { failures: 5, windowSeconds: HOUR }

/**
 * @param accountId Account reference.
 * @returns The subject of `ENROLLMENT_MAIL_LIMIT`.
 */
export function enrollmentMailSubject(accountId: string): string {
  return `enrollment-mail:${accountId}`
}
