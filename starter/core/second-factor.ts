import type { HttpContext } from 'sallyport'
import type { AccountRights } from './account-rights.ts'
import type { FactorKind } from '../identity/factors/factor-kinds.ts'
import type { LimitedSubject } from '../identity/limits/limit.ts'

/** The page of the second door that asks for a factor. Kinds may share one. */
export interface DoorPage {
  /** Its route. */
  readonly route: string
  /** Its template. */
  readonly template: string
  /** Message of its title. */
  readonly title: string
  /** Message for somebody whose authenticator has gone, and whose sign-in goes on here. */
  readonly instead: string
  /** Whether it asks for all factors of the account at once. Default: for one of them. */
  readonly asksForAll?: boolean
}

/** What a kind does at the second door. Its class is a service: it asks for others with `inject()`. */
export interface AtDoor {
  /**
   * @param identity Account whose password was proven, and which has a factor.
   * @returns Whether the kind stands in for its factors at the second door, and nowhere else. Default: it does not.
   */
  isOffered?(identity: AccountRights): Promise<boolean>
  /**
   * @param context Context of the request.
   * @param accountId Account whose password was proven.
   * @param challengeId Identifier of the pending login.
   * @returns Data for the page of the kind, and for programs. Default: none.
   */
  pageData?(
    context: HttpContext,
    accountId: string,
    challengeId: string,
  ): Promise<Readonly<Record<string, unknown>>>
}

/** A kind of second factor. */
export interface SecondFactorKind {
  /** Its name: in the database, in events, in `factor.<kind>` and `sessions.proven.<kind>`. */
  readonly kind: FactorKind
  /** Whether accounts hold such factors, in the table `factor`. False for what stands in for one. */
  readonly isHeld: boolean
  /** Page of the second door. */
  readonly page: DoorPage
  /** Whether it cannot be typed into a false site: no rule refuses it then. Default: it can. */
  readonly resistsPhishing?: boolean
  /**
   * Which wrong ones are counted, beside those of all factors of the account. Default: it cannot be guessed, and is never locked.
   */
  readonly limit?: (accountId: string, id: string) => LimitedSubject
  /** What it does at the second door. Default: nothing. */
  readonly atDoor?: new () => AtDoor
}

/** The page that asks for a code of an authenticator. */
export const CODE_PAGE: DoorPage = {
  route: 'account:challenge',
  template: 'account/challenge',
  title: 'challenge.title',
  instead: 'challenge.gone',
}

/** The page that asks for a recovery code. */
export const RECOVERY_PAGE: DoorPage = {
  route: 'account:recovery',
  template: 'account/recovery',
  title: 'recovery.title',
  instead: 'challenge.gone.recovery',
}
