import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Pages that are written by the owner of the site. */
export const pages: Migration = {
  async up(database: Kysely<unknown>): Promise<void> {
    await sql`CREATE TABLE page (
      slug TEXT NOT NULL CHECK (slug <> ''),
      language TEXT NOT NULL,
      title TEXT NOT NULL CHECK (title <> ''),
      body TEXT NOT NULL,
      state TEXT NOT NULL CHECK (state IN ('draft', 'published')),
      updated_at INTEGER NOT NULL,
      PRIMARY KEY (slug, language)
    ) STRICT, WITHOUT ROWID`.execute(database)
  },
}
