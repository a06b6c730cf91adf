import { randomInt } from 'node:crypto'
import { sql, type Transaction } from 'kysely'
import { Clock, type HttpContext, inject } from 'sallyport'
import { PasswordHasher } from 'sallyport/auth'
import { isLive } from 'sallyport-app/database'
import type { Client } from 'sallyport-app/clients'
import { Attempts, hashedFor, Limit } from 'sallyport-app/limits'
import { Mailer } from 'sallyport-app/mail'
import { typedCode } from 'sallyport-app/text'
import { Settings } from '../../core/settings.ts'
import { Database } from '../../core/database/database.ts'
import type { Schema } from '../../core/database/schema.ts'
import type { Account } from '../../core/accounts/account.ts'
import type { AccountRights } from '../../core/account-rights.ts'
import { type AuditEntry, AuditTrail } from '../../core/audit/audit-trail.ts'
import { Challenges } from '../../core/challenges/challenges.ts'
import { codeLimits, FACTOR_LIMIT, PENDING_LOGIN_SECONDS } from '../../core/limits/limits.ts'
import { Notices } from '../../core/mail/notices.ts'
import type { AtDoor } from '../../core/factors/factor-kinds.ts'
import { FactorPolicy } from '../../core/factors/factor-policy.ts'
import { MailPasswords } from '../../core/accounts/mail-password.ts'
import type { PendingChallenge } from '../../core/factors/totp-factors.ts'

/** How long a code works: no longer than the pending login that it belongs to, and far less than the ten minutes of ASVS 6.5.5. */
export const MAIL_CODE_SECONDS: number = PENDING_LOGIN_SECONDS

/** Failed codes by mail of one account. They count against `FACTOR_LIMIT`, too. */
export const MAIL_CODE_LIMIT: Limit = new Limit('mail-code', 5)

/** Codes that are sent by mail to one account. */
export const MAIL_CODE_SEND_LIMIT: Limit = new Limit('mail-code-send', 5, { windowSeconds: 60 * 60 })

// Eight digits: 26 bits, for at most five tries.
const DIGITS = 8

/** A code that was typed, and where. */
export interface MailCodeTry {
  readonly code: unknown
  readonly client: Client
  /** The pending login, for which an attempt has been counted, and what else happens in the transaction. */
  readonly challenge: PendingChallenge
}

/**
 * Codes by mail in the place of the second factor: **off by default, and weaker**. Whoever reads the mailbox has them, and the
 * mailbox can also set a new password. So they are no enrolled factor, fulfil no rule about factors, and confirm no protected
 * action. They are not offered to an account that a rule binds, nor where the mailbox set the password lately: password and
 * mailbox would be one proof.
 */
export class MailCodes implements AtDoor {
  readonly #database = inject(Database)
  readonly #hasher = inject(PasswordHasher)
  readonly #attempts = inject(Attempts)
  readonly #challenges = inject(Challenges)
  readonly #audit = inject(AuditTrail)
  readonly #notices = inject(Notices)
  readonly #policy = inject(FactorPolicy)
  readonly #byMail = inject(MailPasswords)
  readonly #clock = inject(Clock)
  readonly #isOn = inject(Settings).mailCodes === true && inject(Mailer).sends

  /** @returns Whether a code may be sent to it. */
  async isOffered(identity: AccountRights): Promise<boolean> {
    if (!this.#isOn || this.#policy.isBound(identity)) return false
    return !(await this.#byMail.isOneProof(identity.principal.id))
  }

  /** @returns Whether a code was sent for the pending login that can still be typed. */
  async pageData(
    _context: HttpContext,
    _accountId: string,
    challengeId: string,
  ): Promise<{ readonly isSent: boolean }> {
    return { isSent: (await this.#find(challengeId))?.used_at === null }
  }

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
   * Verifies a code and uses it up: in one transaction the code, the end of the pending login, and the record of both. Of simultaneous
   * uses one succeeds. A wrong one counts for the factors of the account as well; the copy of a form that was right does not.
   *
   * @returns Whether it was the newest code of this pending login.
   * @throws {TooManyRequestsException} If the account is locked; the code is not checked then.
   * @throws {ServiceUnavailableException} If too many callers wait for a hash; nothing is counted then.
   */
  async verifyAndConsume(account: Account, tried: MailCodeTry): Promise<boolean> {
    const { code, challenge, client } = tried
    const limited = codeLimits(account.id, [MAIL_CODE_LIMIT.of(account.id)], challenge.unlock)
    await this.#attempts.assertOpen(limited)
    const typed = typeof code === 'string' ? typedCode(code) : ''
    const row = await this.#find(challenge.id)
    // One hash, whatever was typed.
    const isRight = await this.#hasher.verify(
      typed === '' ? 'none' : typed,
      row?.hash ?? null,
      hashedFor(client.clientAddress),
    )
    return this.#database.transaction().execute(async (transaction) => {
      await this.#attempts.assertOpen(limited, transaction)
      if ((await challenge.reserve?.(transaction)) === false) return false
      const right = isRight && row?.account_id === account.id ? row.hash : undefined
      if (right !== undefined && (await this.#useUp(transaction, account, { ...tried, hash: right })))
        return true
      await this.#attempts.count(limited, transaction)
      return false
    })
  }

  // One that was used as well: its form may have been copied.
  #find(challengeId: string): Promise<StoredCode | undefined> {
    return this.#database
      .selectFrom('mail_code')
      .select(['account_id', 'hash', 'used_at'])
      .where('challenge_id', '=', challengeId)
      .where(isLive(this.#clock.timestamp(), MAIL_CODE_SECONDS))
      .executeTakeFirst()
  }

  // The row count of the first statement decides: another request may have used the code or replaced it.
  async #useUp(
    transaction: Transaction<Schema>,
    account: Account,
    { client, challenge, hash }: MailCodeTry & { readonly hash: string },
  ): Promise<boolean> {
    const now = this.#clock.timestamp()
    const used = await transaction
      .updateTable('mail_code')
      .set({ used_at: now })
      .where('challenge_id', '=', challenge.id)
      .where('account_id', '=', account.id)
      .where('hash', '=', hash)
      .where('used_at', 'is', null)
      .where(isLive(now, MAIL_CODE_SECONDS))
      .where(sql<boolean>`EXISTS (SELECT 1 FROM challenge WHERE id = ${challenge.id} AND ended_at IS NULL)`)
      .executeTakeFirst()
    if (used.numUpdatedRows !== 1n) return false
    await this.#challenges.end(challenge.id, transaction)
    await this.#attempts.forget([MAIL_CODE_LIMIT.of(account.id), FACTOR_LIMIT.of(account.id)], transaction)
    const entry: AuditEntry = { kind: 'mail-code-used', accountId: account.id, ...client }
    await this.#audit.record({ ...entry, challengeId: challenge.id }, transaction)
    await challenge.accepted?.(transaction, 'mail')
    return true
  }
}

interface StoredCode {
  readonly account_id: string
  readonly hash: string
  readonly used_at: number | null
}

/** @returns Whether it has the form of a code by mail. Whether it is one is not looked up. */
export function isMailCode(value: unknown): boolean {
  return typeof value === 'string' && /^[0-9]{8}$/.test(typedCode(value))
}
