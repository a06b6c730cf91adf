/** Sessions in PostgreSQL, with the package `pg`. @module */
export { PostgresSessionStore } from './postgres-session-store.ts'
export { postgresSessionSchema } from './postgres-statements.ts'
