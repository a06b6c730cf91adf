import type { Session } from 'sallyport/session'
import { readProofs } from 'sallyport-app/sessions'
import type { UsableFactor } from '../factors/second-factors.ts'
import { kindNamedBy } from '../messages/factor-names.ts'
import type { PageMessage } from 'sallyport-app/pages'

/** What is offered to somebody who signed in, or confirmed, with a recovery code. */
export interface LostOffer {
  /** The authenticators that may be gone. */
  readonly authenticators: readonly { readonly id: string; readonly text: PageMessage }[]
}

/** @returns The offer to replace them; undefined unless the last proof of this session was a recovery code. */
export async function lostOffer(
  session: Session,
  accountId: string,
  factors: readonly Pick<UsableFactor, 'id' | 'label'>[],
): Promise<LostOffer | undefined> {
  const { kind } = await readProofs(session, accountId)
  if (kind !== 'recovery') return undefined
  return { authenticators: factors.map(({ id, label }) => ({ id, text: replace(label) })) }
}

function replace(label: string): PageMessage {
  return kindNamedBy(label) === undefined
    ? { id: 'recovery.lost.replace', values: { label } }
    : { id: 'recovery.lost.replace-app' }
}
