import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { CredentialVersions } from '../../../core/accounts/credential-version.ts'
import { Challenges } from '../../../core/challenges/challenges.ts'
import { accounts } from '../fixture.ts'

const NOBODY = { email: 'ada@example.test', name: 'Ada', passwordHash: null }

describe('Challenges', () => {
  it('allows five attempts and no more, even at the same time [FACTOR-17]', async (test) => {
    const { app, clock, users } = await accounts(test)
    const id = await users.add(NOBODY, clock)
    const challenges = app.get(Challenges)

    const left = await Promise.all(Array.from({ length: 50 }, () => challenges.reserve('c1', id)))

    assert.deepEqual(
      left.filter((tries) => tries !== undefined),
      [4, 3, 2, 1, 0],
    )
    assert.equal(await challenges.reserve('c1', id), undefined)
    assert.equal(await challenges.reserve('c2', id), 4)
  })

  it('allows no attempt for a challenge that has ended [A-121]', async (test) => {
    const { app, database, clock, users } = await accounts(test)
    const id = await users.add(NOBODY, clock)
    const challenges = app.get(Challenges)
    await challenges.reserve('c1', id)
    await database.updateTable('challenge').set({ ended_at: clock.timestamp() }).execute()

    assert.equal(await challenges.hasEnded('c1'), true)
    assert.equal(await challenges.reserve('c1', id), undefined)
    assert.equal(await challenges.reserve('c2', id), 4)
    assert.equal(await challenges.hasEnded('c2'), false)
  })

  it('of a change of the credentials and its cancelling one happens, and each tells it [RA-1104]', async (test) => {
    const { app, database, clock, users } = await accounts(test)
    const id = await users.add(NOBODY, clock)
    const challenges = app.get(Challenges)
    const change = (mark: string) =>
      database.transaction().execute((transaction) =>
        app.get(CredentialVersions).advance(transaction, id, {
          credentialVersion: 1,
          mark,
          stands: (asked) => challenges.isOpen(mark, asked),
        }),
      )
    await challenges.open('cancelled', id)
    await challenges.open('changed', id)

    assert.deepEqual(await Promise.all([challenges.cancel('cancelled', 1), change('cancelled')]), [
      true,
      undefined,
    ])
    assert.equal(await challenges.cancel('cancelled', 1), false)
    assert.deepEqual(await Promise.all([change('changed'), challenges.cancel('changed', 1)]), [2, false])
    assert.deepEqual(
      [await challenges.isOpen('changed'), await challenges.isOpen('cancelled')],
      [true, false],
    )
    assert.equal(await challenges.cancel('unknown', 2), false)
  })

  for (const attempts of [0, 1, 5])
    it(`is given up after ${attempts} attempts, or completed, and never both [A-121]`, async (test) => {
      const { app, database, clock, users } = await accounts(test)
      const id = await users.add(NOBODY, clock)
      const challenges = app.get(Challenges)
      for (const name of ['c1', 'c2']) {
        if (attempts === 0) await challenges.open(name, id)
        for (let count = 0; count < attempts; count += 1) await challenges.reserve(name, id)
      }

      const given = [await challenges.giveUp('c1', id), await challenges.giveUp('c1', id)]
      await challenges.takeBack('c1')
      await database.transaction().execute(challenges.ending('c2'))

      assert.deepEqual(given, [true, false])
      assert.equal(await challenges.hasEnded('c1'), true)
      assert.equal(await database.transaction().execute(challenges.ending('c1')), false)
      assert.equal(await challenges.reserve('c1', id), undefined)
      assert.equal(await challenges.giveUp('c2', id), false)
      assert.equal(await challenges.hasEnded('c2'), true)
      assert.equal(await challenges.giveUp('c3', 'nobody'), false)
    })

  it('takes back an attempt whose code was not checked', async (test) => {
    const { app, clock, users } = await accounts(test)
    const id = await users.add(NOBODY, clock)
    const challenges = app.get(Challenges)
    await challenges.reserve('c1', id)

    await challenges.takeBack('c1')

    assert.equal(await challenges.reserve('c1', id), 4)
  })

  for (const ahead of [1, 3600, 365 * 24 * 3600]) {
    it(`attempts dated ${ahead} seconds ahead stay counted for their time, and are then removed [HOLD-50]`, async (test) => {
      const { app, database, clock, users } = await accounts(test)
      const id = await users.add(NOBODY, clock)
      const challenges = app.get(Challenges)
      clock.advance(ahead)
      for (let i = 0; i < 5; i++) await challenges.reserve('c1', id)
      clock.advance(-ahead)

      assert.equal(await challenges.reserve('c1', id), undefined)
      await challenges.sweep()
      clock.advance(3600)
      await challenges.reserve('c2', id)
      await challenges.sweep()

      const rows = await database.selectFrom('challenge').select('id').execute()
      assert.deepEqual(
        rows.map((row) => row.id),
        ['c2'],
      )
    })
  }

  it('keeps no row longer than it matters', async (test) => {
    const { app, database, clock, users } = await accounts(test)
    const id = await users.add(NOBODY, clock)
    const challenges = app.get(Challenges)
    await challenges.reserve('c1', id)
    clock.advance(3600)
    await challenges.reserve('c2', id)

    await challenges.sweep()

    const rows = await database.selectFrom('challenge').select('id').execute()
    assert.deepEqual(
      rows.map((row) => row.id),
      ['c2'],
    )
  })
})
