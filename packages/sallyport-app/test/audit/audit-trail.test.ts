import assert from 'node:assert/strict'
import { it, type TestContext } from 'node:test'
import { type RawBuilder, sql } from 'kysely'
import { SystemClock } from 'sallyport'
import { type AuditEntry, AuditTrail, TRAIL_KEPT_DAYS, TrailRules } from 'sallyport-app/audit'
import { type Making, onEachEngine } from '../engines.ts'
import { MIGRATIONS, services, type Services, type Tables } from '../services.ts'

const HOUR = 3600
const DAY = 24 * HOUR

const RULES = new TrailRules({
  always: ['logged-in', 'logged-out'],
  nameOf: sql<string | null>`(CASE account_id WHEN 'ada' THEN 'Ada' END)`,
  story: { begins: 'password-accepted', ends: 'logged-in', seconds: 300, unfinished: 'password-unfinished' },
})

// What no program may do, and everybody can type who has the database.
const FORGED = sql`(id, at, account_id, kind, client_address) VALUES (1, 1, 'eve', 'nothing', '')`
const ATTACKS: readonly RawBuilder<unknown>[] = [
  sql`UPDATE event SET kind = 'nothing'`,
  sql`DELETE FROM event`,
  sql`INSERT INTO event ${FORGED} ON CONFLICT (id) DO UPDATE SET kind = 'nothing'`,
]

const OF_ENGINE: Readonly<Record<'SQLite' | 'PostgreSQL', readonly RawBuilder<unknown>[]>> = {
  SQLite: [
    sql`UPDATE OR REPLACE event SET id = 1`,
    sql`REPLACE INTO event ${FORGED}`,
    sql`INSERT OR REPLACE INTO event ${FORGED}`,
  ],
  PostgreSQL: [sql`TRUNCATE event`],
}

interface Trail extends Services {
  readonly audit: AuditTrail<string>
}

function entry(kind: string, more: Partial<AuditEntry> = {}): AuditEntry {
  return { kind, accountId: 'ada', clientAddress: '192.0.2.1', device: '', ...more }
}

async function begin(test: TestContext, make: Making): Promise<Trail> {
  const world = await services(test, {
    open: await make<Tables>(test, MIGRATIONS),
    prepare: (app) => app.configure((definitions) => void definitions.set(TrailRules, RULES)),
  })
  return { ...world, audit: world.app.get(AuditTrail<string>) }
}

