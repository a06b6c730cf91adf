import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { TooManyRequestsException } from 'sallyport/http'

import { AttemptBudget } from '../../src/middleware/attempt-budget.ts'
import { HashedCredential, type PasswordVerifier } from '../../src/middleware/hashed-credential.ts'

const STORED = { username: 'ops', hash: '$hash of right' }

/** Verifies at once, or when it is told to, and remembers what it was asked. */
class Watched implements PasswordVerifier {
  readonly asked: (string | null)[] = []
  failure: Error | null = null

  async verify(password: string, hash: string | null): Promise<boolean> {
    this.asked.push(hash)
    await Promise.resolve()
    if (this.failure !== null) throw this.failure
    return hash === `$hash of ${password}`
  }
}

interface Setting {
  readonly verifier: Watched
  readonly ask: (username: string, password: string, client?: string) => Promise<boolean>
}

function setting(perClient = 100): Setting {
  const verifier = new Watched()
  const credential = new HashedCredential(
    STORED,
    verifier,
    new AttemptBudget({ perClient, inAll: 1000 }, () => 0),
  )
  return {
    verifier,
    ask: async (username, password, client = 'a') => credential.matches({ username, password, client }),
  }
}

describe('HashedCredential', () => {
  it('computes one hash for the right pair, and none after it [BASIC-06]', async () => {
    const { ask, verifier } = setting()

    for (let i = 0; i < 50; i++) assert.equal(await ask('ops', 'right', `client ${i}`), true)

    assert.equal(verifier.asked.length, 1)
  })

  it('a wrong name costs a hash like a wrong password, also when the right pair is remembered [BASIC-13 BASIC-14]', async () => {
    const { ask, verifier } = setting()
    for (const _ of [1, 2]) {
      verifier.asked.length = 0
      for (const [username, password] of [
        ['ops', 'wrong'],
        ['eve', 'right'],
        ['eve', 'wrong'],
        ['OPS', 'right'],
      ] as const)
        assert.equal(await ask(username, password), false)
      // Without a hash, a hasher spends what a wrong password costs: the answer does not say that the password is right.
      assert.deepEqual(verifier.asked, [STORED.hash, null, null, null])
      assert.equal(await ask('ops', 'right'), true)
    }
  })

  it('computes one hash for requests that come at once with the same pair', async () => {
    const { ask, verifier } = setting(1)

    assert.deepEqual(
      await Promise.all([ask('ops', 'right'), ask('ops', 'right', 'b'), ask('ops', 'right')]),
      [true, true, true],
    )
    assert.deepEqual(await Promise.all([ask('ops', 'wrong'), ask('ops', 'wrong')]), [false, false])
    assert.equal(verifier.asked.length, 2)
  })

  it('computes no hash over the limit, and lets the remembered pair pass all the same [BASIC-09]', async () => {
    const { ask, verifier } = setting(3)
    assert.equal(await ask('ops', 'right'), true)

    for (let i = 0; i < 3; i++) assert.equal(await ask('ops', `wrong ${i}`), false)
    const computed = verifier.asked.length
    for (const name of ['ops', 'eve'])
      await assert.rejects(
        ask(name, 'wrong again'),
        (error) => error instanceof TooManyRequestsException && error.headers['retry-after'] === '20',
      )

    assert.equal(await ask('ops', 'right'), true)
    assert.equal(await ask('ops', 'wrong', 'another client'), false)
    assert.equal(verifier.asked.length, computed + 1)
  })

  it('is not held up by a verifier that failed', async () => {
    const { ask, verifier } = setting()
    verifier.failure = new Error('busy')
    await assert.rejects(ask('ops', 'right'), /busy/)

    verifier.failure = null

    assert.equal(await ask('ops', 'right'), true)
  })
})
