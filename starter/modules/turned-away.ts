/**
 * Why a request can do nothing as things stand. A browser is redirected to where it can go on. A program has no use for that page,
 * and a redirect would look like success to it: it gets the status and the code, as a problem (RFC 9457).
 */
export interface TurnedAway {
  /** 409 where the state of session or account is in the way (RFC 9110, 15.5.10), 404 where there is nothing. */
  readonly status: 404 | 409
  /** Code for programs. */
  readonly code: string
  /** The same in a sentence. */
  readonly detail: string
  /** Message for the page that a browser is led to. Default: none, because the page itself shows the state. */
  readonly text?: string
}

/** The reasons. */
export const TurnedAway: Readonly<
  Record<
    | 'signedIn'
    | 'noSignIn'
    | 'noEnrollment'
    | 'enrollmentCompleted'
    | 'enrollmentCancelled'
    | 'enrollmentProven'
    | 'anotherStep'
    | 'noMailCode'
    | 'noRecovery'
    | 'recoveryNotReady'
    | 'noSuchFactor'
    | 'lastFactor'
    | 'noFactor'
    | 'setUpOver'
    | 'alreadyAdded'
    | 'alreadyReplaced'
    | 'passkeyAdded'
    | 'noSuchPasskey'
    | 'tooManyAuthenticators'
    | 'tooManyPasskeys'
    | 'codesReplaced'
    | 'notDone'
    | 'credentialsChanged',
    TurnedAway
  >
> = {
  signedIn: conflict('ERR_STARTER_SIGNED_IN', 'This session is signed in: sign out first'),
  noSignIn: conflict(
    'ERR_STARTER_NO_PENDING_SIGN_IN',
    'No sign-in of this session waits for a second step: begin with the password',
  ),
  noEnrollment: conflict(
    'ERR_STARTER_NO_ENROLLMENT',
    'No second step is being set up in this session, or that took too long: begin again',
  ),
  enrollmentCompleted: conflict(
    'ERR_STARTER_ENROLLMENT_COMPLETED',
    'Another request of this session has completed the set-up of the second step',
  ),
  enrollmentCancelled: conflict(
    'ERR_STARTER_ENROLLMENT_CANCELLED',
    'Another request of this session has cancelled the set-up of the second step: nothing was changed',
  ),
  enrollmentProven: conflict(
    'ERR_STARTER_ENROLLMENT_PROVEN',
    'The second step is set up already, so its set-up cannot be cancelled',
    'enrollment.not-cancelled',
  ),
  anotherStep: conflict(
    'ERR_STARTER_ANOTHER_STEP',
    'The set-up of the second step is at another step: open its page again',
  ),
  noMailCode: conflict('ERR_STARTER_NO_MAIL_CODE', 'No code by mail is offered for this sign-in'),
  noRecovery: conflict('ERR_STARTER_NO_RECOVERY', 'No recovery can be asked for at present'),
  recoveryNotReady: conflict('ERR_STARTER_RECOVERY_NOT_READY', 'The recovery cannot go on yet'),
  // Nothing tells one that was removed a moment ago from one that never was: what is said is true of both.
  noSuchFactor: {
    status: 404,
    code: 'ERR_HTTP_NOT_FOUND',
    detail: 'This account has no such second step',
    text: 'security.unknown',
  },
  lastFactor: conflict(
    'ERR_STARTER_LAST_FACTOR',
    'This is the last second step, and the account must hold one',
    'remove.last',
  ),
  noFactor: conflict('ERR_STARTER_NO_FACTOR', 'Recovery codes need a second step, and the account has none'),
  setUpOver: conflict(
    'ERR_STARTER_SET_UP_OVER',
    'No secret of this page waits for its first code, or that took too long: open the page again',
    'setup.expired',
  ),
  notDone: conflict(
    'ERR_STARTER_NOT_DONE',
    'This was not done within the last minutes, as far as this client shows',
  ),
  alreadyAdded: conflict(
    'ERR_STARTER_ALREADY_ADDED',
    'Another request of this session has added the authenticator of this page',
  ),
  alreadyReplaced: conflict(
    'ERR_STARTER_ALREADY_ADDED',
    'Another request of this session has put another authenticator in the place of this one',
    'setup.already.replaced',
  ),
  passkeyAdded: conflict(
    'ERR_STARTER_ALREADY_ADDED',
    'Another request has added this passkey',
    'passkeys.already.added',
  ),
  noSuchPasskey: {
    status: 404,
    code: 'ERR_HTTP_NOT_FOUND',
    detail: 'This account has no such passkey',
    text: 'passkeys.unknown',
  },
  tooManyAuthenticators: conflict(
    'ERR_STARTER_TOO_MANY',
    'This account has as many authenticators as it may: remove one first',
    'setup.full',
  ),
  tooManyPasskeys: conflict(
    'ERR_STARTER_TOO_MANY',
    'This account has as many passkeys as it may: remove one first',
    'passkeys.refused.count',
  ),
  codesReplaced: conflict(
    'ERR_STARTER_CODES_REPLACED',
    'No recovery codes of this set are to be confirmed: that was done before, or newer ones were made',
    'codes.replaced',
  ),
  credentialsChanged: conflict(
    'ERR_STARTER_CREDENTIALS_CHANGED',
    'This request did nothing, because the credentials of the account have just changed',
    'security.outdated',
  ),
}

function conflict(code: string, detail: string, text?: string): TurnedAway {
  return { status: 409, code, detail, ...(text !== undefined && { text }) }
}
