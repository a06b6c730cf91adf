import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { sql } from 'kysely'
import { SystemClock } from 'sallyport'
import { AuditEvent, AuditTrail } from '../../../core/audit/audit-trail.ts'
import { withoutSqlite } from '../../databases.ts'
import { accounts } from '../fixture.ts'

describe('AuditTrail', () => {
  it('names account, client and time, newest first [FACTOR-22]', async (test) => {
    const { app, clock, users } = await accounts(test)
    const id = await users.add({ email: 'ada@example.test', name: 'Ada', passwordHash: null }, clock)
    const audit = app.get(AuditTrail)
    await audit.record({
      kind: AuditEvent.CodeRefused,
      accountId: id,
      clientAddress: '192.0.2.1',
      device: '',
      challengeId: 'c1',
    })
    clock.advance(5)
    await audit.record({
      kind: AuditEvent.PasswordRefused,
      accountId: null,
      clientAddress: '192.0.2.2',
      device: '',
    })

    const all = await audit.latest(10)
    const own = await audit.latest(10, id)

    const at = clock.timestamp()
    const refused = {
      at: at - 5,
      kind: 'code-refused',
      accountId: id,
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
    assert.deepEqual(all, [guess, refused])
    assert.deepEqual(own, [refused])
  })

  it('records a repetition at most twenty times an hour for each client, logins and logouts always [HOLD-28]', async (test) => {
    const { app, database, clock } = await accounts(test)
    const audit = app.get(AuditTrail)
    const refusal = { kind: AuditEvent.LoginRefused, accountId: 'u1', clientAddress: '192.0.2.1', device: '' }
    const count = async (): Promise<number> =>
      (await database.selectFrom('event').select('id').execute()).length

    for (let i = 0; i < 828; i++) await audit.record(refusal)
    const first = await count()
    await audit.record({ ...refusal, clientAddress: '192.0.2.2', device: '' })
    await audit.record({ ...refusal, accountId: null })
    await audit.record({ ...refusal, accountId: 'u2' })
    await audit.record({ ...refusal, kind: AuditEvent.CodeRefused })
    const others = await count()
    for (let i = 0; i < 30; i++) await audit.record({ ...refusal, kind: AuditEvent.LoggedIn })
    const logins = await count()
    clock.advance(3600)
    await audit.record(refusal)

    assert.deepEqual([first, others, logins, await count()], [20, 24, 54, 55])
  })

  it('entries dated in the future suppress no others [HOLD-28 HOLD-50]', async (test) => {
    const { app, database, clock } = await accounts(test)
    const audit = app.get(AuditTrail)
    const refusal = { kind: AuditEvent.CodeRefused, accountId: 'u1', clientAddress: '192.0.2.1', device: '' }
    clock.advance(365 * 24 * 3600)
    for (let i = 0; i < 30; i++) await audit.record(refusal)
    clock.advance(-365 * 24 * 3600)

    await audit.record(refusal)

    const rows = await database.selectFrom('event').select('at').where('at', '=', clock.timestamp()).execute()
    assert.equal(rows.length, 1)
  })

  it('a summary shows a login despite any number of refusals [HOLD-28]', async (test) => {
    const { app, database, clock, users } = await accounts(test)
    const id = await users.add({ email: 'ada@example.test', name: 'Ada', passwordHash: null }, clock)
    const audit = app.get(AuditTrail)
    await audit.record({ kind: AuditEvent.LoggedIn, accountId: id, clientAddress: '192.0.2.9', device: '' })
    await database.transaction().execute(async (transaction) => {
      for (let i = 0; i < 700; i++)
        for (const kind of [AuditEvent.PasswordRefused, AuditEvent.PasswordLocked])
          await audit.record(
            { kind, accountId: id, clientAddress: `192.0.2.${i % 70}`, device: '' },
            transaction,
          )
    })
    await audit.record({
      kind: AuditEvent.PasswordRefused,
      accountId: null,
      clientAddress: '192.0.2.1',
      device: '',
    })

    const own = await audit.summary(12, id)
    const all = await audit.summary(20)

    assert.deepEqual(
      own.map(({ kind, times, clients, name }) => [kind, times, clients, name]),
      [
        ['password-locked', 500, 70, 'Ada'],
        ['password-refused', 500, 70, 'Ada'],
        ['logged-in', 1, 1, 'Ada'],
      ],
    )
    assert.deepEqual(
      all.map(({ kind, times, accounts: count, name }) => [kind, times, count, name]),
      [
        ['password-refused', 500, 1, null],
        ['password-locked', 500, 1, 'Ada'],
        ['logged-in', 1, 1, 'Ada'],
      ],
    )
  })

  it('a summary separates days, and logins by client, newest first [HOLD-28]', async (test) => {
    const { app, clock } = await accounts(test)
    const audit = app.get(AuditTrail)
    const login = { kind: AuditEvent.LoggedIn, accountId: 'u1', clientAddress: '192.0.2.1', device: '' }
    await audit.record(login)
    clock.advance(24 * 3600)
    await audit.record(login)
    await audit.record({ ...login, clientAddress: '192.0.2.2', device: '' })
    clock.advance(60)
    await audit.record(login)

    const lines = await audit.summary(10, 'u1')
    const [newest] = await audit.summary(1, 'u1')

    const at = clock.timestamp()
    assert.deepEqual(
      lines.map((line) => [line.clientAddress, line.times, line.at]),
      [
        ['192.0.2.1', 2, at],
        ['192.0.2.2', 1, at - 60],
        ['192.0.2.1', 1, at - 60 - 24 * 3600],
      ],
    )
    assert.equal(newest?.at, at)
  })

  it('a summary is the same however many entries have to be read for it [HOLD-28]', async (test) => {
    const { app, clock } = await accounts(test)
    const audit = app.get(AuditTrail)
    const { LoggedIn, LoggedOut, PasswordRefused, CodeRefused } = AuditEvent
    const kinds = [LoggedIn, LoggedOut, PasswordRefused, CodeRefused]
    // Quiet and busy days, by a fixed sequence.
    let chance = 7
    const below = (end: number): number => (chance = (chance * 75) % 65_537) % end
    for (let entry = 0; entry < 300; entry++) {
      if (below(3) === 0) clock.advance(below(4) * 9 * 3600)
      const kind = kinds[below(kinds.length)] ?? LoggedIn
      const accountId = below(3) === 0 ? null : `u${below(2)}`
      await audit.record({ kind, accountId, clientAddress: `192.0.2.${below(4)}`, device: '' })
    }

    for (const accountId of [undefined, 'u0', 'u1']) {
      // Everything is read for a list as long as the trail.
      const all = await audit.summary(1000, accountId)
      assert.ok(all.length > 60)
      for (let limit = 0; limit <= 40; limit++)
        assert.deepEqual(await audit.summary(limit, accountId), all.slice(0, limit), `${limit} lines`)
    }
  })

  it('entries older than ninety days can be deleted [HOLD-28]', async (test) => {
    const { app, clock } = await accounts(test)
    clock.set(new SystemClock().now())
    const audit = app.get(AuditTrail)
    const login = { kind: AuditEvent.LoggedIn, accountId: 'u1', clientAddress: '', device: '' }
    for (const days of [100, 91, 89, 0]) {
      clock.advance(-days * 24 * 3600)
      await audit.record(login)
      clock.advance(days * 24 * 3600)
    }

    await assert.rejects(audit.trim(89), RangeError)
    await assert.rejects(audit.trim(Number.NaN), RangeError)
    const old = await audit.trim(95)
    const rest = await audit.trim(90)

    assert.deepEqual([old, rest, (await audit.latest(10)).length], [1, 1, 2])
  })

  it(
    'is append-only: the database refuses to change, replace or delete an entry',
    { skip: withoutSqlite },
    async (test) => {
      const { app, database, clock } = await accounts(test)
      // The database uses the machine's clock for the age of an entry.
      clock.set(new SystemClock().now())
      const audit = app.get(AuditTrail)
      await audit.record({ kind: AuditEvent.LoggedIn, accountId: 'u1', clientAddress: '', device: '' })

      const forged = sql`(id, at, account_id, kind, client_address) VALUES (1, 1, 'u2', 'nothing', '')`
      const attacks = [
        sql`UPDATE event SET kind = 'nothing'`,
        sql`UPDATE OR REPLACE event SET id = 1`,
        sql`DELETE FROM event`,
        sql`REPLACE INTO event ${forged}`,
        sql`INSERT OR REPLACE INTO event ${forged}`,
        sql`INSERT INTO event ${forged} ON CONFLICT (id) DO UPDATE SET kind = 'nothing'`,
      ]
      for (const attack of attacks) await assert.rejects(attack.execute(database), /append-only/)

      const [entry] = await database.selectFrom('event').selectAll().execute()
      assert.deepEqual([entry?.account_id, entry?.kind], ['u1', 'logged-in'])
      await audit.record({ kind: AuditEvent.LoggedOut, accountId: 'u1', clientAddress: '', device: '' })
      assert.equal((await audit.latest(10, 'u1')).length, 2)
    },
  )
})
