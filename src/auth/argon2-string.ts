/**
 * Argon2 in PHC strings, by a function that derives only the digest:
 *
 *     $argon2id$v=19$m=19456,t=2,p=1$<salt>$<digest>
 *
 * Salt and digest are base64 without padding.
 *
 * @module
 */
import * as crypto from 'node:crypto'
import { isEqualConstantTime, randomBytes, sentence } from '../core/internal.ts'
import { argon2Options, type HashFunction, type HashImplementation } from './hash-function.ts'
import { describeHash } from './password-policy.ts'

/** What a digest is derived from. */
interface Derivation {
  readonly kind: 'argon2id' | 'argon2i' | 'argon2d'
  readonly password: string
  readonly salt: Uint8Array
  readonly digestBytes: number
  readonly memoryCost: number
  readonly timeCost: number
  readonly parallelism: number
}

type Derive = (derivation: Derivation) => Promise<Uint8Array>

const SALT_BYTES = 16
const DIGEST_BYTES = 32
// What the native code takes of a stored hash.
const SALT_RANGE = [8, 48] as const
const DIGEST_RANGE = [10, 64] as const
// How long a script computes before others have their turn.
const TURN_MILLISECONDS = 10

/**
 * @returns Argon2 of `node:crypto`, on the threads of the pool: Node from 24.7, Bun.
 * @throws {TypeError} Rejects where the platform has none.
 */
export async function loadPlatformArgon2(): Promise<HashFunction> {
  const { argon2 } = crypto
  // The declarations are those of the newest platform.
  if (typeof argon2 !== 'function') throw new TypeError(sentence`Cannot find argon2 in node:crypto`)
  return writing('platform', ({ kind, password, salt, digestBytes, memoryCost, timeCost, parallelism }) => {
    const { promise, resolve, reject } = Promise.withResolvers<Uint8Array>()
    const costs = { memory: memoryCost, passes: timeCost, parallelism, tagLength: digestBytes }
    argon2(kind, { message: password, nonce: salt, ...costs }, (error, digest) => {
      if (error === null) resolve(digest)
      else reject(error)
    })
    return promise
  })
}

/** @returns Argon2 of `@noble/hashes`, on the thread of the application. */
export async function loadScriptArgon2(): Promise<HashFunction> {
  const { argon2dAsync, argon2iAsync, argon2idAsync } = await import('@noble/hashes/argon2.js')
  const functions = { argon2d: argon2dAsync, argon2i: argon2iAsync, argon2id: argon2idAsync }
  return writing('script', ({ kind, password, salt, digestBytes, memoryCost, timeCost, parallelism }) => {
    const costs = { m: memoryCost, t: timeCost, p: parallelism }
    return functions[kind](password, salt, { ...costs, dkLen: digestBytes, asyncTick: TURN_MILLISECONDS })
  })
}

function writing(implementation: HashImplementation, derive: Derive): HashFunction {
  return {
    implementation,
    async hash(password, parameters) {
      const options = argon2Options(parameters)
      const salt = randomBytes(SALT_BYTES)
      const digest = await derive({ kind: 'argon2id', password, salt, digestBytes: DIGEST_BYTES, ...options })
      const { memoryCost, timeCost, parallelism } = options
      const costs = `m=${memoryCost},t=${timeCost},p=${parallelism}`
      return `$argon2id$v=19$${costs}$${encode(salt)}$${encode(digest)}`
    },
    async verify(password, hash) {
      const description = describeHash(hash)
      const [salt = '', digest = ''] = hash.split('$').slice(-2)
      if (description === undefined || description.kind === 'bcrypt')
        throw new TypeError(sentence`Cannot read the hash: it is none of argon2`)
      const expected = decode(digest, DIGEST_RANGE)
      const given = await derive({
        kind: description.kind,
        password,
        salt: decode(salt, SALT_RANGE),
        digestBytes: expected.length,
        ...argon2Options(description.parameters),
      })
      return isEqualConstantTime(encode(given), encode(expected))
    },
  }
}

function encode(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64').replace(/=+$/, '')
}

// Decoding drops what is no base64: only what is written in the same way again was well formed.
function decode(text: string, [least, most]: readonly [number, number]): Uint8Array {
  const bytes = Buffer.from(text, 'base64')
  if (encode(bytes) !== text || bytes.length < least || bytes.length > most)
    throw new RangeError(sentence`Cannot decode salt or digest of the hash`)
  return bytes
}
