import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { Secret } from 'sallyport'
import { FactorVault } from '../../../core/factors/factor-vault.ts'
import { accounts } from '../fixture.ts'

// 20 bytes and their Base32, computed by hand: 160 bits in 32 characters.
const BYTES = Uint8Array.from({ length: 20 }, (_, index) => index)
const BASE32 = 'AAAQEAYEAUDAOCAJBIFQYDIOB4IBCEQT'

/** Lets the generator of the system return known bytes, and counts how many were asked for. */
function knownBytes(test: TestContext): { asked: number } {
  const seen = { asked: 0 }
  test.mock.method(globalThis.crypto, 'getRandomValues', (array: Uint8Array) => {
    seen.asked += array.length
    array.set(BYTES.subarray(0, array.length))
    return array
  })
  return seen
}

describe('the secret of an authenticator', () => {
  it('has 160 bits, every one from the generator of the system [RA-1102]', async (test) => {
    const { factors, clock, users } = await accounts(test)
    const id = await users.add({ email: 'ada@example.test', name: 'Ada', passwordHash: null }, clock)
    const seen = knownBytes(test)

    const { secret } = await factors.add(id, 'Phone', clock)

    assert.equal(secret.reveal(), BASE32)
    assert.ok(seen.asked >= BYTES.length)
  })

  it('is another one each time, and no database row, log value or JSON shows it [RA-1102]', async (test) => {
    const { database, factors, clock, users } = await accounts(test)
    const id = await users.add({ email: 'ada@example.test', name: 'Ada', passwordHash: null }, clock)

    const secrets = await Promise.all(
      Array.from({ length: 20 }, async () => (await factors.add(id, 'Phone', clock)).secret),
    )

    assert.equal(new Set(secrets.map((secret) => secret.reveal())).size, 20)
    const stored = JSON.stringify(await database.selectFrom('factor').selectAll().execute())
    for (const secret of secrets) {
      assert.match(secret.reveal(), /^[A-Z2-7]{32}$/)
      assert.equal(stored.includes(secret.reveal()), false)
      assert.equal(JSON.stringify({ secret }).includes(secret.reveal()), false)
    }
  })

  it('is stored with the version of its key, for its account only, and each version opens what it sealed [RA-1102]', async (test) => {
    const { database, factors, clock, users } = await accounts(test)
    const id = await users.add({ email: 'ada@example.test', name: 'Ada', passwordHash: null }, clock)
    const { secret } = await factors.add(id, 'Phone', clock)
    const present = new Secret('5a'.repeat(32))
    const next = new Secret('6b'.repeat(32))
    const [row] = await database.selectFrom('factor').select('secret').execute()
    const sealed = row?.secret ?? ''
    const [format, version] = sealed.split('.')

    assert.deepEqual([format, version], ['v1', new FactorVault([present]).currentKey])
    assert.notEqual(new FactorVault([next]).currentKey, version)
    const both = new FactorVault([next, present])
    assert.equal(both.open(id, sealed).reveal(), secret.reveal())
    assert.equal(both.isCurrent(sealed), false)
    assert.equal(both.isCurrent(both.seal(id, both.open(id, sealed))), true)
    assert.throws(
      () => new FactorVault([next]).open(id, sealed),
      ({ cause }: Error) => /key "[0-9a-f]{8}" is not configured/.test(String(cause)),
    )
    assert.throws(() => both.open('another account', sealed))
  })
})
