import { randomUUID } from 'node:crypto'
import { type Kysely, sql, type Transaction } from 'kysely'
import { Clock, inject } from 'sallyport'
import type { CurrentCredentials } from 'sallyport-app/sessions'
import { emailKey } from 'sallyport-app/text'
import { Database } from '../database/database.ts'
import type { Schema } from '../database/schema.ts'
import { MAIL_PASSWORD_SECONDS } from '../limits/limits.ts'
import { type Language, languageOf, LANGUAGES } from '../messages/language.ts'
import { Account } from './account.ts'

/** An account and its current permissions. */
export interface AuthenticationIdentity extends CurrentCredentials {
  readonly principal: Account
  readonly permissions: readonly string[]
}

/** The data of an account that the password check needs. */
export interface StoredCredentials {
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
  /** Its reference. Default: a new one. */
  readonly id?: string | undefined
  /** Its e-mail address; unique after normalization by `emailKey()`. */
  readonly email: string
  readonly name: string
  /** A hash of `PasswordHasher`; null for none. */
  readonly passwordHash: string | null
  /** Default: none. */
  readonly permissions?: readonly string[]
  /** Language of the mails to its owner. Default: the first of the application. */
  readonly language?: Language | undefined
}

/** @returns The identity; null for an unknown account and for one that may no longer sign in. */
export async function identityIn(
  database: Kysely<Schema>,
  id: string,
): Promise<AuthenticationIdentity | null> {
  // Each request asks it, and a query in SQL is compiled several times as fast as one that is built.
  const { rows } = await sql<IdentityRow>`
    SELECT account.id, account.name, account.email, account.language, account.credential_version AS "credentialVersion",
      account.credential_mark AS "changedBy", permission
    FROM account LEFT JOIN account_permission ON account_permission.account_id = account.id
    WHERE account.id = ${id} AND account.state = 'active'`.execute(database)
  const [account] = rows
  if (account === undefined) return null
  const permissions = rows.flatMap((row) => (row.permission === null ? [] : [row.permission]))
  const { credentialVersion, changedBy } = account
  const principal = new Account({ ...account, language: languageOf(account.language) })
  return { principal, permissions, credentialVersion, changedBy }
}

interface IdentityRow extends CurrentCredentials {
  readonly id: string
  readonly name: string
  readonly email: string
  readonly language: string
  readonly permission: string | null
}

/** @returns Reference of the new account; undefined when the address is taken. */
export async function addAccount(
  transaction: Transaction<Schema>,
  { id = randomUUID(), email, name, passwordHash, permissions = [], language = LANGUAGES[0] }: NewAccount,
  now: number,
): Promise<string | undefined> {
  const row = { id, email, email_key: emailKey(email), name, password_hash: passwordHash, language }
  const added = await transaction
    .insertInto('account')
    .values({ ...row, state: 'active', created_at: now, credential_version: 1 })
    .onConflict((conflict) => conflict.column('email_key').doNothing())
    .executeTakeFirst()
  if (added.numInsertedOrUpdatedRows !== 1n) return undefined
  for (const permission of new Set(permissions))
    await transaction.insertInto('account_permission').values({ account_id: id, permission }).execute()
  return id
}

/** The accounts: the user repository of this application. */
export class Users {
  readonly #database = inject(Database)
  readonly #clock = inject(Clock)

  /** @returns The identity; null for an unknown account and for one that may no longer sign in. */
  authenticationIdentity(id: string): Promise<AuthenticationIdentity | null> {
    return identityIn(this.#database, id)
  }

  /** @returns The account with this address, even one that may not sign in; null when there is none. */
  async findByEmail(email: string): Promise<StoredCredentials | null> {
    const row = await this.#database
      .selectFrom('account')
      .select(['id', 'email', 'password_hash as passwordHash', 'state', 'language'])
      .select('credential_version as credentialVersion')
      .where('email_key', '=', emailKey(email))
      .executeTakeFirst()
    if (row === undefined) return null
    const { state, language, ...account } = row
    return { ...account, isActive: state === 'active', language: languageOf(language) }
  }

  /** @returns Whether it has one. An account never loses it, so what is asked for where there is none is never less than before. */
  async hasPassword(id: string): Promise<boolean> {
    return (await this.passwordHash(id)) !== null
  }

  /** @returns The hash of its password; null without one. */
  async passwordHash(id: string): Promise<string | null> {
    const { rows } = await sql<{ readonly hash: string | null }>`
      SELECT password_hash AS "hash" FROM account WHERE id = ${id}`.execute(this.#database)
    return rows[0]?.hash ?? null
  }

  /** @returns Whether a link in a mail set its password lately. Password and mailbox are one proof then, not two. */
  async hasMailPassword(id: string): Promise<boolean> {
    const row = await this.#database
      .selectFrom('account')
      .select('id')
      .where('id', '=', id)
      .where('mail_password_at', '>', this.#clock.timestamp() - MAIL_PASSWORD_SECONDS)
      .executeTakeFirst()
    return row !== undefined
  }

  async chooseLanguage(id: string, language: Language): Promise<void> {
    await this.#database.updateTable('account').set({ language }).where('id', '=', id).execute()
  }

  /** @returns Whether the hash was replaced; false when it is no longer the one that the caller verified against. */
  async replacePasswordHash(
    id: string,
    { expected, replacement }: { readonly expected: string | null; readonly replacement: string },
    database: Kysely<Schema> = this.#database,
  ): Promise<boolean> {
    const result = await database
      .updateTable('account')
      .set({ password_hash: replacement })
      .where('id', '=', id)
      .where('password_hash', 'is not distinct from', expected)
      .executeTakeFirst()
    return result.numUpdatedRows === 1n
  }
}
