import { randomInt } from 'node:crypto'
import { Clock, inject } from 'sallyport'
import { PasswordHasher } from 'sallyport/auth'
import { isLive } from 'sallyport-app/database'
import type { Client } from 'sallyport-app/clients'
import { Attempts, hashedFor, Limit } from 'sallyport-app/limits'
import { typedCode } from 'sallyport-app/text'
import { Database } from '../../core/database/database.ts'
import type { Account } from '../../core/accounts/account.ts'
import { type AuditEntry, AuditTrail } from '../../core/audit/audit-trail.ts'
import { PENDING_LOGIN_SECONDS } from '../../core/limits/limits.ts'
import { Notices } from '../../core/mail/notices.ts'
import { CodeCheck, type PendingChallenge } from '../../core/factors/code-check.ts'

/** How long a code works: no longer than the pending login that it belongs to, and far less than the ten minutes of ASVS 6.5.5. */
export const MAIL_CODE_SECONDS: number = PENDING_LOGIN_SECONDS

/** Failed codes by mail of one account. They count against `FACTOR_LIMIT`, too. */
export const MAIL_CODE_LIMIT: Limit = new Limit('mail-code', 5)

/** Codes that are sent by mail to one account. */
export const MAIL_CODE_SEND_LIMIT: Limit = new Limit('mail-code-send', 5, { windowSeconds: 60 * 60 })

// Eight digits: 26 bits, for at most five tries.
const DIGITS = 8

/**
 * Codes by mail in the place of the second factor: **off by default, and weaker**. Whoever reads the mailbox has them, and the
 * mailbox can also set a new password. So they are no enrolled factor, fulfil no rule about factors, and confirm no protected
 * action. They are not offered to an account that a rule binds, nor where the mailbox set the password lately: password and
 * mailbox would be one proof.
 */
export class MailCodes {
  readonly #database = inject(Database)
  readonly #hasher = inject(PasswordHasher)
  readonly #attempts = inject(Attempts)
  readonly #check = inject(CodeCheck)
  readonly #audit = inject(AuditTrail)
  readonly #notices = inject(Notices)
  readonly #clock = inject(Clock)

  /**
   * Mails a code for a pending login. Every earlier one of the account ends. A mail that waits longer than the code works is not sent.
   *
   * @throws {TooManyRequestsException} If too many were sent to the account.
   * @throws {ServiceUnavailableException} If too many callers wait for a hash.
   */
  async send(
    account: Account,
    { challengeId, client }: { readonly challengeId: string; readonly client: Client },
  ): Promise<void> {
    await this.#attempts.spend([MAIL_CODE_SEND_LIMIT.of(account.id)], async () => {
      const code = String(randomInt(10 ** DIGITS)).padStart(DIGITS, '0')
      const hash = await this.#hasher.hash(code, hashedFor(client.clientAddress))
      const now = this.#clock.timestamp()
      await this.#database.transaction().execute(async (transaction) => {
        await transaction
          .deleteFrom('mail_code')
          .where((where) => where.or([where('account_id', '=', account.id), where('expires_at', '<=', now)]))
          .execute()
        const expiresAt = now + MAIL_CODE_SECONDS
        const row = { challenge_id: challengeId, account_id: account.id, hash, expires_at: expiresAt }
        await transaction
          .insertInto('mail_code')
          .values({ ...row, used_at: null })
          .execute()
        const entry: AuditEntry = { kind: 'mail-code-sent', accountId: account.id, ...client, challengeId }
        await this.#audit.record(entry, transaction)
        const values = { code: `${code.slice(0, 4)} ${code.slice(4)}`, minutes: MAIL_CODE_SECONDS / 60 }
        const notice = { kind: 'sign-in-code', accountId: account.id, values } as const
        await this.#notices.tell({ ...notice, seconds: MAIL_CODE_SECONDS }, transaction)
      })
      return true
    })
  }

  /**
   * Verifies a code and uses it up. A wrong one counts for the factors of the account as well.
   *
   * @returns Whether it was the newest code of this pending login.
   * @throws {TooManyRequestsException} If the account is locked; the code is not checked then.
   * @throws {ServiceUnavailableException} If too many callers wait for a hash; nothing is counted then.
   */
  async verifyAndConsume(
    { id: accountId }: Account,
    code: unknown,
    challenge: PendingChallenge,
  ): Promise<boolean> {
    const { id: challengeId, client } = challenge
    const factor = { kind: 'mail', limit: MAIL_CODE_LIMIT.of(accountId) } as const
    const judged = {
      accountId,
      challenge,
      compared: [factor],
      refused: { kind: 'mail-code-refused' },
    } as const
    return this.#check.judgeHashed(judged, {
      code: typeof code === 'string' ? typedCode(code) || undefined : undefined,
      find: () => this.find(challengeId),
      useUp: async (transaction, { hash }) => {
        const now = this.#clock.timestamp()
        // The row count decides: another request may have used the code or replaced it.
        const used = await transaction
          .updateTable('mail_code')
          .set({ used_at: now })
          .where('challenge_id', '=', challengeId)
          .where('account_id', '=', accountId)
          .where('hash', '=', hash)
          .where('used_at', 'is', null)
          .where(isLive(now, MAIL_CODE_SECONDS))
          .executeTakeFirst()
        if (used.numUpdatedRows !== 1n) return false
        const entry: AuditEntry = { kind: 'mail-code-used', accountId, ...client, challengeId }
        await this.#audit.record(entry, transaction)
        return true
      },
    })
  }

  /** @returns That of the pending login which can still be typed, or was: its form may have been copied. */
  find(challengeId: string): Promise<StoredCode | undefined> {
    return this.#database
      .selectFrom('mail_code')
      .select(['hash', 'used_at'])
      .where('challenge_id', '=', challengeId)
      .where(isLive(this.#clock.timestamp(), MAIL_CODE_SECONDS))
      .executeTakeFirst()
  }
}

interface StoredCode {
  readonly hash: string
  readonly used_at: number | null
}

/** @returns Whether it has the form of a code by mail. Whether it is one is not looked up. */
export function isMailCode(value: unknown): boolean {
  return typeof value === 'string' && /^[0-9]{8}$/.test(typedCode(value))
}
