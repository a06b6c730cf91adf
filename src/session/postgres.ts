/** Sessions in PostgreSQL, with the package `pg`. @module */
export {
  type PostgresPool,
  type PostgresQuery,
  PostgresSessionStore,
  type PostgresSessionStoreAddress,
  type PostgresSessionStoreOptions,
} from './postgres-session-store.ts'
export { postgresSessionSchema } from './postgres-statements.ts'
export { SessionStoreException, type SessionStoreErrorCode } from './session-store-exception.ts'
