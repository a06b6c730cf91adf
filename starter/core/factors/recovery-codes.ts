import { randomBytes, randomUUID } from 'node:crypto'
import { type Kysely, sql, type Transaction } from 'kysely'
import { Clock, inject } from 'sallyport'
import { PasswordHasher } from 'sallyport/auth'
import type { Client } from 'sallyport-app/clients'
import { Attempts, hashedFor } from 'sallyport-app/limits'
import { typedCode } from 'sallyport-app/text'
import { Database } from '../database/database.ts'
import type { Schema } from '../database/schema.ts'
import type { Account } from '../accounts/account.ts'
import { CredentialVersions, type HeldCredentials } from '../accounts/credential-version.ts'
import { AuditEvent, AuditTrail } from '../audit/audit-trail.ts'
import { Challenges } from '../challenges/challenges.ts'
import { codeLimits, FACTOR_LIMIT, HASH_LIMIT, RECOVERY_LIMIT } from '../limits/limits.ts'
import { Notices } from '../mail/notices.ts'
import type { PendingChallenge } from './totp-factors.ts'

// A recovery code is twelve characters of Crockford's Base32, shown in groups of four: ABCD-EFGH-JKMN.
//
//   4   prefix, stored as it is: it finds the row, so that one hash decides
//   8   secret, 40 bits, stored hashed only
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const PREFIX_CHARACTERS = 4
const CODE_CHARACTERS = 12

export const RECOVERY_CODES = 10

/** A set of codes: to be shown once, and stored hashed. */
export interface RecoveryCodeSet {
  /** Identifier of the set. It opens nothing: the form that acknowledges the set names it. */
  readonly id: string
  readonly madeAt: number
  readonly codes: readonly string[]
  readonly rows: readonly { readonly prefix: string; readonly hash: string }[]
}

/** A recovery code that was tried, and where. */
export interface RecoveryTry extends Client {
  readonly code: unknown
  /** The pending login, for which an attempt has been counted, and what else happens in the transaction. */
  readonly challenge: PendingChallenge
}

/** Recovery codes: a second factor for the day on which the other one is gone. Each works once. */
export class RecoveryCodes {
  readonly #database = inject(Database)
  readonly #hasher = inject(PasswordHasher)
  readonly #attempts = inject(Attempts)
  readonly #challenges = inject(Challenges)
  readonly #audit = inject(AuditTrail)
  readonly #notices = inject(Notices)
  readonly #clock = inject(Clock)
  readonly #versions = inject(CredentialVersions)

