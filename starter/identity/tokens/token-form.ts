import { randomUUID } from 'node:crypto'
import type { Session } from 'sallyport/session'

// One identifier in each session: that of the form which was opened last. It becomes the identifier of the token, so of many
// posts at once the database lets one through, and a later post finds no identifier.
const FORM_KEY = 'token_form'

/**
 * @param session Session of the request, whose page with the form is opened.
 */
export async function issueTokenForm(session: Session): Promise<void> {
  await session.set(FORM_KEY, randomUUID())
}

/**
 * @param session Session of the request.
 * @returns Identifier of the token that the form makes; undefined when it has made one.
 */
export async function tokenOfForm(session: Session): Promise<string | undefined> {
  const id = await session.get(FORM_KEY)
  return typeof id === 'string' ? id : undefined
}

/**
 * @param session Session of the request, whose form has made its token.
 */
export async function spendTokenForm(session: Session): Promise<void> {
  await session.remove(FORM_KEY)
}
