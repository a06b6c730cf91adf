import { getLogger } from '@logtape/logtape'
import { inject } from 'sallyport'
import { type AccountSession, AccountSessions } from 'sallyport/auth'
import type { Session } from 'sallyport/session'
import type { Client } from 'sallyport-app/clients'
import { hasNotEnded } from 'sallyport-app/credentials'
import type { HeldCredentials } from '../accounts/credential-version.ts'
import { heldCredentials } from './session-credentials.ts'

const log = getLogger(['app', 'sessions'])

/** Whose sessions they are, and where the request came from. */
export interface SessionOwner extends Client {
  /** Of the session of the request, never from what the client sent. */
  readonly accountId: string
}

/** The stored sessions of an account. */
export class OpenSessions {
  readonly #sessions = inject(AccountSessions)

  /** @returns What a change of credentials in it starts from, as long as nothing ends it. */
  async held(session: Session, accountId: string): Promise<HeldCredentials> {
    return heldBy(session, await this.#sessions.list(accountId))
  }

  /**
   * Removes the stored sessions of an account whose credential version was raised, except `own`, which the request signs out itself. Where the
   * store cannot be reached, they are void, and end there by themselves.
   */
  async remove(accountId: string, own?: Session): Promise<number> {
    try {
      const isOwn = own !== undefined && (await currentOf(await this.#sessions.list(accountId), own)) !== null
      return await (isOwn ? this.#sessions.endOthers(own, accountId) : this.#sessions.endAll(accountId))
    } catch (error) {
      log.warn('The stored sessions of {accountId} could not be removed: they are void', { accountId, error })
      return 0
    }
  }
}

/** @returns What a change of credentials in one of them starts from. */
export async function heldBy(session: Session, listed: readonly AccountSession[]): Promise<HeldCredentials> {
  const handle = await currentOf(listed, session)
  return { ...(await heldCredentials(session)), stands: (database) => hasNotEnded(database, handle) }
}

/** @returns Handle of the one that it is, whatever its identifier is now; null when it has been ended. */
export async function currentOf(listed: readonly AccountSession[], session: Session): Promise<string | null> {
  for (const each of listed) if (await each.isCurrent(session)) return each.handle
  return null
}
