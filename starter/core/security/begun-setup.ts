import { randomUUID } from 'node:crypto'
import type { Session } from 'sallyport/session'
import { z } from 'zod'

// Session key of the authenticator that is set up: its identifier, and what for.
const SETUP_KEY = 'totp_setup'
const setupSchema = z.object({ id: z.string(), purpose: z.string() })

/**
 * @param purpose Whose authenticator it is, of which kind and in whose place: what was begun as an addition is not finished as a replacement.
 * @returns Its identifier; undefined when the session has begun none.
 */
export async function begunSetup(session: Session, purpose: string): Promise<string | undefined> {
  const { data } = setupSchema.safeParse(await session.get(SETUP_KEY))
  return data?.purpose === purpose ? data.id : undefined
}

/** @returns The same one as before, or a new one. */
export async function beginSetup(session: Session, purpose: string): Promise<string> {
  const id = (await begunSetup(session, purpose)) ?? randomUUID()
  await session.set(SETUP_KEY, { id, purpose })
  return id
}

export async function endSetup(session: Session): Promise<void> {
  await session.remove(SETUP_KEY)
}
