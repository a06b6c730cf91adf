import assert from 'node:assert/strict'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { Secret } from 'sallyport'
import { FrozenClock } from 'sallyport/testing'
import { openDatabase } from 'sallyport-app/database'
import { generate } from 'otplib/functional'
import { PARTS } from '../../../parts.ts'
import { services, temporary } from '../../support.ts'
import { Identity } from '../../identity.ts'
import { migrationsOf } from '../../../core/database/migrations.ts'
import type { Schema } from '../../../core/database/schema.ts'

const OLD = 'ab'.repeat(32)
const NEW = 'cd'.repeat(32)
const LOST = 'ef'.repeat(32)
const OLGA = { kind: 'operator', name: 'olga' } as const
const REASON = 'yearly rotation'

/** The same database, as processes with several keys see it. */
async function processes(test: TestContext): Promise<(...keys: readonly string[]) => Promise<Identity>> {
  const path = join(temporary(test), 'accounts.sqlite')
  return async (...keys) => {
    const database = await openDatabase<Schema>(path, { migrations: migrationsOf(PARTS), durable: false })
    test.after(() => database.destroy())
    const app = await services({ database, clock, keys: keys.map((key) => new Secret(key)) })
    return app.get(Identity)
  }
}

const clock = new FrozenClock('2026-01-01T00:00:00Z')

async function enroll(identity: Identity, name: string): Promise<{ id: string; secret: Secret }> {
  const email = `${name}@example.test`
  const id = await identity.users.add({ email, name, passwordHash: null }, clock)
  const factor = await identity.factors.add(id, 'App', clock)
  await identity.factors.enableUnproven(factor.id, clock)
  return { id, secret: factor.secret }
}

describe('the rotation of the factor key', () => {
  it('seals every secret with the first key, and the old key is not needed any more [RA-3201 RA-1102 RA-2708]', async (test) => {
    const open = await processes(test)
    const before = await open(OLD)
    const people = await Promise.all(Array.from({ length: 250 }, (_, n) => enroll(before, `p${n}`)))
    const both = await open(NEW, OLD)

    assert.deepEqual(await both.keys.status(), { current: 0, earlier: 250, unreadable: 0 })
    const rotated = await both.keys.rotate(OLGA, REASON)
    const again = await both.keys.rotate(OLGA, REASON)

    assert.deepEqual(rotated, { resealed: 250, current: 250, earlier: 0, unreadable: 0 })
    assert.equal(again.resealed, 0)
    const after = await open(NEW)
    for (const { id, secret } of people.slice(0, 3)) {
      const code = await generate({ secret: secret.reveal(), epoch: clock.timestamp() })
      const identity = await after.users.authenticationIdentity(id)
      assert.ok(identity !== null)
      assert.equal(await after.factors.verifyAndConsume(identity.principal, code), true)
    }
  })

  it('goes on where it was interrupted, beside a process that still seals with the old key [RA-3201]', async (test) => {
    const open = await processes(test)
    const running = await open(OLD, NEW)
    for (let n = 0; n < 120; n += 1) await enroll(running, `p${n}`)
    const interrupted = await open(NEW, OLD)
    const rotating = interrupted.keys.rotate(OLGA, REASON)
    const late = await Promise.all(Array.from({ length: 20 }, (_, n) => enroll(running, `late${n}`)))
    await rotating

    const { resealed, earlier, current } = await interrupted.keys.rotate(OLGA, REASON)

    assert.ok(resealed <= late.length)
    assert.deepEqual([earlier, current], [0, 140])
  })

  it('leaves alone what no key opens, and counts it [RA-3201]', async (test) => {
    const open = await processes(test)
    await enroll(await open(LOST), 'lost')
    await enroll(await open(OLD), 'old')
    const both = await open(NEW, OLD)

    const rotated = await both.keys.rotate(OLGA, REASON)

    assert.deepEqual(rotated, { resealed: 1, current: 1, earlier: 0, unreadable: 1 })
    const third = await open(NEW, LOST)
    assert.equal((await third.keys.rotate(OLGA, REASON)).resealed, 1)
  })
})
