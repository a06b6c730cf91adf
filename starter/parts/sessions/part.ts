import type { Part } from '../../core/part.ts'
import sessions from './module.ts'
import { de } from './texts.de.ts'
import { en } from './texts.en.ts'

declare module '../../core/audit/audit-trail.ts' {
  interface PartEvents {
    'session-ended': true
    'other-sessions-ended': true
    'sessions-ended': true
  }
}

/** Where the owner of an account is signed in, and how to end that elsewhere. */
export const sessionList: Part = {
  name: 'sessions',
  modules: () => [sessions],
  views: new URL('views/', import.meta.url),
  texts: { en, de },
  events: ['session-ended', 'other-sessions-ended', 'sessions-ended'],
  slots: { menu: ['sessions::menu'] },
}
