import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { generate } from 'otplib/functional'
import type { Account } from '../../../core/accounts/account.ts'
import { ENROLLMENT_SECONDS, MAX_SETUPS, UnverifiedTotp } from '../../../core/factors/unverified-totp.ts'
import { type Accounts, accounts } from '../fixture.ts'

interface Showing extends Accounts {
  readonly account: Account
  readonly unverified: UnverifiedTotp
  /** The secret that is shown for an identifier. */
  readonly secretOf: (id: string) => Promise<string>
}

async function showing(test: TestContext): Promise<Showing> {
  const services = await accounts(test)
  const { app, database, users, clock } = services
  const id = await users.add({ email: 'ada@example.test', name: 'Ada', passwordHash: null }, clock)
  const identity = await users.authenticationIdentity(id)
  assert.ok(identity !== null)
  const account = identity.principal
  const unverified = app.get(UnverifiedTotp)
  const secretOf = async (factorId: string): Promise<string> =>
    (await unverified.show(database, account, { id: factorId, label: 'App' })).secret.reveal()
  return { ...services, account, unverified, secretOf }
}

describe('UnverifiedTotp', () => {
  it('shows a secret to the one session that keeps its identifier, and never to another [RA-1104]', async (test) => {
    const { secretOf } = await showing(test)
    const mine = await secretOf('mine')

    assert.equal(await secretOf('mine'), mine)
    assert.notEqual(await secretOf('other'), mine)
    assert.equal(await secretOf('mine'), mine)
  })

  it('keeps the newest secrets of an account, and says of the others that they are gone [RA-1104]', async (test) => {
    const { database, clock, account, unverified, secretOf } = await showing(test)
    const ids = Array.from({ length: MAX_SETUPS + 2 }, (_, index) => `browser-${index}`)
    const shown = new Map<string, string>()
    for (const id of ids) {
      shown.set(id, await secretOf(id))
      clock.advance(1)
    }

    const outcomes = []
    for (const [id, secret] of shown) {
      const token = await generate({ secret, epoch: clock.timestamp() })
      outcomes.push((await unverified.match(account, id, token)) === 'gone')
    }

    assert.deepEqual(
      outcomes,
      ids.map((_, index) => index < 2),
    )
    assert.equal((await database.selectFrom('factor').select('id').execute()).length, MAX_SETUPS)
  })

  it('proves a secret with the identifier and the account that it was shown for [RA-1104]', async (test) => {
    const { database, users, clock, account, unverified, secretOf } = await showing(test)
    const token = await generate({ secret: await secretOf('mine'), epoch: clock.timestamp() })
    const otherId = await users.add({ email: 'bob@example.test', name: 'Bob', passwordHash: null }, clock)
    const other = { ...account, id: otherId }

    assert.equal(await unverified.match(account, 'other', token), 'gone')
    assert.equal(await unverified.match(other, 'mine', token), 'gone')
    const proof = await unverified.match(account, 'mine', token)
    assert.ok(proof !== null && proof !== 'gone')
    assert.equal(await unverified.enable(database, otherId, proof), false)
    assert.deepEqual(
      [
        await unverified.enable(database, account.id, proof),
        await unverified.enable(database, account.id, proof),
      ],
      [true, false],
    )
  })

  for (const seconds of [ENROLLMENT_SECONDS, -1])
    it(`forgets a secret after ${seconds} seconds [RA-1104 RA-2708]`, async (test) => {
      const { clock, account, unverified, secretOf } = await showing(test)
      const first = await secretOf('mine')

      clock.advance(seconds)

      const token = await generate({ secret: first, epoch: clock.timestamp() })
      assert.equal(await unverified.match(account, 'mine', token), 'gone')
      assert.notEqual(await secretOf('mine'), first)
    })

  it('keeps a secret until its last second [RA-1104]', async (test) => {
    const { clock, account, unverified, secretOf } = await showing(test)
    const secret = await secretOf('mine')

    clock.advance(ENROLLMENT_SECONDS - 1)

    const token = await generate({ secret, epoch: clock.timestamp() })
    assert.equal(typeof (await unverified.match(account, 'mine', token)), 'object')
  })
})
