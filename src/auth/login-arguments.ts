import type { Json } from '../core/index.ts'
import { assertBoolean, assertOptions, declarationError, sentence, shown } from '../core/internal.ts'
import { assertSession, isRequestSession, MAX_DETAILS_BYTES, textOf } from '../session/internal.ts'
import type { Authentication } from './authentication.ts'
import { type PermissionSet, toPermissionSet } from './permission-set.ts'

/** Options of `login()`. */
export interface LoginOptions {
  /**
   * What a list of the account's sessions shall tell of this one, such as the device: JSON, at most 2048 bytes. It is kept
   * through rotations, and the session itself cannot read it. Default: nothing.
   */
  readonly details?: { readonly [key: string]: Json }
}

/** Options of `logout()`. */
export interface LogoutOptions {
  /**
   * Whether an identity stays that another request of the browser has established since this one read the session. For a
   * request that does not sign out, but begins something anonymous, such as a pending second factor: of two copies of it, the
   * later must not end what the earlier has begun. A session implemented by the application is not known that well, so there
   * it ends. Default: false, because a sign-out must not be lost.
   */
  readonly keepNewer?: boolean
}

/**
 * @param options Options as passed.
 * @returns Whether a newer identity stays.
 * @throws {TypeError} If an option is unknown, or `keepNewer` is neither true nor false.
 */
export function keepsNewer(options: LogoutOptions): boolean {
  assertOptions(options, ['keepNewer'], 'logout()')
  const { keepNewer = false } = options
  assertBoolean(keepNewer, 'keepNewer')
  return keepNewer
}

/**
 * Checks a session. Sessions of the framework need no check of their members in each request.
 *
 * @param session The argument as passed.
 * @param what What cannot be done with it.
 * @throws {TypeError} If it is not a session.
 */
export function assertIsSession(session: unknown, what: string): void {
  if (!isRequestSession(session)) assertSession(session, what)
}

/**
 * @param session The session as passed.
 * @param auth The authentication as passed.
 * @param what What cannot be done with them.
 * @throws {TypeError} If one of them is not what it should be.
 */
export function assertParts(session: unknown, auth: unknown, what: string): void {
  assertIsSession(session, what)
  if (canAuthenticate(auth)) return
  throw declarationError(
    sentence`Cannot ${what} with ${shown(auth)} as the authentication: pass the request's own, context.auth()`,
  )
}

/**
 * @param login Who signs in.
 * @returns The permissions.
 * @throws {TypeError} If one of them is not what it should be.
 */
export function grantedTo({
  identifier,
  principal,
  permissions,
}: {
  identifier: unknown
  principal: unknown
  permissions: Iterable<string>
}): PermissionSet {
  if (typeof identifier !== 'string' || identifier === '') {
    throw new TypeError(sentence`Cannot log in without an identifier: it must be a non-empty string`)
  }
  if (typeof principal !== 'object' || principal === null) {
    throw new TypeError(sentence`Cannot log in: the principal must be an object`)
  }
  return toPermissionSet(permissions)
}

/**
 * @param options Options as passed.
 * @returns The details as JSON.
 * @throws {TypeError} If an option is unknown, or JSON would change the details.
 * @throws {RangeError} If they are too large.
 */
export function detailsText(options: LoginOptions): string {
  assertOptions(options, ['details'], 'login()')
  const { details = {} } = options
  if (typeof details !== 'object' || details === null || Array.isArray(details))
    throw new TypeError(sentence`Cannot log in with ${shown(details)} as details: pass an object`)
  const text = textOf('details', details)
  const size = Buffer.byteLength(text)
  if (size > MAX_DETAILS_BYTES)
    throw new RangeError(
      sentence`Cannot log in with details of ${size} bytes of JSON: at most ${MAX_DETAILS_BYTES} are kept`,
    )
  return text
}

// Calls `isAuthenticated()` before the session changes. An object made of the prototype, or a proxy, has the methods but no
// state, and would throw after the change.
function canAuthenticate(given: unknown): boolean {
  try {
    const auth = given as Authentication
    const isOne = typeof auth.authenticate === 'function' && typeof auth.clear === 'function'
    return isOne && typeof auth.isAuthenticated() === 'boolean'
  } catch {
    return false
  }
}
