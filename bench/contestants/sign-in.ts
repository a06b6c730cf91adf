// The reference application on SQLite, with as many accounts as ACCOUNTS says. PORT in the environment is where it listens,
// SECRETS the file that receives the secrets of their authenticator apps. It ends on SIGTERM.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { sql } from 'kysely'
import { serve } from 'sallyport/node'
import { SqliteSessionStore } from 'sallyport/session/sqlite'
import { createApplication } from '../../starter/application.ts'
import { openDatabase } from 'sallyport-app/database'
import { PARTS } from '../../starter/parts.ts'
import { addPerson, key } from '../lib/account.ts'
import { cheapHasher, personAt, personPassword } from '../lib/people.ts'
import { migrationsOf } from '../../starter/core/database/migrations.ts'
import type { Schema } from '../../starter/core/database/schema.ts'

const folder = mkdtempSync(join(tmpdir(), 'sallyport-bench-sign-in-'))
process.once('SIGTERM', () => {
  rmSync(folder, { recursive: true, force: true })
  process.exit(0)
})
const database = await openDatabase<Schema>(join(folder, 'accounts.sqlite'), {
  migrations: migrationsOf(PARTS),
})
const store = new SqliteSessionStore({ path: join(folder, 'sessions.sqlite') })
const hasher = cheapHasher()
const app = await createApplication({ database, store, keys: [key], hasher }).boot()
const passwordHash = await hasher.hash(personPassword)
const secrets: string[] = []
// Nothing is lost by it: they are made anew for each run.
await sql`PRAGMA synchronous = OFF`.execute(database)
for (let number = 0; number < Number(process.env['ACCOUNTS']); number++) {
  const { secret } = await addPerson(app, { email: personAt(number), passwordHash })
  secrets.push(secret.reveal())
}
await sql`PRAGMA synchronous = FULL`.execute(database)
writeFileSync(process.env['SECRETS'] ?? join(folder, 'secrets'), JSON.stringify(secrets))
await serve(app, { port: Number(process.env['PORT'] ?? 0), signals: [] })
