import type { AttemptLimit } from '../../identity/limits/lock-length.ts'

/** Links to change the address of one account: each sends a mail to somebody. */
export const ADDRESS_CHANGE_LIMIT: AttemptLimit = { failures: 5, windowSeconds: 60 * 60 }

/**
 * @param accountId Account reference.
 * @returns The subject of `ADDRESS_CHANGE_LIMIT`.
 */
export function addressChangeSubject(accountId: string): string {
  return `address-change:${accountId}`
}
