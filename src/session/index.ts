/** Data of one browser across requests, kept so that concurrent requests neither lose nor revive it. @module */
export { MemorySessionStore, type MemorySessionStoreOptions } from './memory-session-store.ts'
export type { EndedIdentifier } from './ended-identifier.ts'
export { RequestSession } from './request-session.ts'
export type { CookieChange, SessionServices } from './session-writer.ts'
export { SessionPolicy, type SessionPolicyOptions } from './session-policy.ts'
export {
  type Lifetime,
  type SessionChanges,
  type SessionData,
  type SessionRecord,
  SessionStore,
  type SessionUpdate,
  TOMBSTONE_MILLISECONDS,
} from './session-store.ts'
export { SessionStoreException, type SessionStoreErrorCode } from './session-store-exception.ts'
export type { Session } from './session.ts'
