import { readSwitch } from 'sallyport-app/settings'
import type { Part } from '../../core/part.ts'
import { AUTHENTICATOR_KIND } from '../../core/factors/known-kinds.ts'
import { CounterCodes } from './counter-codes.ts'
import { de } from './texts.de.ts'
import { en } from './texts.en.ts'

declare module '../../core/settings.ts' {
  interface Settings {
    /** Whether owners may add code generators with a counter. Those that are there count in any case. Default: false. */
    readonly hotp?: boolean
  }
}

declare module '../../core/factors/factor-kinds.ts' {
  interface HeldKinds {
    hotp: true
  }
}

/** Code generators with a counter (HOTP, RFC 4226), for devices without a clock. */
export const hotp: Part = {
  name: 'hotp',
  texts: { en, de },
  environment: (variables) =>
    readSwitch('HOTP', variables.HOTP)
      ? { settings: { hotp: true }, switchedOn: 'code generators with a counter (HOTP)' }
      : undefined,
  inspected: () => ({ hotp: true }),
  factorKinds: [
    {
      ...AUTHENTICATOR_KIND,
      kind: 'hotp',
      codes: CounterCodes,
      isOffered: (settings) => settings.hotp === true,
    },
  ],
}
