import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createLinkToken, linkDigest } from '../../../identity/mail/link-tokens.ts'

describe('createLinkToken()', () => {
  it('RA-0103, RA-1602: gives 256 random bits, of which only a digest is stored', () => {
    const made = Array.from({ length: 1000 }, () => createLinkToken('password-reset'))

    assert.equal(new Set(made.map(({ token }) => token)).size, made.length)
    for (const { token, digest } of made) {
      assert.equal(Buffer.from(token, 'base64url').length, 32)
      assert.equal(digest, linkDigest('password-reset', token))
      assert.equal(digest.includes(token), false)
    }
  })

  it('RA-2706: the token of one kind of link is useless for every other kind', () => {
    const { token, digest } = createLinkToken('confirmation')

    for (const purpose of ['set-up', 'password-reset', 'enrollment', 'objection'] as const)
      assert.notEqual(linkDigest(purpose, token), digest)
  })
})
