import './tables.ts'
import type { Part } from '../../core/part.ts'
import { conditionsOf } from './conditions.ts'
import { LOST_FACTOR_LIMIT } from './limit.ts'
import { migration } from './migration.ts'
import module from './module.ts'
import { READY_RECOVERIES } from './ready-recoveries.ts'
import { openOf, stopOpen } from './recovery-rows.ts'
import { RecoveredFactor } from './replacement.ts'
import { StoppingSignIn } from './stopping-sign-in.ts'
import { de } from './texts.de.ts'
import { en } from './texts.en.ts'

declare module '../../core/audit/audit-trail.ts' {
  interface PartEvents {
    'recovery-requested': true
    'recovery-confirmed': true
    'recovery-cancelled': true
    'recovery-completed': true
  }
}

declare module '../../core/mail/mails.ts' {
  interface PartMails {
    'lost-confirm': true
    'lost-waiting': true
    'lost-ready': true
    'lost-continue': true
  }
}

declare module '../../core/mail/notices.ts' {
  interface NoticeValues {
    readonly 'recovery-cancelled': null
    readonly 'factors-replaced': { readonly label: string }
  }
}

/** The verified recovery of an account whose factors are all gone: password, mailbox and a waiting time. */
export const lostFactor: Part = {
  name: 'lost-factor',
  modules: () => [module],
  views: new URL('views/', import.meta.url),
  texts: { en, de },
  migration,
  expiring: ['factor_recovery'],
  limits: [LOST_FACTOR_LIMIT],
  addressLeft: async (transaction, accountId, now) => {
    await stopOpen(transaction, accountId, now)
  },
  events: ['recovery-requested', 'recovery-confirmed', 'recovery-cancelled', 'recovery-completed'],
  dueMails: [READY_RECOVERIES],
  lostFactors: { route: 'lost:start', replacement: RecoveredFactor },
  conditions: conditionsOf,
  warning: async (database, accountId) => {
    const open = await openOf(database, accountId)
    return typeof open?.ready_at === 'number' ? 'lost-factor::notice' : undefined
  },
  slots: { otherFactors: ['lost-factor::link'] },
  signIn: StoppingSignIn,
}
