import { type RawBuilder, sql } from 'kysely'
import { Clock, inject } from 'sallyport'
import type { AccountCondition } from '../../core/account-condition.ts'
import { Database } from '../../core/database/database.ts'
import { holdsFactor } from '../../core/factors/second-factors.ts'
import { Parts } from '../../core/part.ts'

/** A row of the list of accounts. */
export interface ListedAccount {
  readonly id: string
  readonly name: string
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
  readonly permissions: readonly string[]
}

/** A page of the list. */
export interface AccountPage {
  /** The accounts by address. */
  readonly accounts: readonly ListedAccount[]
  /** Reference of the last account, if others follow; otherwise null. */
  readonly next: string | null
}

/** A place in the list. */
export interface AccountPlace {
  /** How address or name begin; empty for all. */
  readonly search: string
  /** Reference of the account that the page before ended with; empty for the first page. */
  readonly after: string
  /** Whether only those without a second factor are listed. Default: all. */
  readonly withoutFactor?: boolean
  /** How many accounts, at most `MAX_ACCOUNTS_PER_PAGE`. Default: `ACCOUNTS_PER_PAGE`. */
  readonly limit?: number
}

/** How many accounts a page of the list has. */
export const ACCOUNTS_PER_PAGE = 25

/** How many accounts a page of the list has at most. */
export const MAX_ACCOUNTS_PER_PAGE = 100

// Not LIKE: databases differ in whether it regards case, and use no index for it unless it is of their own kind. Of no text is the last
// character greater than that of the end.
function beginsWith(column: 'email_key' | 'name', text: string): RawBuilder<boolean> {
  const start = text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())
  const lower = sql`lower(${sql.ref(column)})`
  return sql<boolean>`(${lower} >= ${start} AND ${lower} < ${`${start}\u{10FFFF}`})`
}

/** Finds accounts. A page begins behind an account and not at a number: it costs the same however far down it is. */
export class AccountDirectory {
  readonly #database = inject(Database)
  readonly #clock = inject(Clock)
  readonly #parts = inject(Parts).all

  /** Lists accounts by address. */
  async list({
    search,
    after,
    withoutFactor = false,
    limit: wanted = ACCOUNTS_PER_PAGE,
  }: AccountPlace): Promise<AccountPage> {
    const limit = Math.min(wanted, MAX_ACCOUNTS_PER_PAGE)
    // One more than is shown: it tells whether others follow.
    const most = limit + 1
    // No address is smaller than the empty one. A page after an account that is gone is the first one.
    const last = sql<string>`coalesce((SELECT before.email_key FROM account AS before WHERE before.id = ${after}), '')`
    const isListed = withoutFactor
      ? sql<boolean>`NOT EXISTS (SELECT 1 FROM factor WHERE account_id = account.id AND state = 'enabled')`
      : sql<boolean>`TRUE`
    // Two searches, because one with OR would use no index.
    const matching = sql<string>`(
      SELECT id FROM (SELECT id FROM account WHERE ${beginsWith('email_key', search)} AND email_key > ${last} AND ${isListed}
        ORDER BY email_key LIMIT ${most}) AS by_address
      UNION
      SELECT id FROM (SELECT id FROM account WHERE ${beginsWith('name', search)} AND email_key > ${last} AND ${isListed}
        ORDER BY email_key LIMIT ${most}) AS by_name)`
    const listed = this.#database
      .selectFrom('account')
      .select(['id', 'name', 'email', 'email_key', 'state'])
      .where('email_key', '>', last)
      .$if(search !== '', (query) => query.where('id', 'in', matching))
      .where(isListed)
      .orderBy('email_key')
      .limit(most)
    // Asked of those alone: PostgreSQL would read the factors of all accounts.
    const rows = await this.#database
      .selectFrom(listed.as('account'))
      .select((select) => ['id', 'name', 'email', 'state', holdsFactor(select).as('has_factor')])
      .orderBy('email_key')
      .execute()
    const accounts = rows
      .slice(0, limit)
      .map(({ has_factor: held, ...row }) => ({ ...row, hasFactor: Boolean(held) }))
    return { accounts, next: rows.length > limit ? (accounts.at(-1)?.id ?? null) : null }
  }

  /** @returns The account; undefined when there is none. */
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

  /** @returns What is under way with accounts, by account reference; nothing for the others. */
  async conditions(ids: readonly string[]): Promise<ReadonlyMap<string, readonly AccountCondition[]>> {
    if (ids.length === 0) return new Map()
    const leaving = await this.#database
      .selectFrom('account')
      .select(['id as accountId', 'leaves_at as until'])
      .where('id', 'in', ids)
      .where('leaves_at', 'is not', null)
      .$narrowType<{ until: number }>()
      .execute()
    const found: AccountCondition[] = leaving.map((row) => ({ ...row, kind: 'deletion', mark: 'deletion' }))
    for (const { conditions } of this.#parts)
      found.push(...((await conditions?.(this.#database, ids, this.#clock.timestamp())) ?? []))
    return Map.groupBy(found, ({ accountId }) => accountId)
  }
}
