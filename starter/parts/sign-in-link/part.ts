import { readSwitch } from 'sallyport-app/settings'
import { Mailer } from 'sallyport-app/mail'
import type { Part } from '../../core/part.ts'
import { Settings } from '../../core/settings.ts'
import { migration } from './migration.ts'
import signInLinkModule from './module.ts'
import { SignInLinkOffer } from './offer.ts'
import { de } from './texts.de.ts'
import { en } from './texts.en.ts'

declare module '../../core/settings.ts' {
  interface Settings {
    /** Whether a link in a mail may stand for the password. It is weaker: see the README of the part. Default: false. */
    readonly signInLink?: boolean
  }
}

declare module '../../core/audit/audit-trail.ts' {
  interface PartEvents {
    'sign-in-link-requested': true
    'sign-in-link-used': true
  }
}

declare module '../../core/mail/mails.ts' {
  interface PartMails {
    'sign-in-link': true
    'sign-in-link-unknown': true
  }
}

/** A link in a mail in place of the password, in an installation that switches it on and sends mails. */
export const signInLink: Part = {
  name: 'sign-in-link',
  modules: ({ signInLink = false }, mailer) => (mailer.sends && signInLink ? [signInLinkModule] : []),
  views: new URL('views/', import.meta.url),
  texts: { en, de },
  migration,
  expiring: ['sign_in_link'],
  addressLeft: async (transaction, accountId) => {
    await transaction.deleteFrom('sign_in_link').where('account_id', '=', accountId).execute()
  },
  environment: (variables) =>
    readSwitch('SIGN_IN_LINK', variables.SIGN_IN_LINK)
      ? { settings: { signInLink: true }, switchedOn: 'sign-in links by mail (SIGN_IN_LINK)' }
      : undefined,
  inspected: () => ({ signInLink: true }),
  finding: async (app) =>
    app.get(Settings).signInLink === true && !app.get(Mailer).sends
      ? 'SIGN_IN_LINK is on, and no mail can be sent: set SMTP_URL and MAIL_FROM'
      : undefined,
  events: ['sign-in-link-requested', 'sign-in-link-used'],
  slots: { signIn: ['sign-in-link::offer'] },
  slotData: SignInLinkOffer,
}
