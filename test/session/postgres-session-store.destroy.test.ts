import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { Client, Pool } from 'pg'
import { SystemClock } from '../../src/core/index.ts'
import { randomIdentifier } from '../../src/core/internal.ts'
import { AccountSessions } from '../../src/auth/index.ts'
import { SessionPolicy } from '../../src/session/index.ts'
import { ownerOf } from '../../src/session/internal.ts'
import type { PostgresPool } from '../../src/session/postgres-session-store.ts'
import { PostgresSessionStore } from '../../src/session/postgres.ts'
import { Gates } from '../../src/testing/index.ts'
import { PostgresServer, withoutPostgres } from '../services/postgres-server.ts'

const policy = new SessionPolicy()
const owner = ownerOf('ada', policy)
const entries = new Map([['_auth', '"ada"']])

function lifetime(): { createdAt: number; expiresAt: number } {
  const now = Date.now()
  return { createdAt: now, expiresAt: now + 60_000 }
}

async function begin(store: PostgresSessionStore, count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, randomIdentifier)
  await Promise.all(ids.map((id) => store.create(id, entries, { ...lifetime(), owner })))
  return ids
}

describe('PostgresSessionStore, sessions that end together', { skip: withoutPostgres }, () => {
  let server: PostgresServer
  let pool: Pool
  before(async () => {
    server = await PostgresServer.start()
    pool = new Pool({ connectionString: server.url })
    pool.on('error', () => undefined)
    await new PostgresSessionStore(pool).migrate()
  })
  after(async () => {
    await pool.end()
    await server[Symbol.asyncDispose]()
  })

  it('ends all sessions of an account with one statement and two lists [ACCT-02]', async () => {
    const gates = new Gates<PostgresPool>(pool)
    const store = new PostgresSessionStore(gates.target)
    await begin(store, 20)
    const sessions = new AccountSessions(store, policy, new SystemClock())
    // The first change of a store also asks for the time of the server, and sweeps.
    await store.destroy('nobody')
    gates.forget()

    assert.equal(await sessions.endAll('ada'), 20)

    assert.deepEqual(gates.calls, ['query', 'query', 'query'])
    assert.deepEqual(await store.sessionsOf(owner), [])
    await store.close()
  })

  it('ends more sessions than one statement takes', async () => {
    const store = new PostgresSessionStore(pool, { timeoutMilliseconds: 20_000 })
    await pool.query(
      `INSERT INTO sallyport_session (id, data, created_at, expires_at, owner)
       SELECT 'many' || n, '{"_auth": "\\"ada\\""}', $1, $2, $3 FROM generate_series(1, 2500) AS n`,
      [Date.now(), Date.now() + 60_000, owner],
    )

    await Promise.all(Array.from({ length: 2500 }, (_, n) => store.destroy(`many${n + 1}`)))

    assert.deepEqual(await store.sessionsOf(owner), [])
    await store.close()
  })

  it('ends each of them once when several processes end them in different orders', async () => {
    const stores = [new PostgresSessionStore(pool), new PostgresSessionStore(pool)] as const
    for (let round = 0; round < 25; round++) {
      const ids = await begin(stores[0], 40)
      const reversed = ids.toReversed()
      // A deadlock would fail one of the two.
      await Promise.all([
        ...ids.map((id) => stores[0].destroy(id)),
        ...reversed.map((id) => stores[1].destroy(id)),
      ])
      for (const id of ids) assert.equal((await stores[0].read(id))?.ended, true)
    }
    for (const store of stores) await store.close()
  })

  it('ends what is written meanwhile, and leaves what is rotated meanwhile to the next list', async () => {
    const store = new PostgresSessionStore(pool)
    const [written, rotated, still] = (await begin(store, 3)) as [string, string, string]
    const to = randomIdentifier()
    const other = new Client({ connectionString: server.url })
    await other.connect()
    await other.query('BEGIN')
    await other.query('UPDATE sallyport_session SET expires_at = expires_at + 1 WHERE id = $1', [written])
    await other.query('UPDATE sallyport_session SET id = $2 WHERE id = $1', [rotated, to])

    const ending = Promise.all([written, rotated, still].map((id) => store.destroy(id)))
    while ((await waiting(pool)) === 0);
    await other.query('COMMIT')
    await ending
    await other.end()

    assert.equal((await store.read(written))?.ended, true)
    assert.equal((await store.read(still))?.ended, true)
    assert.deepEqual(
      (await store.sessionsOf(owner)).map(({ id }) => id),
      [to],
    )
    await store.destroy(to)
    await store.close()
  })

  it('ends none of them, and says so, when a lock is held for longer than an operation may take', async () => {
    const store = new PostgresSessionStore(pool)
    const ids = await begin(store, 3)
    const other = new Client({ connectionString: server.url })
    await other.connect()
    await other.query('BEGIN')
    await other.query('UPDATE sallyport_session SET created_at = created_at WHERE id = $1', [ids[1]])

    const outcomes = await Promise.allSettled(ids.map((id) => store.destroy(id)))
    await other.query('COMMIT')
    while ((await waiting(pool)) > 0);
    await other.end()

    assert.deepEqual(
      outcomes.map(({ status }) => status),
      ['rejected', 'rejected', 'rejected'],
    )
    for (const id of ids) assert.equal((await store.read(id))?.ended, false)
    // The next attempt is another statement.
    await Promise.all(ids.map((id) => store.destroy(id)))
    assert.deepEqual(await store.sessionsOf(owner), [])
    await store.close()
  })
})

/** How many statements wait for a lock. */
async function waiting(pool: Pool): Promise<number> {
  const { rows } = await pool.query(`SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock'`)
  return rows.length
}
