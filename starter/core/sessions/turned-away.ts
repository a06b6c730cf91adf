import type { TurnedAway as Refusal } from 'sallyport-app/pages'

/** Why a request can do nothing as things stand. A browser goes on where it can; a program gets a problem (RFC 9457). */
export type TurnedAway = Refusal

type Reason =
  | 'outOfDate'
  | 'notThere'
  | 'signedIn'
  | 'noEnrollment'
  | 'noSuchFactor'
  | 'lastFactor'
  | 'noFactor'
  | 'passwordFirst'
  | 'tooManyAuthenticators'

/** The reasons. */
export const TurnedAway: Readonly<Record<Reason, TurnedAway>> = {
  // Another request may have done it, or something else: the page that follows shows what is.
  outOfDate: conflict(
    'ERR_APP_OUT_OF_DATE',
    'Nothing was done: what this request is about has changed since. Read it again',
    'error.out-of-date.told',
  ),
  notThere: {
    status: 404,
    code: 'ERR_HTTP_NOT_FOUND',
    detail: 'Nothing was done: what this request names is not there',
    text: 'error.404.told',
  },
  signedIn: conflict('ERR_APP_SIGNED_IN', 'This session is signed in: sign out first'),
  noEnrollment: conflict(
    'ERR_APP_NO_ENROLLMENT',
    'No second step is being set up in this session, or that took too long: begin again',
    'enrollment.expired',
  ),
  // Nothing tells one that was removed a moment ago from one that never was: what is said is true of both.
  noSuchFactor: {
    status: 404,
    code: 'ERR_HTTP_NOT_FOUND',
    detail: 'This account has no such second step',
    text: 'security.unknown',
  },
  lastFactor: conflict(
    'ERR_APP_LAST_FACTOR',
    'This is the last second step, and the account must hold one',
    'remove.last',
  ),
  noFactor: conflict('ERR_APP_NO_FACTOR', 'This needs a second step, and the account has none'),
  // What the mailbox gave is one proof.
  passwordFirst: conflict(
    'ERR_APP_PASSWORD_FIRST',
    'This needs the password itself: sign in with it',
    'sign-in.password-first',
  ),
  tooManyAuthenticators: conflict(
    'ERR_APP_TOO_MANY',
    'This account has as many authenticators as it may: remove one first',
    'setup.full',
  ),
}

function conflict(code: string, detail: string, text?: string): TurnedAway {
  return { status: 409, code, detail, ...(text !== undefined && { text }) }
}
