// What one PostgreSQL carries, for several processes of the starter: writes one after the other, and whole sign-ins.
//
//     DATABASE_URL=postgres://… node --conditions=sallyport-source bench/several-processes.ts PROCESSES SECONDS
//
// The database is changed. REDIS_URL moves the sessions to a Redis. Passwords cost a millisecond here.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { generate } from 'otplib/functional'
import { type App, Secret } from 'sallyport'
import type { SessionStore } from 'sallyport/session'
import { PostgresSessionStore } from 'sallyport/session/postgres'
import { RedisSessionStore } from 'sallyport/session/redis'
import { FrozenClock, TestClient } from 'sallyport/testing'
import { createApplication } from '../starter/application.ts'
import { Database } from '../starter/core/database/database.ts'
import { openPostgres } from '../starter/core/database/open-postgres.ts'
import { PARTS } from '../starter/parts.ts'
import { addPerson, key, type MeasuredAccount } from './lib/account.ts'
import { cheapHasher, personPassword } from './lib/people.ts'

const AT_ONCE = 8
const STEP_SECONDS = 30
const url = process.env['DATABASE_URL'] ?? ''
const [, , processes = '1', seconds = '5', worker] = process.argv

if (worker === undefined) await measureAll(Number(processes))
else await work(worker)

async function measureAll(count: number): Promise<void> {
  const children = Array.from({ length: count }, (_, index) =>
    fork(import.meta.filename, [processes, seconds, `${process.pid}-${index}`]),
  )
  await Promise.all(children.map((child) => once(child, 'message')))
  for (const what of ['writes', 'sign-ins']) {
    const ended = children.map((child) => once(child, 'message'))
    for (const child of children) child.send(what)
    const done = (await Promise.all(ended)).map(([number]) => Number(number))
    const perSecond = done.reduce((sum, each) => sum + each, 0) / Number(seconds)
    process.stdout.write(`${count} processes: ${Math.round(perSecond)} ${what}/s\n`)
  }
  for (const child of children) child.disconnect()
}

async function work(name: string): Promise<void> {
  const clock = new FrozenClock('2026-01-01T00:00:00Z')
  const database = await openPostgres(new Secret(url), { parts: PARTS, timeoutMilliseconds: 10_000 })
  const store = await openStore(clock)
  const hasher = cheapHasher()
  const app = await createApplication({ database, store, keys: [key], hasher, clock }).boot()
  const passwordHash = await hasher.hash(personPassword)
  const people = await Promise.all(
    Array.from({ length: AT_ONCE }, async (_, index) => {
      const email = `${name}-${index}@example.test`
      return { ...(await addPerson(app, { email, passwordHash })), email }
    }),
  )
  const measure = async (what: unknown): Promise<void> => {
    const done = await repeat(what === 'writes' ? () => write(app) : () => signInAll(app, people, clock))
    process.send?.(done)
  }
  process.on('message', (what) => void measure(what))
  process.on('disconnect', () => process.exit())
  process.send?.('ready')
}

function openStore(clock: FrozenClock): Promise<SessionStore> {
  const redis = process.env['REDIS_URL']
  if (redis !== undefined) return RedisSessionStore.connect({ url: redis, clock, timeoutMilliseconds: 5000 })
  return PostgresSessionStore.connect({ url, clock, timeoutMilliseconds: 5000 }).then(async (store) => {
    await store.migrate()
    return store
  })
}

async function repeat(once: () => Promise<number>): Promise<number> {
  let done = 0
  for (const end = performance.now() + 1000 * Number(seconds); performance.now() < end;) done += await once()
  return done
}

async function write(app: App): Promise<number> {
  const event = { at: 1, account_id: null, kind: 'x', client_address: '', challenge_id: null }
  const database = app.get(Database)
  await Promise.all(
    Array.from({ length: AT_ONCE }, () => database.insertInto('event').values(event).execute()),
  )
  return AT_ONCE
}

type Person = MeasuredAccount & { readonly email: string }

async function signInAll(app: App, people: readonly Person[], clock: FrozenClock): Promise<number> {
  clock.advance(STEP_SECONDS)
  await Promise.all(people.map((person) => signIn(app, person, clock.timestamp())))
  return people.length
}

async function signIn(app: App, { email, secret }: Person, epoch: number): Promise<void> {
  const client = new TestClient(app, { origin: 'https://app.test' })
  const submit = async (path: string, fields: Readonly<Record<string, string>>): Promise<string | null> => {
    const page = await (await client.get(path)).text()
    const token = /name="_csrf" value="([^"]+)"/.exec(page)?.[1] ?? ''
    return (await client.post(path, { form: { _csrf: token, ...fields } })).headers.get('location')
  }
  await submit('/login', { email, password: personPassword })
  const end = await submit('/login/2fa', { code: await generate({ secret: secret.reveal(), epoch }) })
  if (end !== '/account') throw new Error(`The sign-in of ${email} leads to ${end}`)
}
