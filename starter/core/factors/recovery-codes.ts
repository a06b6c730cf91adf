import type { Kysely } from 'kysely'
import { Clock, inject } from 'sallyport'
import { PasswordHasher } from 'sallyport/auth'
import { z } from 'zod'
import { Attempts, hashedFor } from 'sallyport-app/limits'
import { newRecoveryCode, readRecoveryCode, shownRecoveryCode } from 'sallyport-app/text'
import { Database } from '../database/database.ts'
import type { Schema } from '../database/schema.ts'
import type { Account } from '../accounts/account.ts'
import { type Changing, CredentialChanges } from '../accounts/credential-change.ts'
import { CredentialVersions } from '../accounts/credential-version.ts'
import { AuditEvent, AuditTrail } from '../audit/audit-trail.ts'
import { HASH_LIMIT, RECOVERY_LIMIT } from '../limits/limits.ts'
import { Notices } from '../mail/notices.ts'
import { CodeCheck, type PendingChallenge } from './code-check.ts'

export const RECOVERY_CODES = 10

/** The field of a code: twelve letters and digits. What cannot be one is refused before anything is counted. */
export const recoveryCode: z.ZodType<string> = z.stringFormat(
  'recovery_code',
  (text) => readRecoveryCode(text) !== undefined,
)

interface StoredCode {
  readonly prefix: string
  readonly hash: string
}

/** A set of codes: to be shown once, and stored hashed. */
export interface RecoveryCodeSet {
  readonly codes: readonly string[]
  readonly rows: readonly StoredCode[]
}

/** Recovery codes: a second factor for the day on which the other one is gone. Each works once. */
export class RecoveryCodes {
  readonly #database = inject(Database)
  readonly #hasher = inject(PasswordHasher)
  readonly #attempts = inject(Attempts)
  readonly #check = inject(CodeCheck)
  readonly #audit = inject(AuditTrail)
  readonly #notices = inject(Notices)
  readonly #clock = inject(Clock)
  readonly #versions = inject(CredentialVersions)
  readonly #changes = inject(CredentialChanges)

  /**
   * Makes a set that does not count yet. Hashing takes a while, and no transaction waits for it.
   *
   * @throws {TooManyRequestsException} If the account has asked for too many.
   */
  prepare(
    accountId: string,
    { clientAddress }: { readonly clientAddress: string },
  ): Promise<RecoveryCodeSet> {
    return this.#attempts.spend([HASH_LIMIT.of(accountId)], async () => {
      const codes: string[] = []
      const rows = new Map<string, StoredCode>()
      while (rows.size < RECOVERY_CODES) {
        const code = newRecoveryCode()
        const { prefix, secret } = code
        if (rows.has(prefix)) continue
        rows.set(prefix, { prefix, hash: await this.#hasher.hash(secret, hashedFor(clientAddress)) })
        codes.push(shownRecoveryCode(code))
      }
      return { codes, rows: [...rows.values()] }
    })
  }

  /** @returns How many are left. */
  async left(accountId: string, database: Kysely<Schema> = this.#database): Promise<number> {
    const { count } = await database
      .selectFrom('recovery_code')
      .select((select) => select.fn.countAll<number>().as('count'))
      .where('account_id', '=', accountId)
      .where('used_at', 'is', null)
      .executeTakeFirstOrThrow()
    return count
  }

  /**
   * Makes a new set in place of the old one, and ends the other sessions of the account.
   *
   * @returns Undefined when the credentials have changed meanwhile, or the session or the enrollment has ended.
   */
  async renew(
    by: Changing,
  ): Promise<{ readonly set: RecoveryCodeSet; readonly credentialVersion: number } | undefined> {
    const { accountId } = by
    const set = await this.prepare(accountId, by)
    const credentialVersion = await this.#changes.make(by, async (transaction) => {
      await replaceRecoveryCodes(transaction, accountId, set)
      const notices = [{ kind: 'recovery-codes-renewed', accountId }] as const
      return { event: AuditEvent.RecoveryCodesRenewed, notices }
    })
    return credentialVersion === undefined ? undefined : { set, credentialVersion }
  }

  /**
   * Verifies a code and uses it up. A wrong one counts for the factors of the account as well.
   *
   * @returns Whether it was an unused code of the account.
   * @throws {TooManyRequestsException} If the account is locked; the code is not checked then.
   */
  async verifyAndConsume(
    { id: accountId }: Account,
    typed: unknown,
    challenge: PendingChallenge,
  ): Promise<boolean> {
    const factor = { kind: 'recovery', limit: RECOVERY_LIMIT.of(accountId) } as const
    const refused = { kind: AuditEvent.RecoveryCodeRefused }
    const judged = { accountId, challenge: this.#telling(accountId, challenge), compared: [factor], refused }
    const code = readRecoveryCode(typed)
    return this.#check.judgeHashed(judged, {
      code: code?.secret,
      find: async () => code && this.#find(accountId, code.prefix),
      useUp: async (transaction, { prefix, hash }) => {
        // The row count decides: another request may have used the code or replaced the set.
        const used = await transaction
          .updateTable('recovery_code')
          .set({ used_at: this.#clock.timestamp() })
          .where('account_id', '=', accountId)
          .where('prefix', '=', prefix)
          .where('hash', '=', hash)
          .where('used_at', 'is', null)
          .executeTakeFirst()
        return used.numUpdatedRows === 1n
      },
    })
  }

  // One that was used as well: its form may have been copied.
  #find(accountId: string, prefix: string): Promise<StoredCode | undefined> {
    return this.#database
      .selectFrom('recovery_code')
      .select(['prefix', 'hash'])
      .where('account_id', '=', accountId)
      .where('prefix', '=', prefix)
      .executeTakeFirst()
  }

  // The owner is told at once.
  #telling(accountId: string, challenge: PendingChallenge): PendingChallenge {
    return {
      ...challenge,
      accepted: async (transaction, kind) => {
        const entry = { kind: AuditEvent.RecoveryCodeUsed, accountId, challengeId: challenge.id }
        await this.#audit.record({ ...entry, ...challenge.client }, transaction)
        if (!(await challenge.accepted(transaction, kind))) return false
        const values = { left: await this.left(accountId, transaction) }
        await this.#notices.tell({ kind: 'recovery-code-used', accountId, values }, transaction)
        // What is lost may be lost together with a browser that needs no second step.
        await this.#versions.endGranted(transaction, accountId)
        return true
      },
    }
  }
}

/** Stores a new set. The old one stops counting in the same transaction. */
export async function replaceRecoveryCodes(
  database: Kysely<Schema>,
  accountId: string,
  { rows }: RecoveryCodeSet,
): Promise<void> {
  await dropRecoveryCodes(database, accountId)
  const values = rows.map((row) => ({ ...row, account_id: accountId, used_at: null }))
  await database.insertInto('recovery_code').values(values).execute()
}

export async function dropRecoveryCodes(database: Kysely<Schema>, accountId: string): Promise<void> {
  await database.deleteFrom('recovery_code').where('account_id', '=', accountId).execute()
}
