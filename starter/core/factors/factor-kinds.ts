import type { HttpContext, Secret } from 'sallyport'
import type { LimitedSubject } from 'sallyport-app/limits'
import type { AccountRights } from '../account-rights.ts'
import type { Settings } from '../settings.ts'

/** Kinds of factors that an account holds, and that a rule can ask for. A part adds its own by interface merging. */
export interface HeldKinds {
  totp: true
}

/** Kinds that an account does not hold: they stand in for one, with a page or without. A part adds its own by interface merging. */
export interface StandInKinds {
  recovery: true
}

export type HeldKind = keyof HeldKinds

/** A kind of second factor, or of what stands in for one. */
export type FactorKind = HeldKind | keyof StandInKinds

/** The page of the second door that asks for a factor: any one that the account has. Kinds may share one. */
export interface DoorPage {
  readonly route: string
  /** What a link to it has in its query. Default: nothing. */
  readonly query?: Readonly<Record<string, string>>
  readonly template: string
  readonly title: string
}

/** The page that asks for a code of an authenticator. */
export const CODE_PAGE: DoorPage = {
  route: 'account:challenge',
  query: { with: 'code' },
  template: 'account/challenge',
  title: 'challenge.title',
}

/** What a kind does at the second door: a service. */
export interface AtDoor {
  /** @returns Whether the kind stands in for its factors at the second door, and nowhere else. Default: it does not. */
  isOffered?(identity: AccountRights): Promise<boolean>
  /** @returns Data for the page of the kind, and for programs. Default: none. */
  pageData?(
    context: HttpContext,
    accountId: string,
    challengeId: string,
  ): Promise<Readonly<Record<string, unknown>>>
}

export interface TypedToken {
  readonly secret: Secret
  readonly token: string
  /** Moving factor of the last accepted code; null before the first. */
  readonly last: number | null
  readonly now: number
}

/** How an authenticator makes its codes: a service. The messages about such authenticators end with the kind, as `setup.title.<kind>` does. */
export interface CodeMethod {
  /** @returns The moving factor (RFC 4226) whose code it is: a time step, or a counter; undefined for a wrong code. */
  match(typed: TypedToken): Promise<number | undefined>
  /** @returns The greatest moving factor that a code can have: one beyond was accepted before the clock was set back. */
  latest(now: number): number
  /** @returns The `otpauth:` URI that authenticators scan. */
  uri(named: { readonly issuer: string; readonly label: string; readonly secret: string }): string
}

/** A kind of second factor. */
export interface SecondFactorKind {
  /** Its name: in the database, in events, in `factor.<kind>` and `sessions.proven.<kind>`. */
  readonly kind: FactorKind
  /** Whether accounts hold such factors, in the table `factor`. False for what stands in for one. */
  readonly isHeld: boolean
  readonly page: DoorPage
  /** Whether it cannot be typed into a false site: no rule refuses it then. Default: it can. */
  readonly resistsPhishing?: boolean
  /**
   * Whether one that has verified its user is both factors: it signs in alone, and an account without a password confirms with it. Whatever
   * proves one of such an account must have verified its user. Default: it is one factor.
   */
  readonly standsAlone?: boolean
  /** Which wrong ones are counted, beside those of all factors of the account. Default: it cannot be guessed, and is never locked. */
  readonly limit?: (accountId: string, id: string) => LimitedSubject
  /** What it does at the second door. Default: nothing. */
  readonly atDoor?: new () => AtDoor
  /** How its codes are made, for an authenticator with a secret in the table `factor`. Default: it has none. */
  readonly codes?: new () => CodeMethod
  /** Whether owners may add one. Those that are there count in any case. Default: they may. */
  readonly isOffered?: (settings: Settings) => boolean
  /**
   * Route of the page where an account that must hold one sets it up before it is signed in. The messages `duty.reminder.<kind>` and
   * `duty.overdue.<kind>` say that it must. Default: none.
   */
  readonly setUp?: string
}
