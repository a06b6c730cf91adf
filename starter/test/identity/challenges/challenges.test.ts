import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { CredentialVersions } from '../../../core/accounts/credential-version.ts'
import { Challenges } from '../../../core/challenges/challenges.ts'
import { type Accounts, accounts } from '../fixture.ts'

async function opened(
  test: TestContext,
): Promise<Accounts & { readonly id: string; readonly challenges: Challenges }> {
  const services = await accounts(test)
  const { app, users, clock } = services
  const id = await users.add({ email: 'ada@example.test', name: 'Ada', passwordHash: null }, clock)
  return { ...services, id, challenges: app.get(Challenges) }
}

describe('Challenges', () => {
  it('allows five attempts and no more, even at the same time [FACTOR-17]', async (test) => {
    const { id, challenges } = await opened(test)

    const left = await Promise.all(Array.from({ length: 50 }, () => challenges.reserve('c1', id)))

    assert.deepEqual(left.filter((tries) => tries !== undefined).toSorted(), [0, 1, 2, 3, 4])
    assert.equal(await challenges.reserve('c1', id), undefined)
    assert.equal(await challenges.reserve('c2', id), 4)
  })

  it('ends once, and allows no attempt then, whatever was tried before [A-121]', async (test) => {
    const { id, challenges } = await opened(test)
    await challenges.reserve('c1', id)
    await challenges.open('c2', id)

    const ends = await Promise.all([challenges.end('c1'), challenges.end('c1')])
    assert.deepEqual(ends.toSorted(), [false, true])
    assert.deepEqual([await challenges.end('c2'), await challenges.end('c2')], [true, false])
    assert.equal(await challenges.end('c3'), false)
    for (const name of ['c1', 'c2']) {
      assert.equal(await challenges.isOpen(name), false)
      assert.equal(await challenges.reserve(name, id), undefined)
    }
  })

  it('allows no change of credentials that asks for it, once it has ended [RA-1104]', async (test) => {
    const { app, database, id, challenges } = await opened(test)
    const change = (challenge: string, credentialVersion: number): Promise<number | undefined> =>
      database.transaction().execute((transaction) =>
        app.get(CredentialVersions).advance(transaction, id, {
          credentialVersion,
          mark: challenge,
          stands: (asked) => challenges.isOpen(challenge, asked),
        }),
      )
    for (const name of ['cancelled', 'open']) await challenges.open(name, id)
    await challenges.end('cancelled')

    assert.deepEqual([await change('cancelled', 1), await change('open', 1)], [undefined, 2])
  })

  for (const ahead of [0, 1, 365 * 24 * 3600])
    it(`attempts dated ${ahead} seconds ahead stay counted for an hour, and are then removed [HOLD-50]`, async (test) => {
      const { database, clock, id, challenges } = await opened(test)
      clock.advance(ahead)
      for (let i = 0; i < 5; i++) await challenges.reserve('c1', id)
      clock.advance(-ahead)

      assert.equal(await challenges.reserve('c1', id), undefined)
      await challenges.sweep()
      clock.advance(3600)
      await challenges.reserve('c2', id)
      await challenges.sweep()

      const rows = await database.selectFrom('challenge').select('id').execute()
      assert.deepEqual(rows, [{ id: 'c2' }])
    })
})
