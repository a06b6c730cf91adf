import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { Pool } from 'pg'
import { createClient } from 'redis'
import { Secret } from 'sallyport'
import type { SessionStore } from 'sallyport/session'
import { PostgresSessionStore } from 'sallyport/session/postgres'
import { RedisSessionStore } from 'sallyport/session/redis'
import { SqliteSessionStore } from 'sallyport/session/sqlite'

/** What an application is inspected with: it opens nothing, so that it can be inspected at any time. */
export interface Inspected {
  /** A store of the class that serves with the settings of the file `.env` and of the process, which `sallyport info` names. */
  readonly store: SessionStore
  /** Keys that seal nothing which is kept. */
  readonly keys: readonly Secret[]
}

/**
 * Makes them.
 *
 * @returns What such an application is given beside a database in memory.
 */
export function inspected(): Inspected {
  return { store: storeOf(), keys: [new Secret(randomBytes(32).toString('hex'))] }
}

// None of them opens anything before the first session.
function storeOf(): SessionStore {
  if (existsSync('.env')) process.loadEnvFile('.env')
  const { DATABASE_URL: databaseUrl = '', REDIS_URL: redisUrl = '' } = process.env
  if (redisUrl !== '') return new RedisSessionStore(createClient())
  if (databaseUrl !== '') return new PostgresSessionStore(new Pool())
  return new SqliteSessionStore({ path: ':memory:' })
}
