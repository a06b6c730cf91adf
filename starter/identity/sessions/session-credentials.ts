import type { Session } from 'sallyport/session'

/** Session key of the credential version that a login, or the password of a pending one, was proven with. */
export const CREDENTIAL_VERSION_KEY = 'credential_version'

/**
 * @param session Session of the request.
 * @param version Credential version of the account at the time of the proof.
 */
export async function keepCredentialVersion(session: Session, version: number): Promise<void> {
  await session.set(CREDENTIAL_VERSION_KEY, version)
}

/**
 * @param session Session of the request.
 * @param identity The account as it is now.
 * @returns Whether the session was begun with the present credentials of the account. Where no version is kept, it was not.
 */
export async function hasCurrentCredentials(
  session: Session,
  identity: { readonly credentialVersion: number },
): Promise<boolean> {
  return (await session.get(CREDENTIAL_VERSION_KEY)) === identity.credentialVersion
}

/**
 * @param session Session of the request.
 * @returns The credential version that its login was proven with; undefined where none is kept.
 */
export async function keptCredentialVersion(session: Session): Promise<number | undefined> {
  const version = await session.get(CREDENTIAL_VERSION_KEY)
  return typeof version === 'number' ? version : undefined
}

/**
 * @param session Session of the request.
 * @returns The credential version that it was begun with; undefined when none is kept.
 */
export async function credentialVersionOf(session: Session): Promise<number | undefined> {
  const version = await session.get(CREDENTIAL_VERSION_KEY)
  return typeof version === 'number' ? version : undefined
}
