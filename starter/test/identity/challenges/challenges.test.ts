import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { CredentialVersions } from '../../../core/accounts/credential-version.ts'
import { Challenges } from '../../../core/challenges/challenges.ts'
import { accounts } from '../fixture.ts'

describe('Challenges', () => {
  it('allows no change of credentials that asks for it, once it has ended [RA-1104]', async (test) => {
    const { app, database, users, clock } = await accounts(test)
    const id = await users.add({ email: 'ada@example.test', name: 'Ada', passwordHash: null }, clock)
    const challenges = app.get(Challenges)
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
})
