/** What a killed process left behind, read from a copy: the process itself is to recover the original. @module */
import { copyFileSync, existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Client } from 'pg'
import { databases } from '../databases.ts'

const FILES = ['accounts.sqlite', 'sessions.sqlite'].flatMap((name) => [name, `${name}-wal`])

/** The sessions that were left behind. */
export interface LeftSessions {
  /** Account references of sessions that are signed in. */
  readonly signedIn: readonly unknown[]
  /** Sessions that are signed in and wait for a code at the same time. */
  readonly torn: readonly unknown[]
}

/** What was left behind. */
export interface Wreck extends LeftSessions {
  /** Answers of `PRAGMA integrity_check` and `PRAGMA foreign_key_check` that are not good. */
  readonly damage: readonly unknown[]
}

/** @returns What is in it. */
export function inspect(directory: string, target: string): Wreck {
  mkdirSync(target, { recursive: true })
  for (const file of FILES) {
    if (existsSync(join(directory, file))) copyFileSync(join(directory, file), join(target, file))
  }
  const accounts = new DatabaseSync(join(target, 'accounts.sqlite'))
  const sessions = new DatabaseSync(join(target, 'sessions.sqlite'))
  try {
    return {
      damage: [...damageOf(accounts), ...damageOf(sessions)],
      ...sessionsAmong(sessions.prepare('SELECT data FROM sallyport_session WHERE ended = 0').all()),
    }
  } finally {
    accounts.close()
    sessions.close()
  }
}

/** @returns The same of a database of PostgreSQL, which a process cannot damage. */
export async function sessionsOnServer(directory: string): Promise<LeftSessions> {
  const client = new Client({ connectionString: await databases.urlOf(directory) })
  await client.connect()
  try {
    return sessionsAmong(
      (await client.query('SELECT data::text AS data FROM sallyport_session WHERE NOT ended')).rows,
    )
  } finally {
    await client.end()
  }
}

function sessionsAmong(rows: readonly Record<string, unknown>[]): LeftSessions {
  const sessions = rows.map(entriesOf)
  return {
    signedIn: sessions.flatMap((entries) => ('_auth' in entries ? [entries['_auth']] : [])),
    torn: sessions.filter((entries) => '_auth' in entries && '_2fa' in entries),
  }
}

function damageOf(database: DatabaseSync): readonly unknown[] {
  const integrity = database.prepare('PRAGMA integrity_check').all()
  const foreign = database.prepare('PRAGMA foreign_key_check').all()
  return [...integrity.filter((row) => row['integrity_check'] !== 'ok'), ...foreign]
}

// The store keeps each entry as separate JSON.
function entriesOf(row: Record<string, unknown>): Readonly<Record<string, unknown>> {
  const texts = JSON.parse(String(row['data'])) as Record<string, string>
  return Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, JSON.parse(text) as unknown]))
}
