/** What the models of the login rules are made of. @module */

/** What a browser's session is, as the specification names it. */
export type State =
  | { readonly kind: 'anonymous' }
  | {
      readonly kind: 'pending'
      readonly who: string
      readonly version: number
      readonly until: number
      readonly tries: number
    }
  | {
      readonly kind: 'authenticated'
      readonly who: string
      readonly version: number
      /** When password and factor were proven in this session. */
      readonly passwordAt: number | undefined
      readonly factorAt: number | undefined
      /** Whether the factor was a recovery code, which stands in for a lost one and for nothing else. */
      readonly byRecovery: boolean
    }
  | {
      readonly kind: 'enrolling'
      readonly who: string
      readonly version: number
      readonly until: number
      readonly stage: 'mail' | 'set-up' | 'proven'
      /** Whether the factor takes the place of lost ones. */
      readonly replaces: boolean
      /** When the password was typed that it began with, and when the first code was; in place of lost ones neither counts. */
      readonly passwordAt: number | undefined
      readonly factorAt: number | undefined
    }

/** A state of one kind. */
export type StateOf<Kind extends State['kind']> = Extract<State, { readonly kind: Kind }>

/** What an answer is: its status, and where it redirects to. */
export interface Answer {
  readonly status: number
  readonly location: string | null
}

/** What makes six digits: one of two apps. */
export type Device = 'app' | 'spare'

/** What a code was asked of. */
export type Asked = Device | 'recovery' | 'any'

/** Six digits, by their time step; null for digits of neither app. */
export interface Digits {
  readonly device: Device
  readonly at: number | null
}

/** The used codes of an app. */
export interface KnownApp {
  lastStep: number
  usedSteps: Set<number>
}

/** An account, as far as the login rules know it. */
export interface Known {
  /** Its app; undefined for none. */
  app: KnownApp | undefined
  /** Its second app. */
  spare: KnownApp | undefined
  /** Whether its factors were taken away: the next password leads to a new one. */
  mustEnroll: boolean
  enabled: boolean
  version: number
  /** Which of its addresses and passwords is the present one. */
  address: number
  password: number
  /** When the password was set by a link in a mail. */
  mailPasswordAt: number | undefined
  recovery: Recovery | undefined
  /** Until when no recovery can be asked for, because one was stopped. */
  pausedUntil: number
}

/** A recovery of lost factors that has not ended. */
export interface Recovery {
  readonly version: number
  readyAt: number | undefined
  expiresAt: number
}

/** A key, or a recovery code. */
export interface KnownProof {
  readonly who: string
  isGone: boolean
}

/** A link in a mail. */
export interface Link {
  readonly who: string
  /** Credential version that it was made for. */
  readonly version: number
  readonly expiresAt: number
  /** Which address it leads to. Default: none. */
  readonly address?: number
  /** The recovery that it concerns. Default: none. */
  readonly recovery?: Recovery
  isUsed: boolean
}

/** What the links of mails do. */
export const LINKS = ['unlock', 'address', 'restore', 'lost', 'lost-stop'] as const
/** What a link does. */
export type LinkKind = (typeof LINKS)[number]

/** Nobody. */
export const ANONYMOUS: State = { kind: 'anonymous' }

/** @returns The answer. */
export function answer(status: number): Answer {
  return { status, location: null }
}

/** @returns The answer. */
export function leadsTo(location: string): Answer {
  return { status: 303, location }
}
