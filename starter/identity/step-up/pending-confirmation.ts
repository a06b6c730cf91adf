import type { Session } from 'sallyport/session'
import { newChallengeIdentifier } from '../challenges/pending-login.ts'

// Identifier of the challenge that the next accepted code of this session ends. A form that is sent twice has it twice, so that the
// copy which comes second is known as one, and its code not taken for a wrong one.
const CONFIRMATION_KEY = 'confirming'

/**
 * @param session Session of the request, which shows the page that asks for a code.
 * @param hasEnded Tells whether a code was accepted for a challenge.
 */
export async function beginConfirmation(
  session: Session,
  hasEnded: (id: string) => Promise<boolean>,
): Promise<void> {
  const kept = await confirmationOf(session)
  // One that was ended stays only where the session could not be stored afterwards.
  if (kept === undefined || (await hasEnded(kept)))
    await session.set(CONFIRMATION_KEY, newChallengeIdentifier())
}

/**
 * @param session Session of the request.
 * @returns Identifier of its challenge; undefined when it has shown no page that asks for a code.
 */
export async function confirmationOf(session: Session): Promise<string | undefined> {
  const kept = await session.get(CONFIRMATION_KEY)
  return typeof kept === 'string' && kept !== '' ? kept : undefined
}

/**
 * @param session Session of the request, in which something was proven, or that nobody is signed in with any more.
 */
export async function discardConfirmation(session: Session): Promise<void> {
  await session.remove(CONFIRMATION_KEY)
}
