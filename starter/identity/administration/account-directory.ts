import { type Kysely, sql } from 'kysely'
import { GIVEN, queries, rowsOf } from '../../database/built-queries.ts'
import type { Schema } from '../../database/schema.ts'
import { holdsFactor } from '../factors/second-factors.ts'

/** A row of the list of accounts. */
export interface ListedAccount {
  /** Account reference. */
  readonly id: string
  /** Name of its owner. */
  readonly name: string
  /** Its e-mail address. */
  readonly email: string
  /** Accounts that are `disabled` cannot sign in. */
  readonly state: 'active' | 'disabled'
  /** Whether a second factor is enabled. */
  readonly hasFactor: boolean
}

/** One account, without anything that proves it. */
export interface DescribedAccount extends Omit<ListedAccount, 'hasFactor'> {
  /** Unix timestamp of its creation. */
  readonly createdAt: number
  /** Whether its owner has chosen a password. */
  readonly hasPassword: boolean
  /** Names of its permissions. */
  readonly permissions: readonly string[]
}

/** A page of the list. */
export interface AccountPage {
  /** The accounts by address. */
  readonly accounts: readonly ListedAccount[]
  /** Reference of the last account, if others follow; otherwise null. */
  readonly next: string | null
}

/** How many accounts a page of the list has. */
export const ACCOUNTS_PER_PAGE = 25

// One more than is shown: it tells whether others follow.
const READ = sql.lit(ACCOUNTS_PER_PAGE + 1)
// No address is smaller than the empty one. A page after an account that is gone is the first one.
const AFTER = sql<string>`coalesce((SELECT before.email_key FROM account AS before WHERE before.id = ${GIVEN}), '')`
const LIST = queries
  .selectFrom('account')
  .select((select) => ['id', 'name', 'email', 'state', holdsFactor(select).as('has_factor')])
  .where('email_key', '>', AFTER)
  .orderBy('email_key')
  .limit(READ)
const ALL = LIST.compile()
// Two searches, because one with OR would use no index.
const MATCHING = LIST.where(
  'id',
  'in',
  sql<string>`(
    SELECT id FROM (SELECT id FROM account WHERE email_key LIKE ${GIVEN} ESCAPE '\\' AND email_key > ${AFTER}
      ORDER BY email_key LIMIT ${READ}) AS by_address
    UNION
    SELECT id FROM (SELECT id FROM account WHERE name LIKE ${GIVEN} ESCAPE '\\' AND email_key > ${AFTER}
      ORDER BY email_key LIMIT ${READ}) AS by_name)`,
).compile()

/** Finds accounts. A page begins behind an account and not at a number: it costs the same however far down it is. */
export class AccountDirectory {
  readonly #database: Kysely<Schema>

  /**
   * @param database Database of the accounts.
   */
  constructor(database: Kysely<Schema>) {
    this.#database = database
  }

  /**
   * Lists accounts by address.
   *
   * @param page `search`: how address or name begin, empty for all; `after`: reference of the account that the page before ended
   * with, empty for the first page.
   * @returns The accounts.
   */
  async list({ search, after }: { readonly search: string; readonly after: string }): Promise<AccountPage> {
    const pattern = `${search.replace(/[\\%_]/g, String.raw`\$&`)}%`
    const rows =
      search === ''
        ? await rowsOf(this.#database, ALL, [after])
        : await rowsOf(this.#database, MATCHING, [after, pattern, after, pattern, after])
    const accounts = rows
      .slice(0, ACCOUNTS_PER_PAGE)
      .map(({ has_factor: held, ...row }) => ({ ...row, hasFactor: Boolean(held) }))
    return { accounts, next: rows.length > ACCOUNTS_PER_PAGE ? (accounts.at(-1)?.id ?? null) : null }
  }

  /**
   * @param id Account reference.
   * @returns The account; undefined when there is none.
   */
  async find(id: string): Promise<DescribedAccount | undefined> {
    const account = await this.#database
      .selectFrom('account')
      .select(['id', 'name', 'email', 'state', 'created_at', 'password_hash'])
      .where('id', '=', id)
      .executeTakeFirst()
    if (account === undefined) return undefined
    const { created_at: createdAt, password_hash: hash, ...rest } = account
    const permissions = await this.#database
      .selectFrom('account_permission')
      .select('permission')
      .where('account_id', '=', id)
      .orderBy('permission')
      .execute()
    return {
      ...rest,
      createdAt,
      hasPassword: hash !== null,
      permissions: permissions.map(({ permission }) => permission),
    }
  }
}
