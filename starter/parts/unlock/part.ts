import type { Part } from '../../core/part.ts'
import module from './module.ts'
import { de } from './texts.de.ts'
import { en } from './texts.en.ts'
import { UnlockLinks } from './unlock-links.ts'
import { EndUnlocked } from './unlocked-browser.ts'

declare module '../../core/database/schema.ts' {
  interface Schema {
    factor_unlock: FactorUnlockTable
  }
}

declare module '../../core/audit/audit-trail.ts' {
  interface PartEvents {
    'factor-unlocked': true
    'factor-unlock-refused': true
  }
}

declare module '../../core/mail/notices.ts' {
  interface NoticeValues {
    /** A browser may go on although a factor is locked. */
    readonly 'factor-unlocked': null
    readonly 'factor-unlock-failed': null
  }
}

/** One row for each lock of a factor, with the link in the mail that tells it, for a day. */
interface FactorUnlockTable {
  /** Digest of the token in the link. */
  digest: string
  /** Identifier under which the tries of the unlocked browser are counted. */
  id: string
  account_id: string
  /** Credential version of the account at the lock: any change of credentials ends the link. */
  credential_version: number
  /** The factor that was locked: its identifier, or the kind where it has none. */
  factor: string
  created_at: number
  expires_at: number
  used_at: number | null
  /** When its owner was told that it could not be used, or that its tries were spent; null before. */
  failed_at: number | null
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
    id TEXT NOT NULL,
    account_id TEXT NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    credential_version INTEGER NOT NULL,
    factor TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    used_at INTEGER,
    failed_at INTEGER
  ) STRICT, WITHOUT ROWID`,
    'CREATE INDEX factor_unlock_account ON factor_unlock (account_id, created_at)',
    'CREATE INDEX factor_unlock_age ON factor_unlock (expires_at)',
    'CREATE UNIQUE INDEX factor_unlock_id ON factor_unlock (id)',
  ],
  expiring: ['factor_unlock'],
  events: ['factor-unlocked', 'factor-unlock-refused'],
  lockLinks: UnlockLinks,
  signIn: EndUnlocked,
  slots: { locked: ['unlock::locked'] },
}
