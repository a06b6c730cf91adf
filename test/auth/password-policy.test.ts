import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import {
  argon2id,
  bcrypt as nameBcrypt,
  PASSWORD_ARGON2ID,
  PASSWORD_BCRYPT,
  type PasswordAlgorithm,
  PasswordHasher,
  type PasswordOptions,
} from '../../src/auth/index.ts'

const CHEAP_ARGON2 = { memoryCost: 64, timeCost: 1, parallelism: 1 } as const
const bcrypt = new PasswordHasher(PASSWORD_BCRYPT, { cost: 4 })
const PASSWORD = 'correct horse'

describe('an invalid policy', () => {
  for (const [what, algorithm, options, type] of [
    ['an unknown algorithm', 'md5', {}, TypeError],
    ['an algorithm that objects have', 'constructor', {}, TypeError],
    ['a number for algorithm', 1, {}, TypeError],
    ['null for algorithm', null, {}, TypeError],
    ['an option of the other algorithm', PASSWORD_BCRYPT, { memoryCost: 64 }, TypeError],
    ['an unknown option', PASSWORD_BCRYPT, { rounds: 10 }, TypeError],
    ['a cost below 4', PASSWORD_BCRYPT, { cost: 3 }, RangeError],
    ['a cost above 20', PASSWORD_BCRYPT, { cost: 32 }, RangeError],
    ['a cost that is text', PASSWORD_BCRYPT, { cost: '10' }, RangeError],
    ['a cost that is not a whole number', PASSWORD_BCRYPT, { cost: 10.5 }, RangeError],
    ['a cost that is not a number', PASSWORD_BCRYPT, { cost: Number.NaN }, RangeError],
    ['a negative memory', PASSWORD_ARGON2ID, { memoryCost: -1 }, RangeError],
    ['4 TiB of memory', PASSWORD_ARGON2ID, { memoryCost: 4_294_967_295 }, RangeError],
    ['too little memory for its lanes', PASSWORD_ARGON2ID, { memoryCost: 8, parallelism: 2 }, RangeError],
    ['no pass', PASSWORD_ARGON2ID, { timeCost: 0 }, RangeError],
    ['no lane', PASSWORD_ARGON2ID, { parallelism: 0 }, RangeError],
    ['endless passes', PASSWORD_ARGON2ID, { timeCost: Number.POSITIVE_INFINITY }, RangeError],
  ] as const) {
    it(`${what} is accepted at construction; the delegate’s own error surfaces unwrapped on use [HASH-15 HASH-16]`, async () => {
      const hasher = new PasswordHasher(
        algorithm as unknown as PasswordAlgorithm,
        options as unknown as PasswordOptions,
      )
      const isOwn = (error: unknown): boolean =>
        error instanceof type &&
        error.constructor === type &&
        error.cause === undefined &&
        !('status' in error)

      await assert.rejects(hasher.hash(PASSWORD), isOwn)
      await assert.rejects(hasher.verify(PASSWORD, null), isOwn)
      assert.throws(() => hasher.needsRehash(''), isOwn)
    })
  }

  it('is named with what was given, and with nothing else [HOLD-23]', () => {
    assert.deepEqual(
      [nameBcrypt(), nameBcrypt(5), argon2id(), argon2id({ timeCost: 2 })],
      [
        { algorithm: PASSWORD_BCRYPT, options: {} },
        { algorithm: PASSWORD_BCRYPT, options: { cost: 5 } },
        { algorithm: PASSWORD_ARGON2ID, options: {} },
        { algorithm: PASSWORD_ARGON2ID, options: { timeCost: 2 } },
      ],
    )
  })

  it('is refused at once where an older one is named, and on use where it is a plain object [HOLD-23]', async () => {
    assert.throws(() => nameBcrypt(21), RangeError)
    assert.throws(() => argon2id({ memoryCost: 7 }), RangeError)
    assert.throws(() => argon2id({ cost: 4 } as PasswordOptions), TypeError)
    const byHand = { algorithm: 'md5' as PasswordAlgorithm, options: {} }
    const hasher = new PasswordHasher(PASSWORD_BCRYPT, { cost: 4 }, { accepts: [byHand] })

    await assert.rejects(hasher.verify(PASSWORD, null), TypeError)
  })

  it('the bounds of each range are valid [HASH-15]', () => {
    for (const options of [
      { memoryCost: 16, parallelism: 2 },
      { memoryCost: 8, timeCost: 1, parallelism: 1 },
      { memoryCost: 1_048_576, timeCost: 64, parallelism: 64 },
    ])
      assert.equal(new PasswordHasher(PASSWORD_ARGON2ID, options).needsRehash(''), true)
    for (const cost of [4, 20])
      assert.equal(new PasswordHasher(PASSWORD_BCRYPT, { cost }).needsRehash(''), true)
  })

  it('a valid hash is still verified: its policy comes from itself [HASH-14]', async () => {
    const hash = await bcrypt.hash(PASSWORD)

    assert.equal(await new PasswordHasher('md5' as PasswordAlgorithm).verify(PASSWORD, hash), true)
  })

  it('an option left undefined takes its default [HASH-07]', async () => {
    const hasher = new PasswordHasher(PASSWORD_ARGON2ID, {
      ...CHEAP_ARGON2,
      parallelism: undefined,
    } as unknown as PasswordOptions)

    assert.match(await hasher.hash(PASSWORD), /m=64,t=1,p=1/)
  })
})
