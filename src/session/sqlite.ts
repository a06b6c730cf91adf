/** Sessions in an embedded SQLite database. @module */
export { SqliteSessionStore } from './sqlite-session-store.ts'
