import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Account } from '../../../core/accounts/account.ts'
import { PASSWORD_LIMIT } from '../../../core/limits/limits.ts'
import { accounts } from '../fixture.ts'

const ADA = {
  email: 'Ada@Example.test',
  name: 'Ada',
  passwordHash: 'hash 1',
  permissions: ['admin.access', 'shop.read'],
}

describe('Users', () => {
  it('tells principal and permissions as they are at each call, and of a disabled, deleted or unknown account null [AUTH-17 AUTH-18 AUTH-19]', async (test) => {
    const { users, clock, database } = await accounts(test)
    const id = await users.add(ADA, clock)

    const identity = await users.authenticationIdentity(id)

    assert.ok(identity?.principal instanceof Account)
    const { name, email } = ADA
    assert.deepEqual({ ...identity.principal }, { id, name, email, language: 'en' })
    assert.deepEqual([...identity.permissions].sort(), ADA.permissions)
    await database.deleteFrom('account_permission').where('permission', '=', 'admin.access').execute()
    await database.updateTable('account').set({ name: 'Ada L.' }).execute()
    const later = await users.authenticationIdentity(id)
    assert.deepEqual([later?.principal.name, later?.permissions], ['Ada L.', ['shop.read']])
    await database.updateTable('account').set({ state: 'disabled' }).execute()
    assert.equal(await users.authenticationIdentity(id), null)
    await database.deleteFrom('account').execute()
    assert.equal(await users.authenticationIdentity(id), null)
  })

  // Each pair is one address to `toLowerCase()`, to `toUpperCase()`, to the eye or to a normal form.
  const lookalikes: readonly (readonly [one: string, other: string])[] = [
    ['kim@example.test', '\u212Aim@example.test'],
    ['mike@example.test', 'm\u0131ke@example.test'],
    ['sam@example.test', '\u017Fam@example.test'],
    ['\u00E4da@example.test', '\u00C4da@example.test'],
    ['ren\u00E9@example.test', 'rene\u0301@example.test'],
    ['ada@example.test', '\uFF41da@example.test'],
  ]
  it('treats addresses that only look or fold alike as two, like the database [HOLD-37]', async (test) => {
    for (const [one, other] of lookalikes) {
      const { users, clock } = await accounts(test)
      const ids = [
        await users.add({ ...ADA, email: one }, clock),
        await users.add({ ...ADA, email: other }, clock),
      ]

      assert.deepEqual([(await users.findByEmail(one))?.id, (await users.findByEmail(other))?.id], ids)
      assert.notDeepEqual(PASSWORD_LIMIT.ofAddress(one), PASSWORD_LIMIT.ofAddress(other))
    }
  })

  it('finds an account by its address in any letter case, and by every spelling of its domain [LOGIN-02]', async (test) => {
    const { users, clock } = await accounts(test)
    const id = await users.add({ ...ADA, email: 'ada@b\u00FCcher.example' }, clock)

    for (const email of [
      'ADA@B\u00DCCHER.example',
      'ada@xn--bcher-kva.Example',
      'ada@bu\u0308cher.example',
    ]) {
      assert.equal((await users.findByEmail(` ${email}`))?.id, id, email)
      await assert.rejects(users.add({ ...ADA, email }, clock))
    }
  })

  it('replaces the hash only if it is still the expected one [LOGIN-06]', async (test) => {
    const { users, clock } = await accounts(test)
    const id = await users.add(ADA, clock)

    const results = [
      await users.replacePasswordHash(id, { expected: 'another', replacement: 'hash 2' }),
      await users.replacePasswordHash('nobody', { expected: 'hash 1', replacement: 'hash 2' }),
      await users.replacePasswordHash(id, { expected: 'hash 1', replacement: 'hash 2' }),
      await users.replacePasswordHash(id, { expected: 'hash 1', replacement: 'hash 3' }),
    ]

    assert.deepEqual(results, [false, false, true, false])
    assert.equal((await users.findByEmail(ADA.email))?.passwordHash, 'hash 2')
  })
})
