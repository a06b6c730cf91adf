import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
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

  it('is append-only: the database refuses to change or delete an entry', async (test) => {
    const { database, clock } = await accounts(test)
    const audit = new AuditTrail(database, clock)
    await audit.record({ kind: AuditEvent.LoggedIn, accountId: 'u1', clientAddress: '' })

    await assert.rejects(database.updateTable('event').set({ kind: 'nothing' }).execute(), /append-only/)
    await assert.rejects(database.deleteFrom('event').execute(), /append-only/)

    assert.equal((await audit.latest(10, 'u1')).length, 1)
  })
})
