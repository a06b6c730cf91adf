import type { Session } from 'sallyport/session'
import { MAX_TOKENS } from './api-tokens.ts'

// Each form carries the identifier of the token that it makes, so of many posts of one form the database lets one through. A token
// that was revoked is no longer there: the session knows the forms that made one, the newest last.
const SPENT_KEY = 'spent_token_forms'

/** @returns Whether it has made its token, which may be revoked since. */
export async function isTokenFormSpent(session: Session, id: string): Promise<boolean> {
  return (await spentForms(session)).includes(id)
}

export async function spendTokenForm(session: Session, id: string): Promise<void> {
  await session.set(SPENT_KEY, [...(await spentForms(session)), id].slice(-MAX_TOKENS))
}

async function spentForms(session: Session): Promise<readonly string[]> {
  const stored = await session.get(SPENT_KEY)
  return Array.isArray(stored) ? stored.filter((id) => typeof id === 'string') : []
}
