import { randomUUID } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import { type Clock, inject } from 'sallyport'
import { Database } from '../database/database.ts'
import { type Language, languageOf, LANGUAGES } from '../messages/language.ts'
import type { Schema } from '../database/schema.ts'
import { Account } from './account.ts'
import { CredentialVersions } from './credential-version.ts'
import { emailKey } from '../text/email-address.ts'

/** An account and its current permissions. */
export interface AuthenticationIdentity {
  /** The account. */
  readonly principal: Account
  /** Names of its permissions. */
  readonly permissions: readonly string[]
  /** Raised by every change of its credentials; sessions of an earlier version are over. */
  readonly credentialVersion: number
  /** Mark of the session that made the last such change; null when it was none, or the change ended every session. */
  readonly changedBy: string | null
}

/** The data of an account that the password check needs. */
export interface Credentials {
  /** Account reference. */
  readonly id: string
  /** Its address, which may be spelled otherwise than the one that was looked for. */
  readonly email: string
  /** Stored hash; null for an account without a password. */
  readonly passwordHash: string | null
  /** Whether the account may sign in at all. */
  readonly isActive: boolean
  /** Version of its credentials at the time of the hash. */
  readonly credentialVersion: number
  /** Language of the mails to its owner. */
  readonly language: Language
}

/** An account to create. */
export interface NewAccount {
  /** Its e-mail address; unique after normalization by `emailKey()`. */
  readonly email: string
  /** Name of its owner. */
  readonly name: string
  /** A hash of `PasswordHasher`; null for none. */
  readonly passwordHash: string | null
  /** Non-empty names. Default: none. */
  readonly permissions?: readonly string[]
  /** Language of the mails to its owner. Default: the first of the application. */
  readonly language?: Language
}

/**
 * Loads an account and its permissions; nothing is cached.
 *
 * @returns The identity; null for an unknown account and for one that may no longer sign in.
 */
export async function identityIn(
  database: Kysely<Schema>,
  id: string,
): Promise<AuthenticationIdentity | null> {
  // Each request asks it, and a query in SQL is compiled several times as fast as one that is built.
  const { rows } = await sql<IdentityRow>`
    SELECT account.id, account.name, account.email, account.credential_version AS credentialVersion, account.credential_mark AS changedBy,
      permission
    FROM account LEFT JOIN account_permission ON account_permission.account_id = account.id
    WHERE account.id = ${id} AND account.state = 'active'`.execute(database)
  const [account] = rows
  if (account === undefined) return null
  const permissions = rows.flatMap((row) => (row.permission === null ? [] : [row.permission]))
  const { credentialVersion, changedBy } = account
  return { principal: new Account(account), permissions, credentialVersion, changedBy }
}

interface IdentityRow extends Pick<AuthenticationIdentity, 'credentialVersion' | 'changedBy'> {
  readonly id: string
  readonly name: string
  readonly email: string
  readonly permission: string | null
}

/** The accounts: the user repository of this application. */
export class Users {
  readonly #database = inject(Database)
  readonly #versions = inject(CredentialVersions)

  /**
   * Loads an account and its permissions; nothing is cached.
   *
   * @returns The identity; null for an unknown account and for one that may no longer sign in.
   */
  authenticationIdentity(id: string): Promise<AuthenticationIdentity | null> {
    return identityIn(this.#database, id)
  }

  /**
   * Finds an account by its e-mail address, even one that may not sign in.
   *
   * @returns Its reference, its stored hash and whether it may sign in; null when no account has that address.
   */
  async findByEmail(email: string): Promise<Credentials | null> {
    const row = await this.#database
      .selectFrom('account')
      .select(['id', 'email', 'password_hash', 'state', 'credential_version', 'language'])
      .where('email_key', '=', emailKey(email))
      .executeTakeFirst()
    if (row === undefined) return null
    return {
      id: row.id,
      email: row.email,
      passwordHash: row.password_hash,
      isActive: row.state === 'active',
      credentialVersion: row.credential_version,
      language: languageOf(row.language),
    }
  }

  /** @returns The language of the mails to its owner; the default one for an unknown account. */
  async languageOf(id: string): Promise<Language> {
    const row = await this.#database
      .selectFrom('account')
      .select('language')
      .where('id', '=', id)
      .executeTakeFirst()
    return languageOf(row?.language ?? LANGUAGES[0])
  }

  /**
   * Replaces the hash of the same password unless it has changed in the meantime. The credentials stay the same.
   *
   * @param hashes `expected`: the hash that the caller verified against; `replacement`: the new hash.
   * @param database The transaction. Default: none.
   * @returns Whether it was replaced; false when the stored hash has changed.
   */
  async replacePasswordHash(
    id: string,
    { expected, replacement }: { readonly expected: string; readonly replacement: string },
    database: Kysely<Schema> = this.#database,
  ): Promise<boolean> {
    const result = await database
      .updateTable('account')
      .set({ password_hash: replacement })
      .where('id', '=', id)
      .where('password_hash', '=', expected)
      .executeTakeFirst()
    return result.numUpdatedRows === 1n
  }

  /** Disables an account. Its sessions end, and stay ended when it is enabled again. */
  async disable(id: string): Promise<void> {
    await this.#database.transaction().execute(async (transaction) => {
      await transaction.updateTable('account').set({ state: 'disabled' }).where('id', '=', id).execute()
      await this.#versions.raise(transaction, id)
    })
  }

  async enable(id: string): Promise<void> {
    await this.#database.updateTable('account').set({ state: 'active' }).where('id', '=', id).execute()
  }

  /** Keeps the language of the mails to an account. */
  async chooseLanguage(id: string, language: Language): Promise<void> {
    await this.#database.updateTable('account').set({ language }).where('id', '=', id).execute()
  }

  /**
   * Ends all sessions and pending logins of an account.
   *
   * @returns The new credential version, which a session that goes on must keep; undefined for an unknown account.
   */
  endSessions(id: string): Promise<number | undefined> {
    return this.#database.transaction().execute((transaction) => this.#versions.raise(transaction, id))
  }

  /**
   * Creates an account.
   *
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
        credential_version: 1,
        language: account.language ?? LANGUAGES[0],
      }
      await transaction.insertInto('account').values(row).execute()
      for (const permission of permissions) {
        await transaction.insertInto('account_permission').values({ account_id: id, permission }).execute()
      }
    })
    return id
  }
}
