import { StaticFiles } from 'sallyport/files'
import type { Part } from '../../core/part.ts'
import { migration } from './migration.ts'
import module, { endpoints } from './module.ts'
import { PasskeySlots } from './slots.ts'
import { de } from './texts.de.ts'
import { en } from './texts.en.ts'

declare module '../../core/factors/factor-kinds.ts' {
  interface HeldKinds {
    passkey: true
  }
}

declare module '../../core/audit/audit-trail.ts' {
  interface PartEvents {
    'passkey-added': true
    'passkey-used': true
    'passkey-refused': true
    'passkey-backwards': true
  }
}

declare module '../../core/mail/notices.ts' {
  interface NoticeValues {
    /** A passkey proved something, and its counter went backwards, as that of a copy would. */
    readonly 'passkey-backwards': { readonly label: string }
  }
}

// The script of the library as it is published, from our own origin: the policy of the pages allows no other, and nothing is bundled.
const LIBRARY = new URL('../dist/bundle/', import.meta.resolve('@simplewebauthn/browser'))

/** Passkeys and security keys (WebAuthn): as a second factor, and as the whole sign-in. */
export const passkeys: Part = {
  name: 'passkeys',
  modules: () => [
    module,
    endpoints,
    new StaticFiles({ directory: new URL('assets/', import.meta.url), at: '/passkey-scripts' }),
    new StaticFiles({ directory: LIBRARY, at: '/vendor', fingerprint: true }),
  ],
  views: new URL('views/', import.meta.url),
  texts: { en, de },
  migration,
  events: ['passkey-added', 'passkey-used', 'passkey-refused', 'passkey-backwards'],
  factorKinds: [
    {
      kind: 'passkey',
      isHeld: true,
      page: {
        route: 'passkeys:door',
        template: 'passkeys::door',
        title: 'passkey.title',
      },
      resistsPhishing: true,
      standsAlone: true,
      atDoor: PasskeySlots,
      setUp: 'passkeys:enroll',
    },
  ],
  slots: {
    signIn: ['passkeys::sign-in'],
    confirmation: ['passkeys::confirmation'],
    factors: ['passkeys::list'],
  },
  slotData: PasskeySlots,
  signIn: PasskeySlots,
}
