import { late, sentence } from '../core/internal.ts'
import { noStore, type SessionServices } from '../session/internal.ts'
import type * as Parts from './session-parts.ts'

/** What sessions are made of. */
export type SessionParts = typeof Parts

/** How the requests of an application get their sessions. */
export interface RequestSessions {
  /** The code. */
  readonly parts: SessionParts
  /** Store, policy and clock. */
  readonly services: SessionServices
}

/**
 * Loads what sessions are made of.
 *
 * @returns It; a promise of it the first time.
 */
export const sessionParts: () => SessionParts | Promise<SessionParts> = late(
  () => import('./session-parts.ts'),
)

/**
 * @param sessions How requests get their sessions.
 * @returns The same.
 * @throws {Error} If they have none, because no store is registered in production.
 */
export function existing(sessions: RequestSessions | null): RequestSessions {
  if (sessions === null) throw noStore(sentence`Cannot use sessions in production`)
  return sessions
}
