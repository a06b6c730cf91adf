/** The tables of a small application. @module */
import type { Generated, Kysely } from 'kysely'
import type { NamedMigration } from 'sallyport-app/database'

export interface Notes {
  note: { subject: string; at: number; count: Generated<number> }
  note_line: { subject: string; text: string }
}

export const MIGRATIONS: readonly NamedMigration[] = [
  {
    name: 'notes',
    statements: [
      'CREATE TABLE note (subject TEXT PRIMARY KEY, at INTEGER NOT NULL, count INTEGER NOT NULL DEFAULT 0) STRICT',
      `CREATE TABLE note_line (
        subject TEXT NOT NULL REFERENCES note (subject),
        text TEXT NOT NULL
      ) STRICT`,
      {
        sqlite: `CREATE TRIGGER note_is_kept BEFORE DELETE ON note BEGIN SELECT RAISE(ABORT, 'It stays'); END`,
        postgres: `CREATE FUNCTION note_stays() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''It stays''; END'`,
      },
      {
        sqlite: 'CREATE INDEX note_age ON note (at)',
        postgres: 'CREATE TRIGGER note_is_kept BEFORE DELETE ON note EXECUTE FUNCTION note_stays()',
      },
    ],
  },
]

let next = 0

/** Writes a note that is newer than those before it. */
export function write(database: Kysely<Notes>, subject: string): Promise<unknown> {
  next += 1
  return database.insertInto('note').values({ subject, at: next }).execute()
}

/** @returns The subjects of all notes, the oldest first. */
export async function subjects(database: Kysely<Notes>): Promise<readonly string[]> {
  const rows = await database.selectFrom('note').select('subject').orderBy('at').execute()
  return rows.map(({ subject }) => subject)
}
