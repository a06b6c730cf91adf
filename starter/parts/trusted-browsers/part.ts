import type { MailMessage, MailTime } from 'sallyport-app/mail'
import { readNumber, readSwitch } from 'sallyport-app/settings'
import type { Part } from '../../core/part.ts'
import { migration } from './migration.ts'
import module from './module.ts'
import { de } from './texts.de.ts'
import { en } from './texts.en.ts'
import { endTrust } from './trusted-browsers.ts'
import { TrustedSignIn } from './trusted-sign-in.ts'

declare module '../../core/settings.ts' {
  interface Settings {
    /** For how many days a browser may stand in for the second step, see README.md. Default: none does. */
    readonly trustedDeviceDays?: number
  }
}

declare module '../../core/audit/audit-trail.ts' {
  interface PartEvents {
    'device-trusted': true
    'device-replayed': true
    'device-revoked': true
    'devices-revoked': true
  }
}

declare module '../../core/factors/factor-kinds.ts' {
  interface StandInKinds {
    device: true
  }
}

declare module '../../core/mail/notices.ts' {
  interface NoticeValues {
    /** A browser needs no second step from now on. */
    readonly 'device-trusted': { readonly device: MailMessage; readonly until: MailTime }
    /** A cookie of a trusted browser was used a second time. */
    readonly 'device-replayed': { readonly device: MailMessage }
  }
}

/** Browsers that an account does not ask for the second step. Only where the installation allows it. */
export const trustedBrowsers: Part = {
  name: 'trusted-browsers',
  modules: ({ trustedDeviceDays }) => (trustedDeviceDays === undefined ? [] : [module]),
  views: new URL('views/', import.meta.url),
  texts: { en, de },
  migration,
  expiring: ['trusted_browser'],
  credentialsChanged: async (transaction, accountId) => {
    await endTrust(transaction, accountId)
  },
  environment: (variables) => {
    // Checked also where it is off, so that a slip is not found on the day on which it is switched on.
    const days = readNumber('TRUSTED_DEVICE_DAYS', variables.TRUSTED_DEVICE_DAYS || '30', [1, 90])
    if (!readSwitch('TRUSTED_DEVICES', variables.TRUSTED_DEVICES)) return undefined
    const switchedOn = `trusted browsers for ${days} days (TRUSTED_DEVICES)`
    return { settings: { trustedDeviceDays: days }, switchedOn }
  },
  inspected: () => ({ trustedDeviceDays: 30 }),
  events: ['device-trusted', 'device-replayed', 'device-revoked', 'devices-revoked'],
  slots: { secondDoor: ['trusted-browsers::box'], security: ['trusted-browsers::list'] },
  slotData: TrustedSignIn,
  signIn: TrustedSignIn,
}
