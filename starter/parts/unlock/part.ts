import type { Part } from '../../core/part.ts'
import { migration } from './migration.ts'
import module from './module.ts'
import { de } from './texts.de.ts'
import { en } from './texts.en.ts'
import { UnlockLinks } from './unlock-links.ts'

declare module '../../identity/audit/audit-trail.ts' {
  interface PartEvents {
    'factor-unlocked': true
    'factor-unlock-refused': true
  }
}

declare module '../../identity/mail/notices.ts' {
  interface NoticeValues {
    /** A browser may go on although a factor is locked. */
    readonly 'factor-unlocked': null
    readonly 'factor-unlock-failed': null
  }
}

declare module '../../identity/mail/link-tokens.ts' {
  interface PartLinks {
    unlock: true
  }
}

/** The way on when a second factor is locked. Only where mails are sent: the link is in one. */
export const unlock: Part = {
  name: 'unlock',
  modules: (_settings, mailer) => (mailer.sends ? [module] : []),
  views: new URL('views/', import.meta.url),
  texts: { en, de },
  migration,
  expiring: ['factor_unlock'],
  events: ['factor-unlocked', 'factor-unlock-refused'],
  lockLinks: UnlockLinks,
  slots: { locked: ['unlock::locked'] },
}
