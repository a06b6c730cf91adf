/** One row for each pending login to which a code was sent by mail. The next code of the account replaces it. */
export interface MailCodeTable {
  /** Identifier of the pending login: the code works in no other one. */
  challenge_id: string
  account_id: string
  /** Hash of the code. */
  hash: string
  expires_at: number
  used_at: number | null
}

declare module '../../core/database/schema.ts' {
  interface Schema {
    mail_code: MailCodeTable
  }
}
