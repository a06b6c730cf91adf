import assert from 'node:assert/strict'
import { after, before, describe, it, type TestContext } from 'node:test'
import { Pool } from 'pg'
import { SystemClock } from 'sallyport'
import { AccountSessions } from 'sallyport/auth'
import { SessionPolicy } from 'sallyport/session'
import { PostgresSessionStore } from 'sallyport/session/postgres'
import { ownerOf } from '../../src/session/internal.ts'
import { PostgresServer, withoutPostgres } from '../services/postgres-server.ts'
import { figure, sized } from './figure.ts'

const ACCOUNTS = sized(2000, 100_000)
const SESSIONS_EACH = 10
const EXPIRED = sized(5000, 200_000)
const POLICY = new SessionPolicy()

// The owner as ownerOf() makes it, for rows that the server makes itself.
const OWNER = String.raw`translate(rtrim(encode(sha256('sallyport account\000sid\000'::bytea
  || convert_to('account ' || n, 'UTF8')), 'base64'), '='), '+/', '-_')`

interface Times {
  readonly median: string
  readonly p99: string
  readonly slowest: string
}

async function timesOf(count: number, work: (index: number) => Promise<unknown>): Promise<Times> {
  const times: number[] = []
  for (let index = 0; index < count; index++) {
    const began = performance.now()
    await work(index)
    times.push(performance.now() - began)
  }
  return summary(times)
}

function summary(times: number[]): Times {
  times.sort((a, b) => a - b)
  const at = (share: number): string => (times[Math.floor((times.length - 1) * share)] ?? 0).toFixed(1)
  return { median: at(0.5), p99: at(0.99), slowest: at(1) }
}

function told(t: TestContext, what: string, { median, p99, slowest }: Times): void {
  const value = `median ${median} ms, p99 ${p99} ms, slowest ${slowest} ms`
  figure(t, 'ACCT-04', { what, value, goal: 'at most 5 ms' })
}

describe(
  `the sessions of an account among ${ACCOUNTS * SESSIONS_EACH} in PostgreSQL`,
  { skip: withoutPostgres },
  () => {
    let server: PostgresServer
    let pool: Pool
    let store: PostgresSessionStore
    let sessions: AccountSessions
    before(async () => {
      server = await PostgresServer.start({ durable: true })
      pool = new Pool({ connectionString: server.url })
      pool.on('error', () => undefined)
      store = await PostgresSessionStore.connect({ url: server.url, timeoutMilliseconds: 20_000 })
      await store.migrate()
      const now = Date.now()
      await pool.query(
        `INSERT INTO sallyport_session (id, data, created_at, expires_at, owner)
         SELECT translate(rtrim(encode(sha256(convert_to(n || '/' || s, 'UTF8')), 'base64'), '='), '+/', '-_'),
           jsonb_build_object('"_auth"', '"account ' || n || '"', '"note"', repeat('x', 200)),
           ${now}, ${now + POLICY.idleMilliseconds} + n, ${OWNER}
         FROM generate_series(1, ${ACCOUNTS}) AS n, generate_series(1, ${SESSIONS_EACH}) AS s`,
      )
      await pool.query('ANALYZE sallyport_session')
      sessions = new AccountSessions(store, POLICY, new SystemClock())
    })
    after(async () => {
      await store.close()
      await pool.end()
      await server[Symbol.asyncDispose]()
    })
    const account = (index: number): string => `account ${1 + ((index * 7919) % ACCOUNTS)}`

    it('finds them by the index of the owner [ACCT-04]', async (t) => {
      const { rows } = await pool.query<{ 'QUERY PLAN': string }>(
        `EXPLAIN (ANALYZE, BUFFERS, COSTS OFF, TIMING OFF) SELECT id, data FROM sallyport_session
         WHERE owner = '${ownerOf(account(1), POLICY)}' AND NOT ended AND expires_at > ${Date.now()}`,
      )
      const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
      t.diagnostic(plan)
      assert.match(plan, /sallyport_session_owner/)
      assert.doesNotMatch(plan, /Seq Scan/)
    })

    it('lists them [ACCT-01 ACCT-04]', async (t) => {
      assert.equal((await sessions.list(account(1))).length, SESSIONS_EACH)
      const times = await timesOf(300, (index) => sessions.list(account(index)))
      told(t, `list of ${SESSIONS_EACH} among ${ACCOUNTS * SESSIONS_EACH}`, times)
    })

    it('ends all of them [ACCT-02 ACCT-04]', async (t) => {
      const times = await timesOf(100, async (index) =>
        assert.equal(await sessions.endAll(account(index)), SESSIONS_EACH),
      )
      told(t, `end all ${SESSIONS_EACH} among ${ACCOUNTS * SESSIONS_EACH}`, times)
    })

    it('deletes what has expired without a stall of other statements', async (t) => {
      const reading = (): Promise<Times> => timesOf(200, () => store.read('x'.repeat(45)))
      const idle = await reading()
      await pool.query(
        `UPDATE sallyport_session SET expires_at = 1 WHERE id IN (SELECT id FROM sallyport_session WHERE NOT ended LIMIT ${EXPIRED})`,
      )
      const sweeping = await PostgresSessionStore.connect({ url: server.url, timeoutMilliseconds: 20_000 })
      const began = performance.now()
      await sweeping.create('y'.repeat(45), new Map(), {
        createdAt: Date.now(),
        expiresAt: Date.now() + 60_000,
      })
      const swept = sweeping.close()
      const busy = await reading()
      await swept

      const { rows } = await pool.query('SELECT FROM sallyport_session WHERE expires_at <= 1')
      assert.equal(rows.length, 0)
      told(t, 'a read while nothing expires', idle)
      told(
        t,
        `a read while ${EXPIRED} expired rows go, in ${(performance.now() - began).toFixed(0)} ms`,
        busy,
      )
    })
  },
)