onEachEngine('AuditTrail', (make, engine) => {
  it('names account, client and time, newest first [FACTOR-22]', async (test) => {
    const { audit, clock } = await begin(test, make)
    await audit.record(entry('code-refused', { challengeId: 'c1' }))
    clock.advance(5)
    await audit.record(entry('password-refused', { accountId: null, clientAddress: '192.0.2.2' }))

    const at = clock.timestamp()
    const refused = {
      at: at - 5,
      kind: 'code-refused',
      accountId: 'ada',
      clientAddress: '192.0.2.1',
      name: 'Ada',
      actor: null,
      challengeId: 'c1',
    }
    const guess = {
      at,
      kind: 'password-refused',
      accountId: null,
      clientAddress: '192.0.2.2',
      name: null,
      actor: null,
      challengeId: null,
    }
    assert.deepEqual(await audit.latest(10), [guess, refused])
    assert.deepEqual(await audit.latest(10, 'ada'), [refused])
  })

  it('records a repetition at most twenty times an hour for each client, what is always recorded always, and what operators do [HOLD-28]', async (test) => {
    const { audit, database, clock } = await begin(test, make)
    const refusal = entry('login-refused')
    const count = async (): Promise<number> =>
      (await database.selectFrom('event').select('id').execute()).length

    for (let i = 0; i < 100; i++) await audit.record(refusal)
    const first = await count()
    for (const other of [{ clientAddress: '192.0.2.2' }, { accountId: null }, { accountId: 'bob' }])
      await audit.record({ ...refusal, ...other })
    await audit.record(entry('code-refused'))
    const others = await count()
    for (let i = 0; i < 30; i++) await audit.record(entry('logged-in'))
    for (let i = 0; i < 30; i++) await audit.record({ ...refusal, actor: 'operator:olga' })
    const logins = await count()
    clock.advance(HOUR)
    await audit.record(refusal)

    assert.deepEqual([first, others, logins, await count()], [20, 24, 84, 85])
  })

  it('lets entries dated in the future suppress no others [HOLD-28 HOLD-50]', async (test) => {
    const { audit, database, clock } = await begin(test, make)
    clock.advance(365 * DAY)
    for (let i = 0; i < 30; i++) await audit.record(entry('code-refused'))
    clock.advance(-365 * DAY)

    await audit.record(entry('code-refused'))

    const rows = await database.selectFrom('event').select('at').where('at', '=', clock.timestamp()).execute()
    assert.equal(rows.length, 1)
  })

  it('shows a login in a summary despite any number of refusals [HOLD-28]', async (test) => {
    const { audit, database } = await begin(test, make)
    await audit.record(entry('logged-in', { clientAddress: '192.0.2.9' }))
    await database.transaction().execute(async (transaction) => {
      for (let i = 0; i < 600; i++)
        await audit.record(entry('password-refused', { clientAddress: `192.0.2.${i % 70}` }), transaction)
    })
    await audit.record(entry('password-refused', { accountId: null }))

    const own = await audit.summary(12, 'ada')
    const all = await audit.summary(20)

    assert.deepEqual(
      own.map(({ kind, times, clients, name }) => [kind, times, clients, name]),
      [
        ['password-refused', 500, 70, 'Ada'],
        ['logged-in', 1, 1, 'Ada'],
      ],
    )
    assert.deepEqual(
      all.map(({ kind, times, accounts, name }) => [kind, times, accounts, name]),
      [
        ['password-refused', 500, 1, null],
        ['logged-in', 1, 1, 'Ada'],
      ],
    )
  })

  it('separates days in a summary, and logins by client, newest first [HOLD-28]', async (test) => {
    const { audit, clock } = await begin(test, make)
    const login = entry('logged-in')
    await audit.record(login)
    clock.advance(DAY)
    await audit.record(login)
    await audit.record({ ...login, clientAddress: '192.0.2.2' })
    clock.advance(60)
    await audit.record(login)

    const lines = await audit.summary(10, 'ada')

    const at = clock.timestamp()
    assert.deepEqual(
      lines.map((line) => [line.clientAddress, line.times, line.at]),
      [
        ['192.0.2.1', 2, at],
        ['192.0.2.2', 1, at - 60],
        ['192.0.2.1', 1, at - 60 - DAY],
      ],
    )
    for (let limit = 0; limit <= 3; limit++)
      assert.deepEqual(await audit.summary(limit, 'ada'), lines.slice(0, limit), `${limit} lines`)
  })

  it('tells what was finished once, and what was not by another name [HOLD-28]', async (test) => {
    const { audit, clock } = await begin(test, make)
    for (const challengeId of ['c1', 'c2', 'c3'])
      await audit.record(entry('password-accepted', { challengeId }))
    await audit.record(entry('logged-in', { challengeId: 'c1' }))
    const soon = await audit.summary(10)
    clock.advance(300)

    const late = await audit.summary(10)

    const told = (lines: typeof late): unknown => lines.map(({ kind, times }) => [kind, times])
    assert.deepEqual(told(soon), [
      ['logged-in', 1],
      ['password-accepted', 2],
    ])
    assert.deepEqual(told(late), [
      ['logged-in', 1],
      ['password-unfinished', 2],
    ])
  })

  it('deletes entries that are older than ninety days [HOLD-28]', async (test) => {
    const { audit, clock } = await begin(test, make)
    clock.set(new SystemClock().now())
    for (const days of [100, 91, 89, 0]) {
      clock.advance(-days * DAY)
      await audit.record(entry('logged-in'))
      clock.advance(days * DAY)
    }

    for (const days of [TRAIL_KEPT_DAYS - 1, Number.NaN]) await assert.rejects(audit.trim(days), RangeError)
    const old = await audit.trim(95)
    const rest = await audit.trim(90)

    assert.deepEqual([old, rest, (await audit.latest(10)).length], [1, 1, 2])
  })

  it('is append-only: the database refuses to change, replace or delete an entry [RA-2501 RA-3202]', async (test) => {
    const { audit, database, clock } = await begin(test, make)
    // The database uses the machine's clock for the age of an entry.
    clock.set(new SystemClock().now())
    await audit.record(entry('logged-in'))

    for (const attack of [...ATTACKS, ...OF_ENGINE[engine]])
      await assert.rejects(attack.execute(database), /append-only/)

    assert.deepEqual(
      (await audit.latest(10)).map(({ accountId, kind }) => [accountId, kind]),
      [['ada', 'logged-in']],
    )
    await audit.record(entry('logged-out'))
    assert.equal((await audit.latest(10, 'ada')).length, 2)
  })
})
