import type { Module } from 'sallyport'
import type { Part } from '../../core/part.ts'
import type { Routes } from 'sallyport/routing'
import { apiModule } from './api-module.ts'
import { ENDING_TOKENS } from './ending-tokens.ts'
import { migration } from './migration.ts'
import { suspendedOf, SuspendedTokens } from './suspended-tokens.ts'
import { de } from './texts.de.ts'
import { en } from './texts.en.ts'
import { tokens } from './tokens-module.ts'

declare module '../../core/part.ts' {
  interface Part {
    /** Its requests for programs, below `/api`. Default: none. */
    readonly api?: ApiRequests
  }
}

declare module '../../core/audit/audit-trail.ts' {
  interface PartEvents {
    'token-created': true
    'token-confirmed': true
    'token-revoked': true
    'token-refused': true
  }
}

declare module '../../core/mail/notices.ts' {
  interface NoticeValues {
    readonly 'token-created': { readonly name: string }
  }
}

declare module '../../core/mail/mails.ts' {
  interface PartMails {
    'token-ends': true
  }
}

/** Requests for programs. */
export interface ApiRequests {
  /** The controllers, as a module takes them. */
  readonly controllers: Parameters<Module['controllers']>
  /** Adds their routes, each with `RequireScope`; whose token it is has been checked. */
  readonly routes: (routes: Routes) => void
}

/** The API for programs, and the tokens that an account makes for them. */
export const api: Part = {
  name: 'api',
  modules: (_settings, _mailer, parts) => [apiModule(parts), tokens],
  views: new URL('views/', import.meta.url),
  texts: { en, de },
  migration,
  events: ['token-created', 'token-confirmed', 'token-revoked', 'token-refused'],
  stopped: async (database, accountId, now) => {
    const names = await suspendedOf(database, accountId, now)
    const told = { id: 'tokens.stopped.mail', names, path: '/account/security/tokens' }
    return names.length === 0 ? undefined : told
  },
  dueMails: [ENDING_TOKENS],
  scopes: [{ name: 'activity.read', isOwn: true }],
  slots: { menu: ['api::menu'], home: ['api::suspended'], factors: ['api::suspended'] },
  slotData: SuspendedTokens,
}
