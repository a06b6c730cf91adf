import type { Part } from '../../core/part.ts'
import { Erasure } from './erasure.ts'
import { migration } from './migration.ts'
import module from './module.ts'
import { StoppingSignIn } from './stopping-sign-in.ts'
import { de } from './texts.de.ts'
import { en } from './texts.en.ts'

declare module '../../core/database/schema.ts' {
  interface Schema {
    account_deletion: AccountDeletionTable
  }
}

declare module '../../core/audit/audit-trail.ts' {
  interface PartEvents {
    'deletion-requested': true
    'deletion-stopped': true
    'account-erased': true
  }
}

declare module '../../core/mail/notices.ts' {
  interface NoticeValues {
    readonly 'deletion-stopped': null
  }
}

declare module '../../core/mail/mails.ts' {
  interface PartMails {
    'deletion-requested': true
    'deletion-done': true
  }
}

/** One row for each account whose owner asked to delete it, until a sign-in or the link stops that. */
interface AccountDeletionTable {
  account_id: string
  /** Digest of the token in the link that stops it. */
  digest: string
}

/** The deletion of an account by its owner, after a waiting time. */
export const deletion: Part = {
  name: 'deletion',
  modules: () => [module],
  views: new URL('views/', import.meta.url),
  texts: { en, de },
  migration,
  events: ['deletion-requested', 'deletion-stopped', 'account-erased'],
  hourly: [{ name: 'erasure', run: (app) => app.get(Erasure).run() }],
  slots: { profile: ['deletion::link'] },
  signIn: StoppingSignIn,
}
