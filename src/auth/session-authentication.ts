import { tell } from '../core/index.ts'
import { dropSecret } from '../csrf/index.ts'
import { RequestSession, type Session } from '../session/index.ts'
import { IDENTITY_KEY, ignoreFailure } from '../session/internal.ts'
import type { Authentication } from './authentication.ts'
import { PermissionSet } from './permission-set.ts'

/**
 * Session lifecycle of an identity. The session keeps a reference, never the principal or its permissions.
 *
 * @see Clauses SESS-01 to SESS-17.
 */
export class SessionAuthentication {
  /**
   * Establishes an identity on the session and on the current request.
   *
   * @param session Session of the request; its unrelated data is kept.
   * @param auth Authentication of the same request.
   * @param identifier Non-empty account reference, usually the user id.
   * @param principal The application's object; never stored.
   * @param permissions Non-empty names. Default: none.
   * @throws {TypeError} If the identifier or a permission is empty, or the principal is no object; nothing is changed
   * then.
   * @throws {ServiceUnavailableException} If the session store fails.
   * @see OWASP ASVS 5.0, 7.2.4: a new session token on authentication.
   */
  login(
    session: Session,
    auth: Authentication,
    identifier: string,
    principal: object,
    permissions: Iterable<string> = [],
  ): Promise<void> {
    let granted: PermissionSet
    try {
      granted = grantedTo({ identifier, principal, permissions })
    } catch (error) {
      return Promise.reject(error)
    }
    return ignoreFailure(this.#establish({ session, auth, identifier, principal, granted }))
  }

  async #establish({ session, auth, identifier, principal, granted }: Establishment): Promise<void> {
    // Rotate before writing: an id known to an attacker never carries the new identity.
    await rotate(session)
    // Ended, not replaced: when the answer becomes an error, neither the new identity nor the one before it stays.
    if (session instanceof RequestSession) await session.remove(IDENTITY_KEY)
    await session.set(IDENTITY_KEY, identifier)
    await dropSecret(session)

    auth.authenticate(principal, granted)
    let isTold = false
    whenConfirmed(session, (isKept) => {
      if (isKept) tell('login', { identifier })
      isTold = isKept
    })
    whenWithdrawn(session, () => {
      auth.clear()
      if (isTold) tell('logout', { identifier })
    })
  }

  /**
   * Reads the account reference. Without a session cookie no storage is opened and no cookie is sent.
   *
   * @param session Session of the request.
   * @returns The reference that `login()` stored; null when there is none.
   * @throws {ServiceUnavailableException} If the session store fails.
   */
  async identifier(session: Session): Promise<string | null> {
    const identifier = await session.get(IDENTITY_KEY)
    return typeof identifier === 'string' && identifier !== '' ? identifier : null
  }

  /**
   * Ends an identity: drops the reference and the CSRF secret, and rotates the id. Unrelated data is kept: carts,
   * flash messages, and also a pending second factor, which the application removes itself.
   *
   * @param session Session of the request.
   * @param auth Authentication of the same request.
   * @throws {ServiceUnavailableException} If the session store fails.
   */
  logout(session: Session, auth: Authentication): Promise<void> {
    return ignoreFailure(this.#end(session, auth))
  }

  async #end(session: Session, auth: Authentication): Promise<void> {
    const identifier = await this.identifier(session)
    await session.remove(IDENTITY_KEY)
    await dropSecret(session)
    auth.clear()
    await rotate(session)
    whenConfirmed(session, () => tell('logout', { identifier }))
  }
}

interface Establishment {
  readonly session: Session
  readonly auth: Authentication
  readonly identifier: string
  readonly principal: object
  readonly granted: PermissionSet
}

function grantedTo({
  identifier,
  principal,
  permissions,
}: {
  identifier: unknown
  principal: unknown
  permissions: Iterable<string>
}): PermissionSet {
  if (typeof identifier !== 'string' || identifier === '') {
    throw new TypeError('Cannot log in without an identifier: it must be a non-empty string')
  }
  if (typeof principal !== 'object' || principal === null) {
    throw new TypeError('Cannot log in: the principal must be an object')
  }
  return permissions instanceof PermissionSet ? permissions : new PermissionSet(permissions)
}

// The lifetime of the session counts from here: it is another person's, or nobody's.
function rotate(session: Session): Promise<void> {
  if (session instanceof RequestSession) session.renew()
  return session.regenerateId()
}

// A session of the application's own making takes nothing back.
function whenWithdrawn(session: Session, hear: () => void): void {
  if (session instanceof RequestSession) session.whenWithdrawn(hear)
}

// Nobody is told of what the store then refuses. A session of the application's own making confirms nothing.
function whenConfirmed(session: Session, hear: (isKept: boolean) => void): void {
  if (session instanceof RequestSession) session.whenConfirmed(hear)
  else hear(true)
}
