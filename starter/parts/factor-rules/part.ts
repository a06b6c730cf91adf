import type { FactorRule } from '../../core/factors/factor-demands.ts'
import type { Part } from '../../core/part.ts'
import { DutyNotice } from './duty-notice.ts'
import { RuleDemands } from './rule-demands.ts'
import { de } from './texts.de.ts'
import { en } from './texts.en.ts'

declare module '../../core/settings.ts' {
  interface Settings {
    /** Who must hold a second factor. Default: what the parts say. */
    readonly factorRules?: readonly FactorRule[]
  }
}

declare module '../../core/database/schema.ts' {
  interface Schema {
    factor_deadline: FactorDeadlineTable
  }
}

/** One row for each account and each rule under which it must hold a second factor. A deadline is never made later. */
interface FactorDeadlineTable {
  account_id: string
  /** Holders of the rule. */
  rule: string
  /** Unix timestamp from which a login needs a factor. */
  at: number
}

/** Rules about who must hold which second factor, from when. */
export const factorRules: Part = {
  name: 'factor-rules',
  views: new URL('views/', import.meta.url),
  texts: { en, de },
  migration: [
    `CREATE TABLE factor_deadline (
      account_id TEXT NOT NULL REFERENCES account (id) ON DELETE CASCADE,
      rule TEXT NOT NULL,
      at INTEGER NOT NULL,
      PRIMARY KEY (account_id, rule)
    ) STRICT, WITHOUT ROWID`,
  ],
  demands: RuleDemands,
  slots: { home: ['factor-rules::duty'] },
  slotData: DutyNotice,
}
