import type { Session } from 'sallyport/session'

/**
 * Gives the session to what discards an entry of it. A removal that is recorded takes also away what another request of the browser
 * has set since this one read the session: a sign-out has to, and a form that begins a sign-in must not. Of two such forms, the one
 * that loses would end what the other has begun.
 *
 * @param session Session of the request.
 * @returns The same, for removals: what this request has not read stays.
 */
export function keepingNewer(session: Session): Pick<Session, 'remove'> {
  return {
    remove: async (key) => {
      if (await session.has(key)) await session.remove(key)
    },
  }
}
