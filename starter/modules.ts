import type { ModuleDefinition } from 'sallyport'
import { Mailbox, type Mailer } from 'sallyport-app/mail'
import { health } from 'sallyport-app/health'
import type { Settings } from './core/settings.ts'
import brand from './core/brand/module.ts'
import account from './core/sign-in/module.ts'
import type { Parts } from './core/part.ts'
import development from './core/development/module.ts'
import enrollment from './core/enrollment/module.ts'
import reset from './core/reset/module.ts'
import security from './core/security/module.ts'
import signUp from './core/sign-up/module.ts'
import { site } from './core/site/module.ts'

// What every application has, whether or not it sends mails.
const ALWAYS = [brand, account, enrollment, security]

const WITH_MAILS = [signUp, reset]

/** @returns The modules that an application has with them. */
export function modulesOf(settings: Settings, mailer: Mailer, parts: Parts): readonly ModuleDefinition[] {
  return [
    site(parts.all),
    ...health,
    ...ALWAYS,
    ...(mailer.sends ? WITH_MAILS : []),
    ...(mailer instanceof Mailbox ? [development] : []),
    ...parts.all.flatMap((part) => part.modules?.(settings, mailer, parts) ?? []),
  ]
}
