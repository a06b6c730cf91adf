/** Session data of a browser across requests. Concurrent requests neither lose nor revive it. @module */
export { MemorySessionStore } from './memory-session-store.ts'
export { SessionPolicy } from './session-policy.ts'
export { type SessionStoreErrorCode, SessionStoreException } from './session-store-exception.ts'
export {
  type Lifetime,
  type OwnedSession,
  type SessionChanges,
  type SessionData,
  type SessionRecord,
  type SessionStart,
  SessionStore,
  type SessionUpdate,
  TOMBSTONE_MILLISECONDS,
} from './session-store.ts'
export type { Session } from './session.ts'
export { unsignCookie } from './unsign-cookie.ts'
