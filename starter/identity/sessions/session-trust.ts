import type { Session } from 'sallyport/session'

const TRUST_KEY = 'trusted_device'

/**
 * @param session Session of a login that is complete.
 * @param id Identifier of the trusted browser that began it; undefined when the second step was proven, or none is asked for.
 */
export async function keepTrust(session: Session, id: string | undefined): Promise<void> {
  if (id === undefined) await session.remove(TRUST_KEY)
  else await session.set(TRUST_KEY, id)
}

/**
 * @param session Session of the request.
 * @returns Identifier of the trusted browser that began it; undefined for none.
 */
export async function trustOf(session: Session): Promise<string | undefined> {
  const id = await session.get(TRUST_KEY)
  return typeof id === 'string' ? id : undefined
}
