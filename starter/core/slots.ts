import type { SlotSource, SlotTemplates } from 'sallyport-app/parts'
import type { AccountRights } from './account-rights.ts'

/** Where parts add to pages of others. */
export const SLOTS = [
  /** Above the form of the sign-in page: other ways to sign in. */
  'signIn',
  /** Below the form behind the link of a sign-up: other ways to begin the account. */
  'signUp',
  /** Links in the foot of every page. */
  'foot',
  /** Above what the account page tells. */
  'home',
  /** Below the message that a factor is locked, in an application that sends mails. */
  'locked',
  /** Entries of the navigation, for whoever is signed in. */
  'navigation',
  /** Lines of the menu of an account. */
  'menu',
  /** Sections of the page about the owner of an account, where there is one. */
  'profile',
  /** Below the address on the same page. */
  'address',
  /** In the form of the second door: a field that `SignInStep.complete()` reads. */
  'secondDoor',
  /** Below the last events on the overview. */
  'events',
  /** Where an account asks to leave: what its owner may want to keep. */
  'leaving',
  /** Ways to confirm an action with a second factor, beside a code that is typed. */
  'confirmation',
  /** Below the other factors on the pages of the second door. */
  'otherFactors',
  /** Sections of the security page above the authenticators. */
  'factors',
  /** Sections of the security page below the recovery codes. */
  'security',
] as const

/** Templates, each of which gets the data of the page. */
export type Slots = SlotTemplates<(typeof SLOTS)[number]>

/** Gives the templates of a part there what they need. `owner` is the account that is signed in, or that signs in. */
export type SlotData = SlotSource<keyof Slots, AccountRights>
