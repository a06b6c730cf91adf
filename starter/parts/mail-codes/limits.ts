import { Limit } from '../../core/limits/limit.ts'

/** Failed codes by mail of one account. They count against `FACTOR_LIMIT`, too. */
export const MAIL_CODE_LIMIT: Limit = new Limit('mail-code', 5)

/** Codes that are sent by mail to one account. */
export const MAIL_CODE_SEND_LIMIT: Limit = new Limit('mail-code-send', 5, { windowSeconds: 60 * 60 })
