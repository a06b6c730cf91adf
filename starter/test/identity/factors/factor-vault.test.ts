import assert from 'node:assert/strict'
import { inspect } from 'node:util'
import { describe, it, type TestContext } from 'node:test'
import { Secret } from 'sallyport'
import { FactorVault } from '../../../core/factors/factor-vault.ts'
import { accounts } from '../fixture.ts'

const OLD = new Secret('11'.repeat(32))
const NEW = new Secret(Buffer.alloc(32, 2).toString('base64url'))
const SECRET = new Secret('JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP')

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

describe('FactorVault', () => {
  it('opens what it sealed, each time differently, for its account only [FACTOR-35]', () => {
    const vault = new FactorVault([OLD])
    const sealed = vault.seal('u1', SECRET)
    const [format, key, payload = ''] = sealed.split('.')
    const bytes = Buffer.from(payload, 'base64url')
    bytes[30] = (bytes[30] ?? 0) ^ 1

    assert.equal(vault.open('u1', sealed).reveal(), SECRET.reveal())
    assert.equal(sealed.includes(SECRET.reveal()), false)
    assert.notEqual(vault.seal('u1', SECRET), sealed)
    assert.throws(() => vault.open('u2', sealed))
    const changed = [format, key, bytes.toString('base64url')].join('.')
    for (const text of [changed, '', 'JBSWY3DPEHPK3PXP', 'v2.00000000.AAAA', 'v1.00000000'])
      assert.throws(() => vault.open('u1', text), Error, text)
  })

  it('names the key, opens what an older one sealed, and seals with the first one [RA-2708 RA-1102]', () => {
    const old = new FactorVault([OLD])
    const sealed = old.seal('u1', SECRET)
    const both = new FactorVault([NEW, OLD])

    const resealed = both.seal('u1', both.open('u1', sealed))

    assert.equal(sealed.split('.')[1], old.currentKey)
    assert.notEqual(both.currentKey, old.currentKey)
    assert.deepEqual([both.isCurrent(sealed), both.isCurrent(resealed)], [false, true])
    assert.equal(new FactorVault([NEW]).open('u1', resealed).reveal(), SECRET.reveal())
    assert.equal(old.tryToOpen('u1', resealed), undefined)
    assert.throws(
      () => old.open('u1', resealed),
      ({ cause }: Error) => /key "[0-9a-f]{8}" is not configured/.test(String(cause)),
    )
  })

  it('refuses a key that is not 32 bytes, and an empty list, without showing the key', () => {
    for (const text of ['', 'short', '11'.repeat(31), '11'.repeat(33), `${'1'.repeat(63)}g`, 'ä'.repeat(32)])
      assert.throws(
        () => new FactorVault([new Secret(text)]),
        (error: unknown) => error instanceof TypeError && (text === '' || !inspect(error).includes(text)),
      )
    assert.throws(() => new FactorVault([]), TypeError)
  })
})

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
