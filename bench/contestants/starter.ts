// The reference application on SQLite, with one account that has signed in through both doors and a trail of events. PORT in
// the environment is where it listens, COOKIE the file that receives the account's session cookie.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { generate } from 'otplib/functional'
import { type Secret, SystemClock } from 'sallyport'
import { PASSWORD_ARGON2ID, PasswordHasher } from 'sallyport/auth'
import { serve } from 'sallyport/node'
import { SessionPolicy } from 'sallyport/session'
import { SqliteSessionStore } from 'sallyport/session/sqlite'
import { TestClient } from 'sallyport/testing'
import { createApplication } from '../../starter/application.ts'
import { openDatabase } from 'sallyport-app/database'
import { PARTS } from '../../starter/parts.ts'
import { addAccount, email, key } from '../lib/account.ts'
import { migrationsOf } from '../../starter/core/database/migrations.ts'
import type { Schema } from '../../starter/core/database/schema.ts'

const password = 'a gate of two doors'
const folder = mkdtempSync(join(tmpdir(), 'sallyport-bench-starter-'))
const clock = new SystemClock()
const database = await openDatabase<Schema>(join(folder, 'accounts.sqlite'), {
  migrations: migrationsOf(PARTS),
})
const store = new SqliteSessionStore({ path: join(folder, 'sessions.sqlite') })
// Only pages are measured, so the one password may be cheap.
const hasher = new PasswordHasher(PASSWORD_ARGON2ID, { memoryCost: 1024, timeCost: 1, parallelism: 1 })
const app = await createApplication({ database, store, keys: [key], clock, hasher }).boot()
process.once('SIGTERM', () => {
  rmSync(folder, { recursive: true, force: true })
  process.exit(0)
})

const { secret } = await addAccount(app, await hasher.hash(password))
const server = await serve(app, { port: Number(process.env['PORT'] ?? 0), signals: [] })
writeFileSync(
  process.env['COOKIE'] ?? join(folder, 'cookie'),
  await signIn(new URL(server.url).origin, secret),
)

async function signIn(origin: string, secret: Secret): Promise<string> {
  const client = new TestClient(app, { origin })
  const token = async (path: string): Promise<string> =>
    /name="_csrf" value="([^"]+)"/.exec(await (await client.get(path)).text())?.[1] ?? ''
  await client.post('/login', { form: { _csrf: await token('/login'), email, password } })
  const code = await generate({ secret: secret.reveal(), epoch: clock.timestamp(), period: 30 })
  await client.post('/login/2fa', { form: { _csrf: await token('/login/2fa'), code } })
  const name = app.get(SessionPolicy).cookieNameAt(origin)
  return `${name}=${client.cookie(name) ?? ''}`
}
