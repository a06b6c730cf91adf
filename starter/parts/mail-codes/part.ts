import { readSwitch } from 'sallyport-app/settings'
import { Mailer } from 'sallyport-app/mail'
import type { Part } from '../../core/part.ts'
import { Settings } from '../../core/settings.ts'
import { MailAtDoor } from './at-door.ts'
import { MAIL_CODE_LIMIT, MAIL_CODE_SEND_LIMIT } from './mail-codes.ts'
import mailCode from './module.ts'
import { de } from './texts.de.ts'
import { en } from './texts.en.ts'

declare module '../../core/settings.ts' {
  interface Settings {
    /** Whether codes by mail may take the place of the second factor: they are weaker, see README.md. Default: false. */
    readonly mailCodes?: boolean
  }
}

declare module '../../core/factors/factor-kinds.ts' {
  interface StandInKinds {
    mail: true
  }
}

declare module '../../core/audit/audit-trail.ts' {
  interface PartEvents {
    'mail-code-sent': true
    'mail-code-used': true
    'mail-code-refused': true
  }
}

declare module '../../core/mail/notices.ts' {
  interface NoticeValues {
    readonly 'sign-in-code': { readonly code: string; readonly minutes: number }
  }
}

declare module '../../core/database/schema.ts' {
  interface Schema {
    mail_code: MailCodeTable
  }
}

/** One row for each pending login to which a code was sent by mail. The next code of the account replaces it. */
interface MailCodeTable {
  /** Identifier of the pending login: the code works in no other one. */
  challenge_id: string
  account_id: string
  /** Hash of the code. */
  hash: string
  expires_at: number
  used_at: number | null
}

/** Codes by mail in the place of the second factor, in an installation that switches them on and sends mails. */
export const mailCodes: Part = {
  name: 'mail-codes',
  modules: ({ mailCodes = false }, mailer) => (mailer.sends && mailCodes ? [mailCode] : []),
  views: new URL('views/', import.meta.url),
  texts: { en, de },
  migration: [
    `CREATE TABLE mail_code (
    challenge_id TEXT PRIMARY KEY,
    account_id TEXT NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    hash TEXT NOT NULL,
    expires_at INTEGER NOT NULL,
    used_at INTEGER
  ) STRICT, WITHOUT ROWID`,
    'CREATE INDEX mail_code_account ON mail_code (account_id)',
    'CREATE INDEX mail_code_age ON mail_code (expires_at)',
  ],
  expiring: ['mail_code'],
  limits: [MAIL_CODE_LIMIT, MAIL_CODE_SEND_LIMIT],
  environment: (variables) =>
    readSwitch('MAIL_CODES', variables.MAIL_CODES)
      ? { settings: { mailCodes: true }, switchedOn: 'codes by mail (MAIL_CODES)' }
      : undefined,
  inspected: () => ({ mailCodes: true }),
  finding: async (app) =>
    app.get(Settings).mailCodes === true && !app.get(Mailer).sends
      ? 'MAIL_CODES is on, and no mail can be sent: set SMTP_URL and MAIL_FROM'
      : undefined,
  events: ['mail-code-sent', 'mail-code-used', 'mail-code-refused'],
  factorKinds: [
    {
      kind: 'mail',
      isHeld: false,
      page: {
        route: 'mail-code:start',
        template: 'mail-codes::start',
        title: 'mail-code.title',
      },
      limit: (accountId) => MAIL_CODE_LIMIT.of(accountId),
      atDoor: MailAtDoor,
    },
  ],
}
