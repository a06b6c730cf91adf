import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { sql } from 'kysely'
import { SystemClock } from 'sallyport'
import { AuditEvent, AuditTrail } from '../../identity/audit-trail.ts'
import { accounts } from './fixture.ts'

describe('AuditTrail', () => {
  it('FACTOR-22: names account, client and moment, newest first', async (test) => {
    const { database, clock, users } = await accounts(test)
    const id = await users.add({ email: 'ada@example.test', name: 'Ada', passwordHash: null }, clock)
    const audit = new AuditTrail(database, clock)
    await audit.record({
      kind: AuditEvent.CodeRefused,
      accountId: id,
      clientAddress: '192.0.2.1',
      challengeId: 'c1',
    })
    clock.advance(5)
    await audit.record({ kind: AuditEvent.PasswordRefused, accountId: null, clientAddress: '192.0.2.2' })

    const all = await audit.latest(10)
    const own = await audit.latest(10, id)

    const at = clock.timestamp()
    const refused = {
      at: at - 5,
      kind: 'code-refused',
      accountId: id,
      clientAddress: '192.0.2.1',
      name: 'Ada',
    }
    const guess = { at, kind: 'password-refused', accountId: null, clientAddress: '192.0.2.2', name: null }
    assert.deepEqual(all, [guess, refused])
    assert.deepEqual(own, [refused])
  })

  it('is append-only: the database refuses to change, replace or delete an entry', async (test) => {
    const { database, clock } = await accounts(test)
    // The database asks the machine's clock how old an entry is.
    clock.set(new SystemClock().now())
    const audit = new AuditTrail(database, clock)
    await audit.record({ kind: AuditEvent.LoggedIn, accountId: 'u1', clientAddress: '' })

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
    await audit.record({ kind: AuditEvent.LoggedOut, accountId: 'u1', clientAddress: '' })
    assert.equal((await audit.latest(10, 'u1')).length, 2)
  })
})
