import type { HttpContext } from 'sallyport'
import type { AccountRights } from './account-rights.ts'

/** Where parts add to pages of others. Each entry is a template, which gets the data of the page. */
export interface Slots {
  /** Above the form of the sign-in page: other ways to sign in. */
  readonly signIn: readonly string[]
  /** Links in the foot of every page. */
  readonly foot: readonly string[]
  /** Above what the account page tells. */
  readonly home: readonly string[]
  /** Below the message that a factor is locked, in an application that sends mails. */
  readonly locked: readonly string[]
  /** Entries of the navigation, for whoever is signed in. */
  readonly navigation: readonly string[]
  /** Lines of the menu of an account. */
  readonly menu: readonly string[]
  /** Sections of the page about the owner of an account, where there is one. */
  readonly profile: readonly string[]
  /** Below the address on the same page. */
  readonly address: readonly string[]
  /** In the form of the second door: a field that `SignInStep.complete()` reads. */
  readonly secondDoor: readonly string[]
  /** Below the last events on the overview. */
  readonly events: readonly string[]
  /** Where an account asks to leave: what its owner may want to keep. */
  readonly leaving: readonly string[]
  /** Ways to confirm an action with a second factor, beside a code that is typed. */
  readonly confirmation: readonly string[]
  /** Below the other factors on the pages of the second door. */
  readonly otherFactors: readonly string[]
  /** Sections of the security page. */
  readonly security: readonly string[]
}

/** Gives the templates of a part in pages of others what they need: a service, whose class is the part's `slotData`. */
export interface SlotData {
  /**
   * @param owner Whose page it is: the account that is signed in, or that signs in; undefined on the sign-in page.
   * @returns What its templates there need beside the data of the page; undefined where they are left out.
   */
  dataFor(
    slot: keyof Slots,
    context: HttpContext,
    owner: AccountRights | undefined,
  ): Promise<Readonly<Record<string, unknown>> | undefined>
}
