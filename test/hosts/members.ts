/**
 * The users of the shop of the guide about existing applications: Ada, who is a clerk, Ben, and Eve, who has a second factor.
 *
 * @module
 */
import { execFileSync } from 'node:child_process'

import { hashSync } from 'bcryptjs'
import { Client } from 'pg'

/** The password of all of them. */
export const PASSWORD = 'correct horse'
/** The secret of Eve's second factor. */
export const SECRET = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'

/** Runs a statement of its own connection. */
export async function run(url: string, text: string, values: readonly string[] = []): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  // Without values it may be several statements.
  await (values.length === 0 ? client.query(text) : client.query(text, [...values]))
  await client.end()
}

/**
 * Creates the users, and the tables with the program of the guide.
 *
 * @param url Address of the database.
 * @param folder Where the programs of the guide are.
 */
export async function createMembers(url: string, folder: string): Promise<void> {
  await run(
    url,
    'CREATE TABLE member (id serial PRIMARY KEY, name text UNIQUE NOT NULL, hash text NOT NULL, is_clerk boolean NOT NULL)',
  )
  const env = { ...process.env, DATABASE_URL: url }
  execFileSync(process.execPath, ['create-tables.ts', 'second-factor.sql'], { cwd: folder, env })
  await run(
    url,
    `INSERT INTO member (name, hash, is_clerk) SELECT name, $1, name = 'ada' FROM unnest(ARRAY['ada', 'ben', 'eve']) AS name`,
    [hashSync(PASSWORD, 10)],
  )
  await run(url, `INSERT INTO member_factor SELECT id, $1 FROM member WHERE name = 'eve'`, [SECRET])
}
