/** One row for each account and each rule under which it must hold a second factor. A deadline is never made later. */
export interface FactorDeadlineTable {
  account_id: string
  /** Holders of the rule. */
  rule: string
  /** Unix timestamp from which a login needs a factor. */
  at: number
}

declare module '../../core/database/schema.ts' {
  interface Schema {
    factor_deadline: FactorDeadlineTable
  }
}
