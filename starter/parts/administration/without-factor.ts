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
          account.case().when(isBound).then(account.lit(1)).else(account.lit(0)).end().as('mustHold'),
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

// Databases differ in the function for the least of several numbers. An aggregate leaves out what is null.
function earliest(times: readonly Expression<number | null>[]) {
  const rows = [sql`SELECT NULL AS moment WHERE FALSE`, ...times.map((time) => sql`SELECT ${time}`)]
  return sql<number | null>`(SELECT min(moment) FROM (${sql.join(rows, sql` UNION ALL `)}) AS times)`
}
