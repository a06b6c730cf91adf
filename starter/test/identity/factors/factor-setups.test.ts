import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { generate } from 'otplib/functional'
import type { Account } from '../../../core/accounts/account.ts'
import { FactorSetups } from '../../../core/factors/factor-setups.ts'
import { MAX_SETUPS, ShownSecrets } from '../../../core/factors/shown-secrets.ts'
import { ENROLLMENT_SECONDS } from '../../../core/limits/limits.ts'
import { type Accounts, accounts } from '../fixture.ts'

// 20 bytes and their Base32, computed by hand: 160 bits in 32 characters.
const BYTES = Uint8Array.from({ length: 20 }, (_, index) => index)
const BASE32 = 'AAAQEAYEAUDAOCAJBIFQYDIOB4IBCEQT'

interface Showing extends Accounts {
  readonly account: Account
  /** The secret that is shown for an identifier. */
  readonly secretOf: (id: string) => Promise<string | undefined>
  /** What became of its present code. */
  readonly prove: (id: string, secret: string | undefined, of?: Account) => Promise<unknown>
}

async function showing(test: TestContext): Promise<Showing> {
  const services = await accounts(test)
  const { app, users, clock } = services
  const id = await users.add({ email: 'ada@example.test', name: 'Ada', passwordHash: null }, clock)
  const identity = await users.authenticationIdentity(id)
  assert.ok(identity !== null)
  const account = identity.principal
  const shown = app.get(ShownSecrets)
  const setups = app.get(FactorSetups)
  const client = { clientAddress: '', device: '' }
  return {
    ...services,
    account,
    secretOf: async (factorId) => (await shown.show(account, factorId))?.secret.reveal(),
    prove: async (factorId, secret, of = account) => {
      const code = await generate({ secret: secret ?? '', epoch: clock.timestamp() })
      const by = { accountId: of.id, credentialVersion: 1, ...client }
      const added = await setups.prove({ factorId, label: 'App', code, ...by })
      return typeof added === 'object' ? added.kind : added
    },
  }
}

describe('FactorSetups', () => {
  it('makes a secret of 160 bits, every one from the generator of the system, and stores it sealed [RA-1102 FACTOR-35 FACTOR-36]', async (test) => {
    const { database, secretOf } = await showing(test)
    test.mock.method(globalThis.crypto, 'getRandomValues', (array: Uint8Array) => {
      array.set(BYTES.subarray(0, array.length))
      return array
    })

    assert.equal(await secretOf('mine'), BASE32)
    const stored = JSON.stringify(await database.selectFrom('factor').selectAll().execute())
    assert.match(stored, /"v1\.[0-9a-f]{8}\./)
    assert.equal(stored.includes(BASE32), false)
  })

  it('shows a secret to the one session that keeps its identifier, until its last second [RA-1104]', async (test) => {
    const { clock, secretOf } = await showing(test)
    const mine = await secretOf('mine')

    assert.notEqual(await secretOf('other'), mine)
    clock.advance(ENROLLMENT_SECONDS - 1)
    assert.equal(await secretOf('mine'), mine)
  })

  it('keeps the newest secrets of an account [RA-1104]', async (test) => {
    const { database, clock, secretOf, prove } = await showing(test)
    const first = await secretOf('browser 0')
    for (let other = 1; other < MAX_SETUPS + 2; other += 1) {
      clock.advance(1)
      await secretOf(`browser ${other}`)
    }

    assert.equal(await prove('browser 0', first), 'outdated')
    assert.equal((await database.selectFrom('factor').select('id').execute()).length, MAX_SETUPS)
  })

  it('proves a secret once, with the identifier and the account that it was shown for [RA-1104]', async (test) => {
    const { users, clock, account, secretOf, prove } = await showing(test)
    const secret = await secretOf('mine')
    const bob = await users.add({ email: 'bob@example.test', name: 'Bob', passwordHash: null }, clock)

    assert.equal(await prove('other', secret), 'outdated')
    assert.equal(await prove('mine', secret, { ...account, id: bob }), 'outdated')
    const twice = await Promise.all([prove('mine', secret), prove('mine', secret)])
    assert.deepEqual(twice.toSorted(), ['outdated', 'totp'])
    assert.equal(await secretOf('mine'), undefined)
  })

  for (const seconds of [ENROLLMENT_SECONDS, -1])
    it(`forgets a secret after ${seconds} seconds [RA-1104 RA-2708]`, async (test) => {
      const { clock, secretOf, prove } = await showing(test)
      const first = await secretOf('mine')

      clock.advance(seconds)

      assert.equal(await prove('mine', first), 'outdated')
      assert.notEqual(await secretOf('mine'), first)
    })
})
