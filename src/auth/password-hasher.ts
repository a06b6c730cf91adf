import { hash as argon2Hash, verify as argon2Verify } from '@node-rs/argon2'
import { hash as bcryptHash, verify as bcryptVerify } from '@node-rs/bcrypt'
import { type HashLimits, HashQueue } from './hash-queue.ts'
import {
  describeHash,
  isSamePolicy,
  PASSWORD_BCRYPT,
  PASSWORD_DEFAULT,
  type PasswordAlgorithm,
  type PasswordOptions,
  type PasswordParameters,
  resolveParameters,
} from './password-policy.ts'

const MAX_BYTES = 1024
// Bcrypt reads 72 bytes and no more; we refuse what it would cut.
const BCRYPT_MAX_BYTES = 72
// @node-rs/argon2 declares its algorithms as an ambient const enum, which cannot be imported: 2 is Argon2id.
const ARGON2ID = 2

/**
 * Hashes passwords under one policy and verifies them under the policy that made them. At most a few hashes are
 * computed at once; when too many callers wait, the next one is refused with a 503.
 *
 * @see Clauses HASH-01 to HASH-17; OWASP Password Storage Cheat Sheet.
 */
export class PasswordHasher {
  readonly #algorithm: PasswordAlgorithm
  readonly #options: PasswordOptions
  readonly #queue: HashQueue

  /**
   * Nothing is checked here: a wrong policy fails on use.
   *
   * @param algorithm `PASSWORD_ARGON2ID` or `PASSWORD_BCRYPT`. Default: `PASSWORD_DEFAULT`, argon2id.
   * @param options `cost` for bcrypt; `memoryCost` (KiB), `timeCost`, `parallelism` for argon2id. Default: the
   * algorithm's own.
   * @param limits Hashes at once and callers waiting. Default: see {@link HashLimits}.
   */
  constructor(
    algorithm: PasswordAlgorithm = PASSWORD_DEFAULT,
    options: PasswordOptions = {},
    limits: HashLimits = {},
  ) {
    this.#algorithm = algorithm
    this.#options = { ...options }
    this.#queue = new HashQueue(limits)
  }

  /**
   * @param password The password, at most 1024 bytes of UTF-8.
   * @returns The hash: a PHC string for argon2id, a modular-crypt string for bcrypt.
   * @throws {TypeError} If the algorithm or an option is unknown, or the password is no string.
   * @throws {RangeError} If an option is out of range, or the password is too long: over 1024 bytes, with bcrypt over
   * 72 bytes or with a NUL in it.
   * @throws {ServiceUnavailableException} If too many hashes are wanted at the moment.
   */
  async hash(password: string): Promise<string> {
    const parameters = resolveParameters(this.#algorithm, this.#options)
    const refusal = refusalOf(password, parameters)
    if (refusal !== undefined) throw refusal
    return this.#queue.run(() => compute(password, parameters))
  }

  /**
   * Algorithm and parameters come from the hash, so hashes of an older policy still verify. A hash that cannot be
   * read costs as much as one that can.
   *
   * @param password The password that somebody typed.
   * @param hash The stored hash.
   * @returns Whether the hash was made from that password; false for an unreadable hash and for a password that could
   * not have been hashed.
   * @throws {TypeError} If the password is no string, or the policy is wrong.
   * @throws {RangeError} If the policy is wrong.
   * @throws {ServiceUnavailableException} If too many hashes are wanted at the moment.
   */
  async verify(password: string, hash: string): Promise<boolean> {
    const description = typeof hash === 'string' ? describeHash(hash) : undefined
    if (description === undefined || refusalOf(password, description.parameters) !== undefined) {
      return this.verifyNothing(password)
    }
    const verify =
      description.kind === 'bcrypt' ? () => bcryptVerify(password, hash) : () => argon2Verify(hash, password)
    return this.#queue.run(async () => {
      try {
        return await verify()
      } catch {
        // The native code cannot decode salt or digest: a hash of no password.
        return false
      }
    })
  }

  /**
   * Does the work of `verify()` for an account that does not exist, so that the time of the answer does not tell.
   *
   * @param password The password that somebody typed.
   * @returns False.
   * @throws {TypeError} If the password is no string, or the policy is wrong.
   * @throws {RangeError} If the policy is wrong.
   * @throws {ServiceUnavailableException} If too many hashes are wanted at the moment.
   */
  async verifyNothing(password: string): Promise<boolean> {
    assertText(password)
    if (isTooLong(password)) return false
    const parameters = resolveParameters(this.#algorithm, this.#options)
    await this.#queue.run(() => compute(password, parameters))
    return false
  }

  /**
   * @param hash A stored hash.
   * @returns Whether its algorithm or parameters differ from the policy; true for an unreadable one.
   * @throws {TypeError} If the policy is wrong.
   * @throws {RangeError} If the policy is wrong.
   */
  needsRehash(hash: string): boolean {
    const parameters = resolveParameters(this.#algorithm, this.#options)
    const description = describeHash(hash)
    return (
      description === undefined ||
      description.kind !== parameters.algorithm ||
      !isSamePolicy(parameters, description.parameters)
    )
  }
}

function compute(password: string, parameters: PasswordParameters): Promise<string> {
  if (parameters.algorithm === PASSWORD_BCRYPT) return bcryptHash(password, parameters.cost)
  const { memoryCost, timeCost, parallelism } = parameters
  return argon2Hash(password, { algorithm: ARGON2ID, memoryCost, timeCost, parallelism })
}

// Says what is wrong with a password, and nothing of the password.
function refusalOf(password: unknown, parameters: PasswordParameters): Error | undefined {
  const text = assertText(password)
  if (isTooLong(text)) return new RangeError(`Cannot hash a password over ${MAX_BYTES} bytes`)
  if (parameters.algorithm !== PASSWORD_BCRYPT) return undefined
  if (Buffer.byteLength(text) > BCRYPT_MAX_BYTES)
    return new RangeError(`Cannot hash a password over ${BCRYPT_MAX_BYTES} bytes with bcrypt`)
  if (text.includes('\0')) return new RangeError('Cannot hash a password with a NUL in it with bcrypt')
  return undefined
}

// A text has no fewer bytes than characters, so the bytes of a very long one are never counted.
function isTooLong(password: string): boolean {
  return password.length > MAX_BYTES || Buffer.byteLength(password) > MAX_BYTES
}

function assertText(password: unknown): string {
  if (typeof password !== 'string') throw new TypeError('Cannot use a password that is no string')
  return password
}
