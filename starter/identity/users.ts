import { randomUUID } from 'node:crypto'
import { domainToASCII } from 'node:url'
import type { Kysely } from 'kysely'
import type { Clock } from 'sallyport'
import type { Schema } from '../database/schema.ts'
import { Account } from './account.ts'

/** Who an account is and what it may do at this moment. */
export interface AuthenticationIdentity {
  /** The account. */
  readonly principal: Account
  /** Names of what it may do. */
  readonly permissions: readonly string[]
}

/** What the password step needs of an account. */
export interface Credentials {
  /** Account reference. */
  readonly id: string
  /** Stored hash; null for an account that has no password. */
  readonly passwordHash: string | null
  /** Whether the account may log in at all. */
  readonly isActive: boolean
}

/** An account to be created. */
export interface NewAccount {
  /** Address that it logs in with; unique as `emailKey()` spells it. */
  readonly email: string
  /** What its owner is called. */
  readonly name: string
  /** A hash made by `PasswordHasher`; null for none. */
  readonly passwordHash: string | null
  /** Non-empty names. Default: none. */
  readonly permissions?: readonly string[]
}

/** A row of the list of accounts. */
export interface AccountSummary {
  /** Account reference. */
  readonly id: string
  /** What its owner is called. */
  readonly name: string
  /** Address that it logs in with. */
  readonly email: string
  /** `disabled` accounts cannot log in. */
  readonly state: 'active' | 'disabled'
  /** Whether a second factor is enabled. */
  readonly hasFactor: boolean
}

/**
 * Spells an e-mail address as it is looked up and throttled. Letter case is folded in ASCII only, for `K` (Kelvin) in
 * lower case is `k`, and the mailboxes may be those of two people. A domain has one spelling: that of the name system.
 *
 * @param email An address as somebody typed it.
 * @returns The address by which accounts are told apart.
 */
export function emailKey(email: string): string {
  const trimmed = email.trim()
  const at = trimmed.lastIndexOf('@')
  const domain = trimmed.slice(at + 1)
  // Some browsers send the name system's spelling, others what was typed.
  const name = /^[!-~]*$/.test(domain) ? domain : domainToASCII(domain) || domain
  return lowerCase(trimmed.slice(0, at + 1) + name)
}

function lowerCase(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase())
}

/** The accounts: the user repository of this application. */
export class Users {
  readonly #database: Kysely<Schema>

  /**
   * @param database Where the accounts are kept.
   */
  constructor(database: Kysely<Schema>) {
    this.#database = database
  }

  /**
   * Loads who an account is and what it may do, anew at every call.
   *
   * @param id Account reference, from the session.
   * @returns The identity; null for an account that may no longer log in, and for an unknown one.
   */
  async authenticationIdentity(id: string): Promise<AuthenticationIdentity | null> {
    const rows = await this.#database
      .selectFrom('account')
      .leftJoin('account_permission', 'account_permission.account_id', 'account.id')
      .select(['account.id', 'account.name', 'account.email', 'account_permission.permission'])
      .where('account.id', '=', id)
      .where('account.state', '=', 'active')
      .execute()

    const [account] = rows
    if (account === undefined) return null
    const permissions = rows.flatMap((row) => (row.permission === null ? [] : [row.permission]))
    return { principal: new Account(account), permissions }
  }

  /**
   * Finds the account that logs in with an address, also one that may not log in.
   *
   * @param email Address as it was typed.
   * @returns Its reference, its stored hash and whether it may log in; null when no account has that address.
   */
  async findByEmail(email: string): Promise<Credentials | null> {
    const row = await this.#database
      .selectFrom('account')
      .select(['id', 'password_hash', 'state'])
      .where('email_key', '=', emailKey(email))
      .executeTakeFirst()
    if (row === undefined) return null
    return { id: row.id, passwordHash: row.password_hash, isActive: row.state === 'active' }
  }

  /**
   * Replaces a password hash unless somebody else was faster.
   *
   * @param id Account reference.
   * @param expectedHash The hash that the caller verified against.
   * @param replacement The new hash.
   * @returns Whether it was replaced: false when the stored hash is another one by now.
   */
  async replacePasswordHash(id: string, expectedHash: string, replacement: string): Promise<boolean> {
    const result = await this.#database
      .updateTable('account')
      .set({ password_hash: replacement })
      .where('id', '=', id)
      .where('password_hash', '=', expectedHash)
      .executeTakeFirst()
    return result.numUpdatedRows === 1n
  }

  /**
   * Creates an account.
   *
   * @param account What it is to be.
   * @param clock Clock of the application.
   * @returns Its reference.
   * @throws {Error} If the address is taken.
   */
  async add(account: NewAccount, clock: Clock): Promise<string> {
    const id = randomUUID()
    const permissions = [...new Set(account.permissions)]
    await this.#database.transaction().execute(async (transaction) => {
      const row = {
        id,
        email: account.email,
        email_key: emailKey(account.email),
        name: account.name,
        password_hash: account.passwordHash,
        state: 'active' as const,
        created_at: clock.timestamp(),
      }
      await transaction.insertInto('account').values(row).execute()
      for (const permission of permissions) {
        await transaction.insertInto('account_permission').values({ account_id: id, permission }).execute()
      }
    })
    return id
  }

  /**
   * Lists accounts by name, those of one name by address.
   *
   * @param limit How many at most.
   * @returns The first of them.
   */
  async list(limit: number): Promise<readonly AccountSummary[]> {
    const rows = await this.#database
      .selectFrom('account')
      .select((select) => [
        'id',
        'name',
        'email',
        'state',
        select
          .exists(
            select
              .selectFrom('factor')
              .select('factor.id')
              .whereRef('factor.account_id', '=', 'account.id')
              .where('factor.state', '=', 'enabled'),
          )
          .as('has_factor'),
      ])
      .orderBy('name')
      .orderBy('email_key')
      .limit(limit)
      .execute()
    return rows.map(({ has_factor: hasFactor, ...row }) => ({ ...row, hasFactor: Boolean(hasFactor) }))
  }
}
