// The reference application on SQLite, with one account that has signed in through both doors and a trail of events. PORT in
// the environment is where it listens, COOKIE the file that receives the account's session cookie.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { generate } from 'otplib/functional'
import { Secret, SystemClock } from 'sallyport'
import { PASSWORD_ARGON2ID, PasswordHasher } from 'sallyport/auth'
import { serve } from 'sallyport/node'
import { SqliteSessionStore } from 'sallyport/session/sqlite'
import { FrozenClock, TestClient } from 'sallyport/testing'
import { createApplication } from '../../starter/application.ts'
import { openDatabase } from '../../starter/database/open.ts'
import { AuditEvent, AuditTrail } from '../../starter/identity/audit/audit-trail.ts'

const DAY_SECONDS = 86_400
const password = 'a gate of two doors'
const email = 'ada@example.test'
const folder = mkdtempSync(join(tmpdir(), 'sallyport-bench-starter-'))
const clock = new SystemClock()
const database = await openDatabase(join(folder, 'accounts.sqlite'))
const store = new SqliteSessionStore({ path: join(folder, 'sessions.sqlite') })
// Only pages are measured, so the one password may be cheap.
const hasher = new PasswordHasher(PASSWORD_ARGON2ID, { memoryCost: 1024, timeCost: 1, parallelism: 1 })
const { app, identity } = createApplication({
  database,
  store,
  keys: [new Secret('5a'.repeat(32))],
  clock,
  hasher,
})
process.once('SIGTERM', () => {
  rmSync(folder, { recursive: true, force: true })
  process.exit(0)
})

const secret = await addAccount()
const server = await serve(app, { port: Number(process.env['PORT'] ?? 0), signals: [] })
writeFileSync(process.env['COOKIE'] ?? join(folder, 'cookie'), await signIn(new URL(server.url).origin))

async function addAccount(): Promise<Secret> {
  const permissions = ['admin.access']
  const passwordHash = await hasher.hash(password)
  const id = await identity.users.add({ email, name: 'Ada', passwordHash, permissions }, clock)
  await addEvents(id)
  const factor = await identity.factors.add(id, 'Authenticator app', clock)
  await identity.factors.enableUnproven(factor.id, clock)
  return factor.secret
}

// Twenty days with a sign-in and a sign-out each, from three addresses; on every fifth day the password was wrong at first.
async function addEvents(accountId: string): Promise<void> {
  const { LoggedIn, LoggedOut, PasswordAccepted, PasswordRefused } = AuditEvent
  const past = new FrozenClock(clock.timestamp() - 21 * DAY_SECONDS)
  const trail = new AuditTrail(database, past)
  for (let day = 0; day < 20; day++) {
    const mistakes = day % 5 === 0 ? [PasswordRefused] : []
    for (const kind of [...mistakes, PasswordAccepted, LoggedIn, LoggedOut])
      await trail.record({ kind, accountId, clientAddress: `192.0.2.${day % 3}` })
    past.advance(DAY_SECONDS)
  }
}

async function signIn(origin: string): Promise<string> {
  const client = new TestClient(app, { origin })
  const token = async (path: string): Promise<string> =>
    /name="_csrf" value="([^"]+)"/.exec(await (await client.get(path)).text())?.[1] ?? ''
  await client.post('/login', { form: { _csrf: await token('/login'), email, password } })
  const code = await generate({ secret: secret.reveal(), epoch: clock.timestamp(), period: 30 })
  await client.post('/login/2fa', { form: { _csrf: await token('/login/2fa'), code } })
  return `sid=${client.cookie('sid') ?? ''}`
}
