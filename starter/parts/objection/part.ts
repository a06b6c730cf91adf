import type { Part } from '../../core/part.ts'
import module from './module.ts'
import { NotMeLinks } from './objection-links.ts'
import { de } from './texts.de.ts'
import { en } from './texts.en.ts'

declare module '../../core/database/schema.ts' {
  interface Schema {
    objection: ObjectionTable
  }
}

/** One row for each mail with a link "this was not me", until the link is used or too old. */
interface ObjectionTable {
  /** Digest of the token in the link. */
  digest: string
  account_id: string
  expires_at: number
}

/** The link "this was not me" of notices. Only where mails are sent. */
export const objection: Part = {
  name: 'objection',
  modules: (_settings, mailer) => (mailer.sends ? [module] : []),
  views: new URL('views/', import.meta.url),
  texts: { en, de },
  migration: [
    `CREATE TABLE objection (
    digest TEXT PRIMARY KEY,
    account_id TEXT NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    expires_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID`,
    'CREATE INDEX objection_age ON objection (expires_at)',
    'CREATE INDEX objection_account ON objection (account_id)',
  ],
  expiring: ['objection'],
  objectionLinks: NotMeLinks,
}
