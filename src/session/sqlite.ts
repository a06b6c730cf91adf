/** Sessions in an embedded SQLite database. @module */
export { SqliteSessionStore, type SqliteSessionStoreOptions } from './sqlite-session-store.ts'
