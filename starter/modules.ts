import type { ModuleDefinition } from 'sallyport'
import { Mailbox, type Mailer } from 'sallyport-app/mail'
import { health } from 'sallyport-app/health'
import { brandModule, mailboxModule, MovedPaths } from 'sallyport-app/pages'
import type { Settings } from './core/settings.ts'
import { BRAND } from './core/brand.ts'
import account from './core/sign-in/module.ts'
import type { Parts } from './core/part.ts'
import enrollment from './core/enrollment/module.ts'
import reset from './core/reset/module.ts'
import { TIMES } from './core/messages/language.ts'
import security from './core/security/module.ts'
import { ResolveIdentity } from './core/sessions/resolve-identity.ts'
import signUp from './core/sign-up/module.ts'
import { site } from './core/site/module.ts'

// What every application has, whether or not it sends mails.
const ALWAYS = [brandModule(BRAND), account, enrollment, security]

const WITH_MAILS = [signUp, reset]

// Production has none.
const MAILBOX = mailboxModule({
  template: 'development/mailbox',
  data: { title: 'mailbox.title', page: 'mailbox' },
  times: TIMES,
  guards: [ResolveIdentity],
})

/** Old paths, and one that password managers know, with those that take their places. Only what was tried out is a 301. */
export const MOVED_PATHS: MovedPaths = new MovedPaths({
  '/signin': ['/login', 301],
  '/user/login': ['/login', 301],
  '/profile': ['/account', 302],
  // W3C, "A Well-Known URL for Changing Passwords". It may lead elsewhere tomorrow.
  '/.well-known/change-password': ['/account/password', 302],
})

/** @returns The modules that an application has with them. */
export function modulesOf(settings: Settings, mailer: Mailer, parts: Parts): readonly ModuleDefinition[] {
  return [
    site(parts.all),
    ...health,
    ...ALWAYS,
    ...(mailer.sends ? WITH_MAILS : []),
    ...(mailer instanceof Mailbox ? [MAILBOX] : []),
    ...parts.all.flatMap((part) => part.modules?.(settings, mailer, parts) ?? []),
  ]
}
