import type { AttemptLimit } from '../../identity/limits/lock-length.ts'

/** Requests to replace lost factors of one account: each sends a mail. */
export const LOST_FACTOR_LIMIT: AttemptLimit = { failures: 5, windowSeconds: 12 * 60 * 60 }

/**
 * @param accountId Account reference.
 * @returns The subject of `LOST_FACTOR_LIMIT`.
 */
export function lostFactorSubject(accountId: string): string {
  return `lost-factor:${accountId}`
}
