import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { randomIdentifier, randomBytes } from '../../src/core/internal.ts'

describe('randomIdentifier()', () => {
  it('returns 256 bits in 43 characters that are safe everywhere', () => {
    const identifier = randomIdentifier()

    assert.match(identifier, /^[A-Za-z0-9_-]{43}$/)
    assert.equal(Buffer.from(identifier, 'base64url').byteLength, 32)
  })

  it('returns each one once, even across refills of its pool', () => {
    const identifiers = Array.from({ length: 10_000 }, randomIdentifier)

    assert.equal(new Set(identifiers).size, identifiers.length)
  })

  it('uses every bit', () => {
    const ones = new Array<number>(256).fill(0)
    for (let round = 0; round < 500; round++) {
      const octets = Buffer.from(randomIdentifier(), 'base64url')
      for (let bit = 0; bit < 256; bit++)
        ones[bit] = (ones[bit] ?? 0) + (((octets[bit >> 3] ?? 0) >> (bit & 7)) & 1)
    }

    // 500 tosses of a coin: 140 to 360 heads leave nine deviations of room.
    assert.ok(ones.every((count) => count > 140 && count < 360))
  })
})

describe('randomBytes()', () => {
  it('returns separate buffers: writing to one changes no other', () => {
    const first = randomBytes(16)
    const second = randomBytes(16)
    const before = second.toString('hex')

    first.fill(0)

    assert.equal(second.toString('hex'), before)
  })

  it('returns more than is left in the pool', () => {
    for (let i = 0; i < 20; i++) assert.equal(randomBytes(1000).byteLength, 1000)
  })
})
