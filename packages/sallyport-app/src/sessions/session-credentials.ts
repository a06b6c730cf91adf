import { randomUUID } from 'node:crypto'
import type { Session } from 'sallyport/session'

// Session keys: the version of the credentials that a login was proven with, and what the session is known by where it changes them.
const VERSION_KEY = 'credential_version'
const MARK_KEY = 'credential_mark'

/** What a session has kept of the credentials of its account. */
export interface KeptCredentials {
  /** The version that it was begun or confirmed with. */
  readonly credentialVersion: number
  /** What the session is known by, so that a change that it makes does not end it. Default: the change ends every session. */
  readonly mark?: string | undefined
}

/** The credentials of an account, as they are. */
export interface CurrentCredentials {
  /** Raised by every change of them; sessions of an earlier version are over. */
  readonly credentialVersion: number
  /** Mark of the session that made the last change; null when it was none, or the change ended every session. */
  readonly changedBy: string | null
}

/**
 * Notes in a session which credentials it was begun with.
 *
 * @param session Session of the request.
 * @param version Their version.
 * @param mark What the session is known by where it changes them. Default: what it was known by, or a new one.
 */
export async function keepCredentialVersion(session: Session, version: number, mark?: string): Promise<void> {
  await session.set(VERSION_KEY, version)
  if (mark !== undefined || (await markOf(session)) === undefined)
    await session.set(MARK_KEY, mark ?? randomUUID())
}

/**
 * Says whether a session still counts.
 *
 * @param session Session of the request.
 * @param credentials The credentials of its account.
 * @returns Whether it was begun with them, or has made the last change of them itself: another request in it may not have written the
 *   version yet.
 */
export async function hasCurrentCredentials(
  session: Session,
  { credentialVersion, changedBy }: CurrentCredentials,
): Promise<boolean> {
  const kept = await keptCredentialVersion(session)
  if (kept === undefined) return false
  return kept === credentialVersion || (changedBy !== null && changedBy === (await markOf(session)))
}

/**
 * Reads the version of the credentials that a session was begun with.
 *
 * @param session Session of the request.
 * @returns The version; undefined where none is kept.
 */
export async function keptCredentialVersion(session: Session): Promise<number | undefined> {
  const version = await session.get(VERSION_KEY)
  return typeof version === 'number' ? version : undefined
}

/**
 * Reads what a session has kept. A session without a version is none of a signed-in user; 0 is the version of no account.
 *
 * @internal
 */
export async function keptCredentials(session: Session): Promise<KeptCredentials> {
  return { credentialVersion: (await keptCredentialVersion(session)) ?? 0, mark: await markOf(session) }
}

async function markOf(session: Session): Promise<string | undefined> {
  const mark = await session.get(MARK_KEY)
  return typeof mark === 'string' && mark !== '' ? mark : undefined
}
