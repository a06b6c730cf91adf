import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, describe, it } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { Client, Pool } from 'pg'
import { randomIdentifier } from '../../src/core/internal.ts'
import { SessionStoreException } from '../../src/session/index.ts'
import type { PostgresPool } from '../../src/session/postgres-session-store.ts'
import { postgresSessionSchema, PostgresSessionStore } from '../../src/session/postgres.ts'
import { FrozenClock, Gates, proveSessionStore } from '../../src/testing/index.ts'
import { freePort } from '../services/loopback.ts'
import { PostgresServer, withoutPostgres } from '../services/postgres-server.ts'
import { testSeveralCookies } from '../services/several-cookies.ts'
import { testSeveralProcesses } from '../services/several-processes.ts'

const noChanges = { set: new Map<string, string>(), removed: new Set<string>() }
const oneChange = { set: new Map([['a', '2']]), removed: new Set<string>() }

function lifetime(milliseconds = 60_000): { createdAt: number; expiresAt: number } {
  const now = Date.now()
  return { createdAt: now, expiresAt: now + milliseconds }
}

/** Stands between two milliseconds. */
class HalfClock extends FrozenClock {
  override milliseconds(): number {
    return super.milliseconds() + 0.5
  }
}

describe('PostgresSessionStore', { skip: withoutPostgres }, () => {
  let server: PostgresServer
  let pool: Pool
  let store: PostgresSessionStore
  before(async () => {
    server = await PostgresServer.start()
    pool = new Pool({ connectionString: server.url })
    // The end of the server reaches its idle connections before they are closed.
    pool.on('error', () => undefined)
    store = await PostgresSessionStore.connect({ url: server.url })
    await store.migrate()
  })
  after(async () => {
    await store.close()
    await pool.end()
    await server[Symbol.asyncDispose]()
  })

  describe('as a session store', () => {
    // A table of their own: by a clock of another time, their sweeps would take the sessions of other tests away.
    const table = 'proved'
    before(() => new PostgresSessionStore(pool, { table }).migrate())
    proveSessionStore(
      (clock) => new PostgresSessionStore(pool, { clock, table }),
      (store) => store.close(),
      {
        spoil: async (_, id) => {
          await pool.query('UPDATE proved SET data = $1 WHERE id = $2', ['5', id.slice(2)])
        },
      },
    )
  })

  describe('behind a request with several session cookies', () => {
    let worlds = 0
    testSeveralCookies(async (clock) => {
      // A table for each: what one sweeps by its clock would be missing by the clock of another.
      const own = new PostgresSessionStore(pool, { clock, table: `several_${worlds++}` })
      await own.migrate()
      await own.create('first', new Map(), lifetime())
      // Its first sweep, which goes by the clock before the test sets it, is over then.
      await own.close()
      return own
    })
  })

  it('keeps what four processes write to one session at once [R-07 R-61]', async () => {
    await testSeveralProcesses(store, ['postgres', server.url])
  })

  it('sends one statement for each operation', async () => {
    const gates = new Gates<PostgresPool>(pool)
    const counted = new PostgresSessionStore(gates.target)
    const [id, to] = [randomIdentifier(), randomIdentifier()]
    await counted.create(id, new Map([['a', '1']]), lifetime())
    await counted.update(id, noChanges, lifetime())
    gates.forget()

    await counted.read(id)
    await counted.update(id, noChanges, lifetime())
    await counted.update(id, oneChange, lifetime())
    await counted.rotate(id, to, oneChange, lifetime())
    await counted.destroy(to)
    await counted.sessionsOf('owner')

    assert.deepEqual(gates.calls, ['query', 'query', 'query', 'query', 'query', 'query'])
    await counted.close()
  })

  it('skips an operation that had to wait too long for a lock', async () => {
    const [id, to] = [randomIdentifier(), randomIdentifier()]
    await store.create(id, new Map([['a', '1']]), lifetime())
    const other = new Client({ connectionString: server.url })
    await other.connect()
    await other.query('BEGIN')
    await other.query('UPDATE sallyport_session SET created_at = created_at WHERE id = $1', [id])

    const outcomes = await Promise.allSettled([
      store.update(id, oneChange, lifetime()),
      store.rotate(id, to, oneChange, lifetime()),
      store.destroy(id),
    ])
    await other.query('COMMIT')
    await pause(200)
    await other.end()

    assert.deepEqual(
      outcomes.map(({ status }) => status),
      ['rejected', 'rejected', 'rejected'],
    )
    const record = await store.read(id)
    assert.equal(record?.ended, false)
    assert.equal(record.data.get('a'), '1')
    assert.equal(await store.read(to), null)
  })

  it('does nothing when the clock of the server was set forward, and reads the time again', async () => {
    let missing = 10_000
    const skewed: PostgresPool = {
      async query(query) {
        const result = await pool.query({ ...query, values: query.values ?? [] })
        if (query.text.includes('AS now'))
          for (const row of result.rows as { now: number }[]) row.now -= missing
        return result
      },
    }
    const uncertain = new PostgresSessionStore(skewed)
    const id = randomIdentifier()
    await uncertain.create(id, new Map([['a', '1']]), lifetime())

    await assert.rejects(uncertain.update(id, oneChange, lifetime()), {
      code: 'ERR_SESSION_STORE_TIMEOUT',
      message: 'PostgreSQL did not answer in time',
    })
    assert.equal((await uncertain.read(id))?.data.get('a'), '1')
    missing = 0

    assert.equal(await uncertain.update(id, oneChange, lifetime()), true)
  })

  it('reads the server’s time again when it could not', async () => {
    let failures = 1
    const failing: PostgresPool = {
      query(query) {
        if (query.text.includes('AS now') && failures-- > 0) return Promise.reject(new Error('no connection'))
        return pool.query({ ...query, values: query.values ?? [] })
      },
    }
    const uncertain = new PostgresSessionStore(failing)
    const id = randomIdentifier()
    await uncertain.create(id, new Map(), lifetime())

    await assert.rejects(uncertain.update(id, oneChange, lifetime()), {
      code: 'ERR_SESSION_STORE_UNREACHABLE',
    })

    assert.equal(await uncertain.update(id, oneChange, lifetime()), true)
  })

  for (const [what, error, times] of [
    ['a lost connection', new Error('Connection terminated unexpectedly'), 2],
    ['what the server refuses', Object.assign(new Error('no space left'), { severity: 'ERROR' }), 1],
    ['an answer that is late', new SessionStoreException('ERR_SESSION_STORE_TIMEOUT', 'PostgreSQL'), 1],
  ] as const) {
    it(`asks ${times === 1 ? 'once' : 'twice'} for a rotation after ${what}`, async () => {
      let rotations = 0
      const failing: PostgresPool = {
        query(query) {
          if (!query.text.includes('tombstone')) return pool.query({ ...query, values: query.values ?? [] })
          rotations++
          return Promise.reject(error)
        },
      }
      const failed = new PostgresSessionStore(failing)

      await assert.rejects(
        failed.rotate('id', 'to', noChanges, lifetime()),
        (thrown: Error) => thrown === error || thrown.cause === error,
      )

      assert.equal(rotations, times)
    })
  }

  it('answers even if a sweep fails, and sweeps again later', async () => {
    const clock = new FrozenClock()
    const sweeps: string[] = []
    const failing: PostgresPool = {
      query(query) {
        if (!query.text.startsWith('WITH expired'))
          return pool.query({ ...query, values: query.values ?? [] })
        sweeps.push(query.text)
        return Promise.reject(new Error('no space left'))
      },
    }
    const dirty = new PostgresSessionStore(failing, { clock })
    const now = clock.milliseconds()

    await dirty.create(randomIdentifier(), new Map(), { createdAt: now, expiresAt: now + 1000 })
    await dirty.close()
    clock.advance(61)
    await dirty.create(randomIdentifier(), new Map(), { createdAt: now, expiresAt: now + 100_000 })
    await dirty.close()

    assert.equal(sweeps.length, 2)
  })

  it('prepares its statements on a table with the longest name', async () => {
    const table = `${'a'.repeat(48)}.${'b'.repeat(48)}`
    await pool.query(`CREATE SCHEMA ${'a'.repeat(48)}`)
    const long = new PostgresSessionStore(pool, { table })
    await long.migrate()
    const [id, to] = [randomIdentifier(), randomIdentifier()]

    await long.create(id, new Map([['a', '1']]), lifetime())
    assert.equal(await long.update(id, noChanges, lifetime()), true)
    assert.equal(await long.rotate(id, to, noChanges, lifetime()), true)
    assert.equal((await long.read(to))?.data.get('a'), '1')
    await long.destroy(to)
    await long.close()
  })

  it('continues its sweeps after the clock was set back, and deletes what is dated later [HOLD-50]', async () => {
    const clock = new FrozenClock()
    const swept = new PostgresSessionStore(pool, { clock, table: 'stepped' })
    await swept.migrate()
    const ids = async (): Promise<unknown[]> =>
      (await pool.query('SELECT id FROM stepped ORDER BY id')).rows.map(({ id }: { id: string }) => id)
    const write = async (id: string): Promise<void> => {
      const now = clock.milliseconds()
      await swept.create(id, new Map(), { createdAt: now, expiresAt: now + 30_000 })
      await swept.close()
    }
    clock.advance(31_536_000)
    await write('ahead')
    clock.advance(-31_536_000)
    await write('first')
    assert.deepEqual(await ids(), ['first'])
    clock.advance(61)
    await write('second')
    assert.deepEqual(await ids(), ['second'])
  })

  it('deletes no session that has begun since a sweep was asked for [HOLD-50]', async () => {
    const clock = new FrozenClock()
    const write = async (store: PostgresSessionStore, id: string): Promise<void> => {
      const now = clock.milliseconds()
      await store.create(id, new Map(), { createdAt: now, expiresAt: now + 3_600_000 })
    }
    const other = new PostgresSessionStore(pool, { clock, table: 'meanwhile' })
    await other.migrate()
    let sweeps = 0
    const slow: PostgresPool = {
      async query(query) {
        if (query.text.startsWith('WITH expired') && (sweeps += 1) === 1) {
          clock.advance(600)
          await write(other, 'new')
        }
        return pool.query({ ...query, values: query.values ?? [] })
      },
    }
    const store = new PostgresSessionStore(slow, { clock, table: 'meanwhile' })

    await write(store, 'old')
    await store.close()

    assert.equal(sweeps, 1)
    assert.notEqual(await other.read('new'), null)
    await other.close()
  })

  it('deletes expired rows, more of them than one sweep holds [R-70]', async () => {
    const clock = new FrozenClock()
    const swept = new PostgresSessionStore(pool, { clock, table: 'swept' })
    await swept.migrate()
    const now = clock.milliseconds()
    await pool.query(
      `INSERT INTO swept (id, data, created_at, expires_at) SELECT 'old' || n, '{}', 0, $1 FROM generate_series(1, 2500) n`,
      [now + 1000],
    )
    await swept.create('kept', new Map(), { createdAt: now, expiresAt: now + 3_600_000 })
    await pause(100)

    clock.advance(61)
    await swept.create('new', new Map(), { createdAt: now, expiresAt: now + 3_600_000 })
    await swept.close()

    const { rows } = await pool.query<{ id: string }>('SELECT id FROM swept ORDER BY id')
    assert.deepEqual(rows, [{ id: 'kept' }, { id: 'new' }])
  })

  it('refuses a row whose keys or values have another type', async () => {
    const expiresAt = Date.now() + 60_000
    for (const data of ['{"5":"1"}', '{"a":"1"}', '{"\\"a\\"":1}', '[]']) {
      const id = randomIdentifier()
      await pool.query(
        'INSERT INTO sallyport_session (id, data, created_at, expires_at) VALUES ($1, $2, 0, $3)',
        [id, data, expiresAt],
      )

      await assert.rejects(store.read(id), { code: 'ERR_SESSION_STORE_MALFORMED' }, data)
    }
  })

  it('creates its table, also for several processes at once and in another schema, and keeps existing rows', async () => {
    await pool.query('CREATE SCHEMA app')
    const own = new PostgresSessionStore(pool, { table: 'app.sessions' })
    await Promise.all(Array.from({ length: 5 }, () => own.migrate()))
    const id = randomIdentifier()
    await own.create(id, new Map([['a', '1']]), lifetime())

    await own.migrate()
    await pool.query(postgresSessionSchema('app.sessions'))

    assert.equal((await own.read(id))?.data.get('a'), '1')
    assert.equal(await store.read(id), null)
    const { rows } = await pool.query('SELECT id FROM app.sessions')
    assert.deepEqual(rows, [{ id }])
    await own.close()
  })

  describe('over the table of the version before', () => {
    // A table as the version before created it, with one row.
    const former = async (table: string, id: string): Promise<PostgresSessionStore> => {
      await pool.query(`CREATE TABLE ${table} (id text PRIMARY KEY, data jsonb NOT NULL,
        ended boolean NOT NULL DEFAULT false, successor text, created_at bigint NOT NULL, expires_at bigint NOT NULL);
        CREATE INDEX ${table}_expiry ON ${table} (expires_at)`)
      const { createdAt, expiresAt } = lifetime()
      await pool.query(`INSERT INTO ${table} (id, data, created_at, expires_at) VALUES ($1, $2, $3, $4)`, [
        id,
        '{"\\"a\\"":"1"}',
        createdAt,
        expiresAt,
      ])
      return new PostgresSessionStore(pool, { table })
    }

    it('gains the column, is read, and has an owner with the next write [ACCT-07]', async () => {
      const [id, owner] = [randomIdentifier(), randomIdentifier()]
      const own = await former('former_read', id)

      await Promise.all(Array.from({ length: 5 }, () => own.migrate()))

      assert.deepEqual([...((await own.read(id))?.data ?? [])], [['a', '1']])
      // A process of the version before goes on meanwhile.
      await pool.query('UPDATE former_read SET data = $1 WHERE id = $2', ['{"\\"a\\"":"2"}', id])
      await own.update(id, { set: new Map(), removed: new Set(), owner }, lifetime())
      const [session] = await own.sessionsOf(owner)
      assert.deepEqual([session?.id, [...(session?.record?.data ?? [])]], [id, [['a', '2']]])
    })

    it('a migration that has nothing to add waits for no transaction and holds up none [ACCT-07]', async () => {
      const own = await former('former_lock', randomIdentifier())
      await own.migrate()
      const client = await pool.connect()
      try {
        await client.query('BEGIN; LOCK TABLE former_lock IN ACCESS SHARE MODE')
        await pool.query('SELECT 1')

        const migrated = own.migrate().then(() => 'migrated')

        assert.equal(await Promise.race([migrated, pause(2000, 'waits', { ref: false })]), 'migrated')
      } finally {
        await client.query('ROLLBACK')
        client.release()
      }
    })

    it('finds the sessions of an owner with one statement, by the index [ACCT-04]', async () => {
      const own = await former('former_plan', randomIdentifier())
      await own.migrate()
      await pool.query(`INSERT INTO former_plan (id, data, created_at, expires_at, owner)
        SELECT 'i' || n, '{}', 0, 9e12, CASE WHEN n % 2 = 0 THEN 'o' || n / 20 END FROM generate_series(1, 20000) AS n`)
      await pool.query('ANALYZE former_plan')

      const { rows } = await pool.query(
        `EXPLAIN SELECT id FROM former_plan WHERE owner = 'o77' AND NOT ended AND expires_at > 5`,
      )

      assert.match(JSON.stringify(rows), /former_plan_owner/)
      assert.equal((await own.sessionsOf('o77')).length, 10)
    })
  })

  it('works without prepared statements, for poolers that require it', async () => {
    const plain = await PostgresSessionStore.connect({ url: server.url, prepared: false, connections: 1 })
    const [id, to] = [randomIdentifier(), randomIdentifier()]
    await plain.create(id, new Map([['a', '1']]), lifetime())

    assert.equal(await plain.update(id, oneChange, lifetime()), true)
    assert.equal(await plain.rotate(id, to, noChanges, lifetime()), true)
    assert.equal((await plain.read(to))?.data.get('a'), '2')
    await plain.close()
    await assert.rejects(plain.read(to))
  })

  it('opens as many connections as allowed, ten by default', async () => {
    for (const [name, connections] of [
      ['ten', undefined],
      ['two', 2],
    ] as const) {
      const url = `${server.url}?application_name=${name}`
      const address = { url, timeoutMilliseconds: 10_000 }
      const own = await PostgresSessionStore.connect(
        connections === undefined ? address : { ...address, connections },
      )
      await Promise.all(Array.from({ length: 40 }, () => own.read(randomIdentifier())))

      const { rowCount } = await pool.query('SELECT FROM pg_stat_activity WHERE application_name = $1', [
        name,
      ])
      assert.equal(rowCount, connections ?? 10)
      await own.close()
    }
  })

  it('stores whole milliseconds, rounded down', async () => {
    const clock = new HalfClock()
    const precise = new PostgresSessionStore(pool, { clock, table: 'precise' })
    await precise.migrate()
    const [id, to] = [randomIdentifier(), randomIdentifier()]
    const now = Math.floor(clock.milliseconds())

    await precise.create(id, new Map(), { createdAt: now + 0.7, expiresAt: now + 1000.7 })
    assert.equal(await precise.rotate(id, to, noChanges, { createdAt: 5.7, expiresAt: now + 1000.7 }), true)
    clock.advance(0.999)

    const record = await precise.read(to)
    assert.deepEqual([record?.createdAt, record?.expiresAt], [5, now + 1000])
    clock.advance(0.001)
    assert.equal(await precise.read(to), null)
    await precise.close()
  })

  it('rejects when its table is missing, and works once it exists', async () => {
    const early = new PostgresSessionStore(pool, { table: 'later' })

    await assert.rejects(early.read('id'), { code: '42P01' })
    await early.migrate()
    assert.equal(await early.read('id'), null)
  })

  it('reports at once that there is no server, or that it refuses', async () => {
    const nowhere = `postgres://ada:wrong@127.0.0.1:${await freePort()}/postgres`
    await assert.rejects(PostgresSessionStore.connect({ url: nowhere }), { code: 'ECONNREFUSED' })
    const stranger = `postgres://ada:wrong@127.0.0.1:${server.port}/postgres`
    await assert.rejects(PostgresSessionStore.connect({ url: stranger }), { code: '28P01' })
  })

  for (const table of ['', 'a b', 'a"b', 'A', 'a.b.c', '1a', 'a;b', 'x'.repeat(49)]) {
    it(`refuses ${JSON.stringify(table)} as the name of its table`, () => {
      assert.throws(() => new PostgresSessionStore(pool, { table }), TypeError)
      assert.throws(() => postgresSessionSchema(table), TypeError)
    })
  }

  for (const timeoutMilliseconds of [0, -1, Number.NaN]) {
    it(`refuses a time limit of ${timeoutMilliseconds}`, () => {
      assert.throws(() => new PostgresSessionStore(pool, { timeoutMilliseconds }), RangeError)
    })
  }
})

describe('postgresSessionSchema()', () => {
  it('is what the guide shows', () => {
    const guide = readFileSync(new URL('../../docs/session-stores.md', import.meta.url), 'utf8')

    assert.ok(guide.includes(postgresSessionSchema()), postgresSessionSchema())
  })
})
