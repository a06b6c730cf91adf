import { randomUUID } from 'node:crypto'
import type { Session } from 'sallyport/session'
import type { HeldCredentials } from '../accounts/credential-version.ts'
import type { AuthenticationIdentity } from '../accounts/users.ts'

/** Session key of the credential version that a login, or the password of a pending one, was proven with. */
export const CREDENTIAL_VERSION_KEY = 'credential_version'

/** Session key of what the session is known by where it changes the credentials. */
export const CREDENTIAL_MARK_KEY = 'credential_mark'

/** @param mark What the session is known by where it changes the credentials. Default: what it was known by, or a new one. */
export async function keepCredentialVersion(session: Session, version: number, mark?: string): Promise<void> {
  await session.set(CREDENTIAL_VERSION_KEY, version)
  if (mark !== undefined || (await markOf(session)) === undefined)
    await session.set(CREDENTIAL_MARK_KEY, mark ?? randomUUID())
}

/**
 * @returns Whether the session was begun with the present credentials of the account, or has made the last change of them itself:
 *   another request in it may not have written the version yet.
 */
export async function hasCurrentCredentials(
  session: Session,
  { credentialVersion, changedBy }: Pick<AuthenticationIdentity, 'credentialVersion' | 'changedBy'>,
): Promise<boolean> {
  const kept = await keptCredentialVersion(session)
  if (kept === undefined) return false
  return kept === credentialVersion || (changedBy !== null && changedBy === (await markOf(session)))
}

/** @returns The credential version that its login was proven with; undefined where none is kept. */
export async function keptCredentialVersion(session: Session): Promise<number | undefined> {
  const version = await session.get(CREDENTIAL_VERSION_KEY)
  return typeof version === 'number' ? version : undefined
}

/** @returns What a change of credentials in it starts from. */
export async function heldCredentials(session: Session): Promise<HeldCredentials> {
  return { credentialVersion: (await keptCredentialVersion(session)) ?? 0, mark: await markOf(session) }
}

async function markOf(session: Session): Promise<string | undefined> {
  const mark = await session.get(CREDENTIAL_MARK_KEY)
  return typeof mark === 'string' && mark !== '' ? mark : undefined
}