  /**
   * Makes a set that does not count yet. Hashing takes a while, and no transaction waits for it.
   *
   * @throws {TooManyRequestsException} If the account has asked for too many.
   * @throws {ServiceUnavailableException} If too many callers wait for a hash.
   */
  prepare(accountId: string, { clientAddress }: Pick<Client, 'clientAddress'>): Promise<RecoveryCodeSet> {
    return this.#attempts.spend([HASH_LIMIT.of(accountId)], async () => {
      const codes: string[] = []
      const rows = new Map<string, { readonly prefix: string; readonly hash: string }>()
      while (rows.size < RECOVERY_CODES) {
        const code = randomCode()
        const { prefix, secret } = split(code)
        if (rows.has(prefix)) continue
        rows.set(prefix, { prefix, hash: await this.#hasher.hash(secret, hashedFor(clientAddress)) })
        codes.push(code.replace(/(.{4})(.{4})/, '$1-$2-'))
      }
      return { id: randomUUID(), madeAt: this.#clock.timestamp(), codes, rows: [...rows.values()] }
    })
  }

  /**
   * @param database The transaction to use. Default: none.
   * @returns How many codes are left.
   */
  async left(accountId: string, database: Kysely<Schema> = this.#database): Promise<number> {
    const { count } = await database
      .selectFrom('recovery_code')
      .select((select) => select.fn.countAll<number>().as('count'))
      .where('account_id', '=', accountId)
      .where('used_at', 'is', null)
      .executeTakeFirstOrThrow()
    return count
  }

  /** @returns Its present set, if its owner has not confirmed to have kept it. */
  unconfirmed(accountId: string): Promise<{ readonly id: string } | undefined> {
    return this.#database
      .selectFrom('recovery_code_set')
      .select('id')
      .where('account_id', '=', accountId)
      .where('kept_at', 'is', null)
      .executeTakeFirst()
  }

  /**
   * Notes that the owner has confirmed to have kept the codes. The row count decides.
   *
   * @param set Identifier of the set that was shown; undefined for the present one.
   * @param database The transaction to use. Default: none.
   * @returns Whether it is the present set, and was not confirmed before.
   */
  async keep(
    accountId: string,
    set: string | undefined,
    database: Kysely<Schema> = this.#database,
  ): Promise<boolean> {
    const result = await database
      .updateTable('recovery_code_set')
      .set({ kept_at: this.#clock.timestamp() })
      .where('account_id', '=', accountId)
      .where('kept_at', 'is', null)
      .$if(set !== undefined, (query) => query.where('id', '=', set ?? ''))
      .executeTakeFirst()
    return result.numUpdatedRows === 1n
  }

  /**
   * Makes a new set in place of the old one, and ends the other sessions of the account: in one transaction with the record and the mail.
   *
   * @returns The new set, and the new credential version; undefined when the credentials have changed meanwhile, or the session or the
   *   enrollment has ended.
   * @throws {ServiceUnavailableException} If too many callers wait for a hash.
   */
  async renew(
    accountId: string,
    asked: Client & HeldCredentials,
  ): Promise<{ readonly set: RecoveryCodeSet; readonly credentialVersion: number } | undefined> {
    const set = await this.prepare(accountId, asked)
    const { clientAddress, device } = asked
    return this.#database.transaction().execute(async (transaction) => {
      const credentialVersion = await this.#versions.advance(transaction, accountId, asked)
      if (credentialVersion === undefined) return undefined
      await replaceRecoveryCodes(transaction, accountId, set)
      const entry = { kind: AuditEvent.RecoveryCodesRenewed, accountId, clientAddress, device }
      await this.#audit.record(entry, transaction)
      await this.#notices.tell({ kind: 'recovery-codes-renewed', accountId }, transaction)
      return { set, credentialVersion }
    })
  }

  /**
   * Verifies a code and uses it up: in one transaction the code, the end of the pending login, and the record of both. Of
   * simultaneous uses one succeeds. The others count as failures, for the factors of the account as well, unless the pending login is over.
   *
   * @param principal Owner of the code; reloaded from the repository, never chosen by the client.
   * @returns Whether it was an unused code of the account.
   * @throws {TooManyRequestsException} If the account is locked; the code is not checked then.
   * @throws {ServiceUnavailableException} If too many callers wait for a hash; nothing is counted then.
   */
  async verifyAndConsume(principal: Account, tried: RecoveryTry): Promise<boolean> {
    const { challenge, clientAddress } = tried
    const limited = codeLimits(principal.id, [RECOVERY_LIMIT.of(principal.id)], challenge.unlock)
    await this.#attempts.assertOpen(limited)
    const code = parse(tried.code)
    const row = code === undefined ? undefined : await this.#find(principal.id, code.prefix)
    // One hash, whatever was typed.
    const secret = code?.secret ?? 'none'
    const isRight = await this.#hasher.verify(secret, row?.hash ?? null, hashedFor(clientAddress))
    return this.#database.transaction().execute(async (transaction) => {
      await this.#attempts.assertOpen(limited, transaction)
      if ((await challenge.reserve?.(transaction)) === false) return false
      const right = isRight ? row : undefined
      if (right !== undefined && (await this.#useUp(transaction, principal, { ...right, ...tried })))
        return true
      await this.#attempts.count(limited, transaction)
      return false
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

  // The row count of the first statement decides: another request may have used the code or replaced the set.
  async #useUp(
    transaction: Transaction<Schema>,
    { id: accountId }: Account,
    { challenge, clientAddress, device, prefix, hash }: StoredCode & RecoveryTry,
  ): Promise<boolean> {
    const used = await transaction
      .updateTable('recovery_code')
      .set({ used_at: this.#clock.timestamp() })
      .where('account_id', '=', accountId)
      .where('prefix', '=', prefix)
      .where('hash', '=', hash)
      .where('used_at', 'is', null)
      .where(sql<boolean>`EXISTS (SELECT 1 FROM challenge WHERE id = ${challenge.id} AND ended_at IS NULL)`)
      .executeTakeFirst()
    if (used.numUpdatedRows !== 1n) return false
    await this.#challenges.end(challenge.id, transaction)
    await this.#attempts.forget([RECOVERY_LIMIT.of(accountId), FACTOR_LIMIT.of(accountId)], transaction)
    const entry = { kind: AuditEvent.RecoveryCodeUsed, accountId, clientAddress, device }
    await this.#audit.record({ ...entry, challengeId: challenge.id }, transaction)
    await challenge.accepted?.(transaction, 'recovery')
    const values = { left: await this.left(accountId, transaction) }
    await this.#notices.tell({ kind: 'recovery-code-used', accountId, values }, transaction)
    // What is lost may be lost together with a browser that needs no second step.
    await this.#versions.endGranted(transaction, accountId)
    return true
  }
}

interface StoredCode {
  readonly prefix: string
  readonly hash: string
}

/** Stores a new set, which nobody has confirmed to have kept yet. The old one stops counting in the same transaction. */
export async function replaceRecoveryCodes(
  database: Kysely<Schema>,
  accountId: string,
  { id, madeAt, rows }: RecoveryCodeSet,
): Promise<void> {
  await dropRecoveryCodes(database, accountId)
  const values = rows.map((row) => ({ ...row, account_id: accountId, used_at: null }))
  await database.insertInto('recovery_code').values(values).execute()
  const row = { account_id: accountId, id, made_at: madeAt, kept_at: null }
  await database.insertInto('recovery_code_set').values(row).execute()
}

export async function dropRecoveryCodes(database: Kysely<Schema>, accountId: string): Promise<void> {
  for (const table of ['recovery_code', 'recovery_code_set'] as const)
    await database.deleteFrom(table).where('account_id', '=', accountId).execute()
}

// 32 characters: each takes five bits of a random byte, none more often than another.
function randomCode(): string {
  return [...randomBytes(CODE_CHARACTERS)].map((byte) => ALPHABET.charAt(byte & 31)).join('')
}

function split(code: string): { readonly prefix: string; readonly secret: string } {
  return { prefix: code.slice(0, PREFIX_CHARACTERS), secret: code.slice(PREFIX_CHARACTERS) }
}

/** @returns Whether it has the form of a recovery code. Whether it is one is not looked up. */
export function isRecoveryCode(value: unknown): boolean {
  return parse(value) !== undefined
}

// As people read them: without hyphens, in small letters, with O for 0 and I or L for 1.
function parse(value: unknown): { readonly prefix: string; readonly secret: string } | undefined {
  if (typeof value !== 'string') return undefined
  const code = typedCode(value).toUpperCase().replaceAll('O', '0').replace(/[IL]/g, '1')
  return /^[0-9A-HJKMNP-TV-Z]{12}$/.test(code) ? split(code) : undefined
}
