import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { type Accounts, accounts } from '../fixture.ts'

async function ada(test: TestContext): Promise<Accounts & { readonly id: string }> {
  const services = await accounts(test)
  const { users, clock } = services
  const id = await users.add({ email: 'ada@example.test', name: 'Ada', passwordHash: null }, clock)
  return { ...services, id }
}

async function addApp({ factors, clock, id }: Accounts & { id: string }, label: string): Promise<string> {
  const added = await factors.add(id, label, clock)
  await factors.enableUnproven(added.id, clock)
  return added.id
}

async function addRecoveryCode({ database, id }: Accounts & { id: string }, prefix: string): Promise<void> {
  const row = { account_id: id, prefix, hash: 'hash', used_at: null }
  await database.insertInto('recovery_code').values(row).execute()
}

describe('SecondFactors.isRequired()', () => {
  it('counts an enabled factor, neither an unverified one nor recovery codes [FACTOR-24]', async (test) => {
    const world = await ada(test)
    const { secondFactors, factors, clock, id } = world
    await factors.add(id, 'Not verified', clock)
    await addRecoveryCode(world, 'AAAA')

    assert.equal(await secondFactors.isRequired(id), false)
    await addApp(world, 'Phone')
    assert.equal(await secondFactors.isRequired(id), true)
    assert.equal(await secondFactors.isRequired('nobody'), false)
  })
})

describe('SecondFactors.usable()', () => {
  it('lists enabled factors by their last use, and recovery codes below while one is left [RA-0301]', async (test) => {
    const world = await ada(test)
    const { database, secondFactors, clock, id } = world
    await addApp(world, 'Never used')
    const phone = await addApp(world, 'Phone')
    const tablet = await addApp(world, 'Tablet')
    const now = clock.timestamp()
    await database
      .updateTable('factor')
      .set({ used_at: now - 60 })
      .where('id', '=', phone)
      .execute()
    await database.updateTable('factor').set({ used_at: now }).where('id', '=', tablet).execute()
    await addRecoveryCode(world, 'AAAA')

    const list = await secondFactors.usable(id)
    await database.updateTable('recovery_code').set({ used_at: now }).execute()
    const later = await secondFactors.usable(id)

    assert.deepEqual(
      list.map(({ kind, label }) => [kind, label]),
      [
        ['totp', 'Tablet'],
        ['totp', 'Phone'],
        ['totp', 'Never used'],
        ['recovery', ''],
      ],
    )
    assert.equal(
      later.some(({ kind }) => kind === 'recovery'),
      false,
    )
  })
})
