import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** The session that made the last change of the credentials of an account goes on, also before it is written. */
export const credentialMark: Migration = {
  async up(database: Kysely<unknown>): Promise<void> {
    await sql`ALTER TABLE account ADD COLUMN credential_mark TEXT`.execute(database)
  },
}
