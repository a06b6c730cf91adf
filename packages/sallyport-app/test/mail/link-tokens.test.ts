import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createLinkToken, linkDigest } from 'sallyport-app/mail'

describe('createLinkToken()', () => {
  it('gives 256 random bits, of which only a digest is stored [RA-0103 RA-1602]', () => {
    const made = Array.from({ length: 1000 }, () => createLinkToken('password-reset'))

    assert.equal(new Set(made.map(({ token }) => token)).size, made.length)
    for (const { token, digest } of made) {
      assert.equal(Buffer.from(token, 'base64url').length, 32)
      assert.equal(digest, linkDigest('password-reset', token))
      assert.equal(digest.includes(token), false)
    }
  })

  it('the token of one kind of link is useless for every other kind [RA-2706]', () => {
    const { token, digest } = createLinkToken('confirmation')

    for (const purpose of ['password-reset', 'enrollment'])
      assert.notEqual(linkDigest(purpose, token), digest)
  })
})
