import type { ModuleDefinition } from 'sallyport'
import { Mailbox } from '../mail/mailbox.ts'
import type { Mailer } from '../mail/mailer.ts'
import type { Settings } from '../settings.ts'
import account from '../sign-in/module.ts'
import type { Parts } from '../part.ts'
import development from '../development/module.ts'
import enrollment from '../enrollment/module.ts'
import reset from '../reset/module.ts'
import security from '../security/module.ts'
import signUp from '../sign-up/module.ts'
import { site } from '../site/module.ts'

// What every application has, whether or not it sends mails.
const ALWAYS = [account, enrollment, security]

const WITH_MAILS = [signUp, reset]

/** @returns The modules that an application has with them. */
export function modulesOf(settings: Settings, mailer: Mailer, parts: Parts): readonly ModuleDefinition[] {
  return [
    site(parts.all),
    ...ALWAYS,
    ...(mailer.sends ? WITH_MAILS : []),
    ...(mailer instanceof Mailbox ? [development] : []),
    ...parts.all.flatMap((part) => part.modules?.(settings, mailer, parts) ?? []),
  ]
}
