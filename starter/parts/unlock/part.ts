import type { Part } from '../../core/part.ts'
import module from './module.ts'
import { de } from './texts.de.ts'
import { en } from './texts.en.ts'
import { type FactorUnlockTable, UnlockLinks } from './unlock-links.ts'

declare module '../../core/database/schema.ts' {
  interface Schema {
    factor_unlock: FactorUnlockTable
  }
}

declare module '../../core/audit/audit-trail.ts' {
  interface PartEvents {
    'factor-unlocked': true
  }
}

declare module '../../core/mail/notices.ts' {
  interface NoticeValues {
    /** A browser may go on although a factor is locked. */
    readonly 'factor-unlocked': null
  }
}

/** The way on when a second factor is locked. Only where mails are sent: the link is in one. */
export const unlock: Part = {
  name: 'unlock',
  modules: (_settings, mailer) => (mailer.sends ? [module] : []),
  views: new URL('views/', import.meta.url),
  texts: { en, de },
  migration: [
    `CREATE TABLE factor_unlock (
    digest TEXT PRIMARY KEY,
    account_id TEXT NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    credential_version INTEGER NOT NULL,
    expires_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID`,
    'CREATE INDEX factor_unlock_account ON factor_unlock (account_id)',
    'CREATE INDEX factor_unlock_age ON factor_unlock (expires_at)',
  ],
  expiring: ['factor_unlock'],
  events: ['factor-unlocked'],
  lockLinks: UnlockLinks,
  slots: { locked: ['unlock::locked'] },
}
