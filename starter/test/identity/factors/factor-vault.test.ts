import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { accounts } from '../fixture.ts'

// 20 bytes and their Base32, computed by hand: 160 bits in 32 characters.
const BYTES = Uint8Array.from({ length: 20 }, (_, index) => index)
const BASE32 = 'AAAQEAYEAUDAOCAJBIFQYDIOB4IBCEQT'

/** Lets the generator of the system return known bytes. */
function knownBytes(test: TestContext): void {
  test.mock.method(globalThis.crypto, 'getRandomValues', (array: Uint8Array) => {
    array.set(BYTES.subarray(0, array.length))
    return array
  })
}

describe('the secret of an authenticator', () => {
  it('has 160 bits, every one from the generator of the system [RA-1102]', async (test) => {
    const { factors, clock, users } = await accounts(test)
    const id = await users.add({ email: 'ada@example.test', name: 'Ada', passwordHash: null }, clock)
    knownBytes(test)

    const { secret } = await factors.add(id, 'Phone', clock)

    assert.equal(secret.reveal(), BASE32)
  })

  it('is another one each time, and no database row and no JSON shows it [RA-1102 FACTOR-35 FACTOR-36]', async (test) => {
    const { database, factors, clock, users } = await accounts(test)
    const id = await users.add({ email: 'ada@example.test', name: 'Ada', passwordHash: null }, clock)

    const secrets = await Promise.all(
      Array.from({ length: 20 }, async () => (await factors.add(id, 'Phone', clock)).secret),
    )

    assert.equal(new Set(secrets.map((secret) => secret.reveal())).size, 20)
    const stored = JSON.stringify(await database.selectFrom('factor').selectAll().execute())
    assert.match(stored, /"v1\.[0-9a-f]{8}\./)
    for (const secret of secrets) {
      assert.match(secret.reveal(), /^[A-Z2-7]{32}$/)
      assert.equal(stored.includes(secret.reveal()), false)
      assert.equal(JSON.stringify({ secret }).includes(secret.reveal()), false)
    }
  })
})
