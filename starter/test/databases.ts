/**
 * The databases of the tests: files of SQLite, or with `STARTER_TEST_DATABASE=postgres` databases of PostgreSQL. With
 * `STARTER_TEST_SESSIONS=redis` the sessions are in Redis.
 *
 * @module
 */
import { TestDatabases } from 'sallyport-app/testing/databases'
import { migrationsOf } from '../core/database/migrations.ts'
import type { Schema } from '../core/database/schema.ts'
import { PARTS } from '../parts.ts'

/** Whether the worlds of the tests are on PostgreSQL. */
export const ON_POSTGRES: boolean = process.env['STARTER_TEST_DATABASE'] === 'postgres'

/** Why a test about files of SQLite is skipped; false when it runs. */
export const withoutSqlite: string | false = ON_POSTGRES && 'about SQLite'

/** Those of a folder are opened, read and broken by it. */
export const databases: TestDatabases<Schema> = new TestDatabases({
  migrations: migrationsOf(PARTS),
  onPostgres: ON_POSTGRES,
  inRedis: process.env['STARTER_TEST_SESSIONS'] === 'redis',
})
