// A process of the starter as it runs in production, except that passwords may cost little (`PASSWORDS=cheap`). What starts it asks it
// by messages to read sessions, or to write rows, for some seconds: it answers how many it did.
import { SystemClock } from 'sallyport'
import { PasswordHasher } from 'sallyport/auth'
import { ServiceUnavailableException } from 'sallyport/http'
import { serve } from 'sallyport/node'
import { type SessionStore, SessionStoreException } from 'sallyport/session'
import { openStores, serveOptionsOf } from 'sallyport-app/boot'
import { createApplication } from '../../starter/application.ts'
import { readEnvironment } from '../../starter/core/boot/environment.ts'
import { migrationsOf } from '../../starter/core/database/migrations.ts'
import type { Schema } from '../../starter/core/database/schema.ts'
import type { Database } from '../../starter/core/database/database.ts'
import { PARTS } from '../../starter/parts.ts'
import { cheapHasher } from '../lib/people.ts'
import type { Asked } from './group.ts'

const READS_AT_ONCE = 32
const WRITES_AT_ONCE = 8
const HOUR_MILLISECONDS = 3_600_000

const clock = new SystemClock()
const environment = readEnvironment(process.env, PARTS)
const { origin, keys } = environment
const closing = new AsyncDisposableStack()
const { database, sessions } = await openStores<Schema>(environment, {
  migrations: migrationsOf(PARTS),
  clock,
  closing,
})
const hasher = process.env['PASSWORDS'] === 'cheap' ? cheapHasher() : new PasswordHasher()
const settings = { origin: () => origin }
const app = await createApplication({
  database,
  store: sessions,
  keys,
  clock,
  hasher,
  settings,
}).boot()
// What fails is told by its status.
app.onError(() => undefined)
const server = await serve(app, serveOptionsOf(environment))

process.on('message', (asked) => void answer(asked as Asked))
process.once('disconnect', () => process.exit())
process.send?.(server.port)

async function answer({ what, seconds }: Asked): Promise<void> {
  const [act, atOnce] =
    what === 'reads' ? [await reading(sessions), READS_AT_ONCE] : [writing(database), WRITES_AT_ONCE]
  let done = 0
  const end = performance.now() + 1000 * seconds
  const work = async (): Promise<void> => {
    while (performance.now() < end) done += (await act().then(() => true, isRefusal)) ? 1 : 0
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  process.send?.(done)
}

// A session of about the size of one that is signed in.
async function reading(store: SessionStore): Promise<() => Promise<unknown>> {
  const id = `ab${Buffer.alloc(32, process.pid).toString('base64url')}`
  const now = clock.milliseconds()
  const data = new Map(
    ['_auth', '_csrf', 'device', 'proof'].map((key) => [key, JSON.stringify(key.repeat(8))]),
  )
  await store.create(id, data, { createdAt: now, expiresAt: now + HOUR_MILLISECONDS })
  return async () => {
    if ((await store.read(id)) === null) throw new Error('The session has gone')
  }
}

// What waits too long for its turn is refused, and is not counted.
function isRefusal(error: unknown): false {
  if (error instanceof ServiceUnavailableException || error instanceof SessionStoreException) return false
  throw error
}

function writing(opened: Database): () => Promise<unknown> {
  const event = { at: 1, account_id: null, kind: 'x', client_address: '', challenge_id: null }
  return () => opened.insertInto('event').values(event).execute()
}
