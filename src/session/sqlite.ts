/** Sessions in an embedded SQLite database. @module */
export { SessionStoreException, type SessionStoreErrorCode } from './session-store-exception.ts'
export { SqliteSessionStore, type SqliteSessionStoreOptions } from './sqlite-session-store.ts'
