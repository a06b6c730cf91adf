import type { AttemptLimit } from '../../identity/limits/lock-length.ts'

/** Failed codes by mail of one account. They count against `FACTOR_LIMIT`, too. */
export const MAIL_CODE_LIMIT: AttemptLimit = { failures: 5, windowSeconds: 15 * 60 }

/** Codes that are sent by mail to one account. */
export const MAIL_CODE_SEND_LIMIT: AttemptLimit = { failures: 5, windowSeconds: 60 * 60 }

/**
 * @param accountId Account reference.
 * @returns The subject of `MAIL_CODE_LIMIT`.
 */
export function mailCodeSubject(accountId: string): string {
  return `mail-code:${accountId}`
}

/**
 * @param accountId Account reference.
 * @returns The subject of `MAIL_CODE_SEND_LIMIT`.
 */
export function mailCodeSendSubject(accountId: string): string {
  return `mail-code-send:${accountId}`
}
