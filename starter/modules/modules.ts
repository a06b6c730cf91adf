import type { ModuleDefinition } from 'sallyport'
import { Mailbox } from '../identity/mail/mailbox.ts'
import type { Mailer } from '../identity/mail/mailer.ts'
import type { Settings } from '../settings.ts'
import account from './account/module.ts'
import type { Parts } from '../core/part.ts'
import admin from './admin/module.ts'
import api from './api/module.ts'
import deletion from './deletion/module.ts'
import development from './development/module.ts'
import enrollment from './enrollment/module.ts'
import lost from './lost-factor/module.ts'
import mailCode from './mail-code/module.ts'
import objection from './objection/module.ts'
import ops from './ops/module.ts'
import passkeys from './passkeys/module.ts'
import profile from './profile/module.ts'
import reset from './reset/module.ts'
import security from './security/module.ts'
import sessions from './sessions/module.ts'
import setUp from './set-up/module.ts'
import signUp from './sign-up/module.ts'
import site from './site/module.ts'
import tokens from './tokens/module.ts'
import unlock from './unlock/module.ts'

// What every application has, whether or not it sends mails.
const ALWAYS = [
  site,
  account,
  enrollment,
  lost,
  setUp,
  security,
  profile,
  deletion,
  tokens,
  passkeys,
  sessions,
  admin,
  api,
]

const WITH_MAILS = [signUp, reset, objection, unlock]

/**
 * @param settings The settings.
 * @param mailer What delivers mails.
 * @param parts The parts of the application.
 * @returns The modules that an application has with them.
 */
export function modulesOf(settings: Settings, mailer: Mailer, parts: Parts): readonly ModuleDefinition[] {
  const { operations, mailCodes } = settings
  return [
    ...ALWAYS,
    ...(mailer.sends ? WITH_MAILS : []),
    ...(mailer instanceof Mailbox ? [development] : []),
    ...(mailer.sends && mailCodes ? [mailCode] : []),
    ...(operations === undefined ? [] : [ops]),
    ...parts.all.flatMap((part) => part.modules?.(settings, mailer) ?? []),
  ]
}
