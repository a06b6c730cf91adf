import './tables.ts'
import type { FactorRule } from '../../core/factors/factor-demands.ts'
import type { Part } from '../../core/part.ts'
import { DutyNotice } from './duty-notice.ts'
import { migration } from './migration.ts'
import { RuleDemands } from './rule-demands.ts'
import { de } from './texts.de.ts'
import { en } from './texts.en.ts'

declare module '../../core/settings.ts' {
  interface Settings {
    /** Who must hold a second factor. Default: what the parts say. */
    readonly factorRules?: readonly FactorRule[]
  }
}

/** Rules about who must hold which second factor, from when. */
export const factorRules: Part = {
  name: 'factor-rules',
  views: new URL('views/', import.meta.url),
  texts: { en, de },
  migration,
  demands: RuleDemands,
  slots: { home: ['factor-rules::duty'] },
  slotData: DutyNotice,
}
