import type { Session } from 'sallyport/session'
import type { UsableFactor } from '../factors/second-factors.ts'
import { CHOSEN_FACTOR_KEY } from './pending-login.ts'

/**
 * Remembers which factor the pending login goes on with. It is application state beside `_2fa`, never in it.
 *
 * @param id Identifier of the factor. One that opens the door no more is ignored by `chosenFactor()`.
 */
export async function chooseFactor(session: Session, id: string): Promise<void> {
  await session.set(CHOSEN_FACTOR_KEY, id)
}

/**
 * @param usable Factors of the account of the pending login, the one that was used last first.
 * @returns The one that was chosen; otherwise the first one that is not locked. Recovery codes and codes by mail stand in for
 *   a factor: they are asked for when they are chosen.
 */
export async function chosenFactor(
  session: Session,
  usable: readonly UsableFactor[],
): Promise<UsableFactor | undefined> {
  const id = await session.get(CHOSEN_FACTOR_KEY)
  const isReady = ({ is, lockedSeconds }: UsableFactor): boolean => is.isHeld && lockedSeconds === 0
  return usable.find((factor) => factor.id === id) ?? usable.find(isReady) ?? usable[0]
}
