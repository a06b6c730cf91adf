import { Limit, type LimitedSubject } from 'sallyport-app/limits'

const HOUR = 60 * 60

/** Failed codes of one account, of all its factors together, across all challenges and sessions. */
export const FACTOR_LIMIT: Limit = new Limit('factor', 10)

/**
 * Failed passwords for one address, whether or not it has an account. The owner, whom others may lock out by it, has a way
 * out: a new password set by a link in a mail.
 */
export const PASSWORD_LIMIT: Limit = new Limit('password', 10, { maxLockSeconds: 4 * HOUR })

/** Failed passwords of one client, across all accounts. It grows less: many people may share an address. */
export const CLIENT_LIMIT: Limit = new Limit('client', 50, { maxLockSeconds: HOUR })

/**
 * Failed codes of one authenticator. They count against `FACTOR_LIMIT`, too, and are fewer: when it is locked, something of the
 * budget is left for the other factors of its owner.
 */
export const AUTHENTICATOR_LIMIT: Limit = new Limit('authenticator', 7)

/** Failed recovery codes of one account. They count against `FACTOR_LIMIT`, too, and are fewer for the same reason. */
export const RECOVERY_LIMIT: Limit = new Limit('recovery', 5)

/** Wrong first codes of the authenticators that one account sets up. */
export const ENROLLMENT_LIMIT: Limit = new Limit('enrollment', 10)

/** Confirmation mails to one address, whether or not it has an account. */
export const SIGN_UP_ADDRESS_LIMIT: Limit = new Limit('sign-up', 5, { windowSeconds: HOUR })

/** Confirmation mails that one client asks for. It may still sign in. */
export const SIGN_UP_CLIENT_LIMIT: Limit = new Limit('sign-up-client', 20, { windowSeconds: HOUR })

/** Mails with a link for a new password to one address, whether or not it has an account. */
export const RESET_ADDRESS_LIMIT: Limit = new Limit('reset', 5, { windowSeconds: HOUR })

/** Mails with a link for a new password that one client asks for. It may still sign in. */
export const RESET_CLIENT_LIMIT: Limit = new Limit('reset-client', 20, { windowSeconds: HOUR })

/** Mails with the link that begins an enrollment, to one account. */
export const ENROLLMENT_MAIL_LIMIT: Limit = new Limit('enrollment-mail', 5, { windowSeconds: HOUR })

/**
 * Times that one account, or the link of one mail, costs hashes of passwords or codes, whatever comes of them. Where a sign-in or a code
 * is limited in another way, it does not count.
 */
export const HASH_LIMIT: Limit = new Limit('hash', 20)

export const PENDING_LOGIN_SECONDS: number = 300

/** For how long a password that a link in a mail has set counts as one by mail. */
export const MAIL_PASSWORD_SECONDS: number = 30 * 24 * HOUR

/** How long a secret that was shown can be proven. Afterwards it is deleted, and a new one is made. */
export const ENROLLMENT_SECONDS: number = 15 * 60

/** Maximum number of codes for one challenge. */
export const CHALLENGE_ATTEMPTS = 5

/** Limits of one account: what they have counted goes with it. */
export const ACCOUNT_LIMITS: readonly Limit[] = [
  FACTOR_LIMIT,
  RECOVERY_LIMIT,
  ENROLLMENT_LIMIT,
  ENROLLMENT_MAIL_LIMIT,
  HASH_LIMIT,
]

/** Limits of one address. */
export const ADDRESS_LIMITS: readonly Limit[] = [PASSWORD_LIMIT, RESET_ADDRESS_LIMIT, SIGN_UP_ADDRESS_LIMIT]

/**
 * The limits of a code, whatever its kind.
 *
 * @param unlock What counts the tries of this browser, where the locks do not hold in it. Default: they do.
 * @returns All limits that apply.
 */
export function codeLimits(
  accountId: string,
  own: readonly LimitedSubject[],
  unlock: LimitedSubject | undefined,
): readonly LimitedSubject[] {
  return unlock === undefined ? [FACTOR_LIMIT.of(accountId), ...own] : [unlock]
}
