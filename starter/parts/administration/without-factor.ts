import { type Expression, sql } from 'kysely'
import { inject } from 'sallyport'
import { Database } from '../../core/database/database.ts'
import { holdsFactor } from '../../core/factors/second-factors.ts'
import { FactorPolicy } from '../../core/factors/factor-policy.ts'

/** An account without a second factor that counts. */
export interface AccountWithoutFactor {
  readonly id: string
  readonly name: string
  readonly email: string
  /** Whether it must hold one. */
  readonly mustHold: boolean
  /** Unix timestamp from which it must; null where none is fixed yet, because the owner has not signed in since. */
  readonly from: number | null
}

/** The report of accounts without a second factor. */
export class WithoutFactor {
  readonly #database = inject(Database)
  readonly #demands = inject(FactorPolicy).demands

  /** Lists the accounts that may sign in and hold no enabled factor, those who must hold one first, then by address. */
  async list({
    limit,
    offset = 0,
  }: {
    readonly limit: number
    readonly offset?: number
  }): Promise<readonly AccountWithoutFactor[]> {
    const rows = await this.#database
      .selectFrom('account')
      .select((account) => {
        const columns = this.#demands.flatMap((each) => each.columns?.(account) ?? [])
        const isBound = account.or(columns.map((each) => each.isBound))
        return [
          'id',
          'name',
          'email',
          account.case().when(isBound).then(1).else(0).end().as('mustHold'),
          earliest(columns.map((each) => each.from)).as('from'),
        ]
      })
      .where('state', '=', 'active')
      .where((account) => account.not(holdsFactor(account)))
      .orderBy('mustHold', 'desc')
      .orderBy('email_key')
      .limit(limit)
      .offset(offset)
      .execute()
    return rows.map((row) => {
      const mustHold = row.mustHold === 1
      return { ...row, mustHold, from: mustHold ? row.from : null }
    })
  }
}

// Of several numbers, min() of SQLite is null where one of them is.
function earliest(times: readonly Expression<number | null>[]) {
  const never = sql<number>`${Number.MAX_SAFE_INTEGER}`
  const all = [never, ...times.map((time) => sql<number>`coalesce(${time}, ${never})`), never]
  return sql<number | null>`nullif(min(${sql.join(all)}), ${never})`
}
