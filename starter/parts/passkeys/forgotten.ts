import type { HttpContext } from 'sallyport'
import { isSeen } from 'sallyport/http'
import type { Session } from 'sallyport/session'

// What the session keeps until the next page of security: a JSON text that `passkey-signal.js` reads.
const FORGOTTEN_KEY = 'passkey.forgotten'

/** A passkey that was removed. */
export interface Forgotten {
  /** Domain that it is bound to. */
  readonly rpId: string
  /** Identifier that its authenticator gave it, in base64url. */
  readonly credentialId: string
}

export async function forgetPasskey(session: Session, passkey: Forgotten): Promise<void> {
  await session.set(FORGOTTEN_KEY, JSON.stringify(passkey))
}

/** @returns What the browser is told to forget, once; undefined for nothing. */
export async function takeForgotten(context: HttpContext): Promise<string | undefined> {
  const session = context.session()
  const value = await session.get(FORGOTTEN_KEY)
  if (typeof value !== 'string' || !isSeen(context)) return undefined
  await session.remove(FORGOTTEN_KEY)
  return value
}
