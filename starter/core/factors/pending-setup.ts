import { randomUUID } from 'node:crypto'
import type { Session } from 'sallyport/session'
import { z } from 'zod'

/** How long a secret that was shown can be proven. Afterwards it is deleted, and a new one is made. */
export const ENROLLMENT_SECONDS: number = 15 * 60

// Session key of the authenticator that a signed-in user sets up.
const SETUP_KEY = 'totp_setup'
const schema = z.object({ id: z.string(), purpose: z.string() })

/**
 * @param purpose Whose set-up it is, and what for: what was begun as an addition is not finished as a replacement.
 * @returns Identifier of the unverified factor of this session; undefined when it sets up none for this purpose.
 */
export async function readSetup(session: Session, purpose: string): Promise<string | undefined> {
  const { data } = schema.safeParse(await session.get(SETUP_KEY))
  return data?.purpose === purpose ? data.id : undefined
}

/** @returns The same; a new one where there is none. */
export async function beginSetup(session: Session, purpose: string): Promise<string> {
  const known = await readSetup(session, purpose)
  if (known !== undefined) return known
  const id = randomUUID()
  await session.set(SETUP_KEY, { id, purpose })
  return id
}

export async function finishSetup(session: Session): Promise<void> {
  await session.remove(SETUP_KEY)
}
