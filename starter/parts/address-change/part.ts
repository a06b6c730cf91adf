import type { Part } from '../../core/part.ts'
import { ADDRESS_CHANGE_LIMIT } from './address-requests.ts'
import { migration } from './migration.ts'
import address from './module.ts'
import { de } from './texts.de.ts'
import { en } from './texts.en.ts'

declare module '../../core/audit/audit-trail.ts' {
  interface PartEvents {
    'address-change-requested': true
    'address-changed': true
    'address-restored': true
  }
}

declare module '../../core/mail/notices.ts' {
  interface NoticeValues {
    readonly 'address-changed': null
    readonly 'address-restored': null
  }
}

declare module '../../core/mail/mails.ts' {
  interface PartMails {
    'address-confirm': true
    'address-known': true
    'address-known-disabled': true
    'address-former': true
    'address-dropped': true
  }
}

/** The change of the address by the owner of the account. Only where mails are sent: a new address is confirmed by one. */
export const addressChange: Part = {
  name: 'address-change',
  modules: (_settings, mailer) => (mailer.sends ? [address] : []),
  views: new URL('views/', import.meta.url),
  texts: { en, de },
  migration,
  expiring: ['address_change', 'address_restore'],
  limits: [ADDRESS_CHANGE_LIMIT],
  events: ['address-change-requested', 'address-changed', 'address-restored'],
  slots: { address: ['address-change::link'] },
}
