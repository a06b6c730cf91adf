import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { PASSWORD_ARGON2ID, PasswordHasher } from 'sallyport/auth'
import { preparedPassword, PreparedPasswords } from 'sallyport-app/passwords'

const CHEAP = { memoryCost: 64, timeCost: 1, parallelism: 1 }

const COMPOSED = 'Ångström über Zürich'.normalize('NFC')
const DECOMPOSED = COMPOSED.normalize('NFD')
const NO_BREAK = COMPOSED.replaceAll(' ', '\u00A0')
const SPELLINGS = [COMPOSED, DECOMPOSED, NO_BREAK]

describe('PreparedPasswords', () => {
  const plain = new PasswordHasher(PASSWORD_ARGON2ID, CHEAP)
  const hasher = new PreparedPasswords(plain)

  for (const [index, set] of SPELLINGS.entries())
    it(`a password set in spelling ${index + 1} is verified in all of them [RA-0101]`, async () => {
      const hash = await hasher.hash(set)

      for (const typed of SPELLINGS) assert.equal(await hasher.verify(typed, hash), true)
      assert.equal(await hasher.verify(COMPOSED.replace('ü', 'u'), hash), false)
      assert.equal(await hasher.verify(COMPOSED.toLowerCase(), hash), false)
    })

  it('changes neither case nor width nor anything that NFC keeps [RA-0101]', () => {
    for (const kept of ['Aa', 'Ａ', '①', 'ﬁ', ' two  spaces ', '\u0000', '🔑', '\uD800'])
      assert.equal(preparedPassword(kept), kept)
  })

  it('asks the policy of its hasher', async () => {
    const other = new PreparedPasswords(new PasswordHasher(PASSWORD_ARGON2ID, { ...CHEAP, timeCost: 2 }))
    const hash = await hasher.hash(COMPOSED)

    assert.deepEqual([hasher.needsRehash(hash), other.needsRehash(hash)], [false, true])
  })
})
