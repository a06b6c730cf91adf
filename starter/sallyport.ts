import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { Pool } from 'pg'
import { createClient } from 'redis'
import { type App, Secret, SystemClock } from 'sallyport'
import type { SessionStore } from 'sallyport/session'
import { PostgresSessionStore } from 'sallyport/session/postgres'
import { RedisSessionStore } from 'sallyport/session/redis'
import { SqliteSessionStore } from 'sallyport/session/sqlite'
import { createApplication } from './application.ts'
import { openDatabase } from 'sallyport-app/database'
import { PARTS } from './parts.ts'
import { Mailbox } from 'sallyport-app/mail'
import type { Settings } from './core/settings.ts'
import { migrationsOf } from './core/database/migrations.ts'
import type { Schema } from './core/database/schema.ts'

/**
 * The application for the command line `sallyport`: configured as usual, but without any data, so that it can be inspected at any time,
 * even while another instance runs.
 */
export async function app(): Promise<App> {
  const database = await openDatabase<Schema>(':memory:', { migrations: migrationsOf(PARTS) })
  const application = createApplication({
    database,
    store: sessionStore(),
    keys: [new Secret(randomBytes(32).toString('hex'))],
    // With every module, so that every route is inspected.
    mailer: new Mailbox(new SystemClock()),
    settings: Object.assign({}, ...PARTS.map(({ inspected }) => inspected?.())) as Partial<Settings>,
  })
  application.onClose(async () => database.destroy())
  return application
}

// Of the class that serves with these settings, which `sallyport info` names. None of them opens anything before the first session.
function sessionStore(): SessionStore {
  if (existsSync('.env')) process.loadEnvFile('.env')
  const { DATABASE_URL: databaseUrl = '', REDIS_URL: redisUrl = '' } = process.env
  if (redisUrl !== '') return new RedisSessionStore(createClient())
  if (databaseUrl !== '') return new PostgresSessionStore(new Pool())
  return new SqliteSessionStore({ path: ':memory:' })
}
