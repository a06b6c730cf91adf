import { assertOptions, declarationError, ignoreFailure, publish, sentence, shown } from '../core/internal.ts'
import type { HashImplementation } from './hash-function.ts'
import { hashFunction } from './hash-loading.ts'
import { type HashLimits, HashQueue } from './hash-queue.ts'
import {
  describeHash,
  type HashDescription,
  isSamePolicy,
  PASSWORD_BCRYPT,
  PASSWORD_DEFAULT,
  type PasswordAlgorithm,
  type PasswordOptions,
  type PasswordParameters,
  type PasswordPolicy,
  resolveParameters,
} from './password-policy.ts'

const MAX_BYTES = 1024
// Bcrypt uses only the first 72 bytes; longer passwords are refused instead of truncated.
const BCRYPT_MAX_BYTES = 72
// Password for the hashes computed to even out the time of a refusal. Its content does not affect the cost.
const FILLER = 'refused'
const SETTINGS: readonly string[] = ['accepts', 'inFlight', 'waiting', 'waitMilliseconds']

/** Who asks for a hash. */
export interface HashOptions {
  /**
   * What the caller is counted by, such as the address of the client or the link that it used. Clients take turns: however
   * many hashes of one wait, they delay another by at most two of them. Default: all that do not say are one client.
   */
  readonly client?: string
}

/** Settings of a {@link PasswordHasher}: its limits, and the policies that stored hashes may have. */
export interface PasswordHasherSettings extends HashLimits {
  /**
   * Older policies that stored hashes may still have, such as `bcrypt(12)`. Verifying a wrong password costs one hash of each
   * of them plus one of the current policy. Default: none.
   */
  readonly accepts?: readonly PasswordPolicy[]
}

/**
 * Hashes passwords with one policy, and verifies them with the policy stored in the hash. Only a few hashes are computed
 * concurrently; when too many callers wait, the next one gets a 503. Clients that are told apart take turns.
 *
 * Every failed verification costs the same: for a missing account, an unreadable hash, and a wrong password under any of the
 * declared policies. Its duration therefore reveals neither which accounts exist nor how old their hashes are.
 *
 * @example
 * ```ts
 * import assert from 'node:assert/strict'
 * import { bcrypt, PASSWORD_DEFAULT, PasswordHasher } from 'sallyport/auth'
 *
 * const hasher = new PasswordHasher(PASSWORD_DEFAULT, {}, { accepts: [bcrypt(4)] })
 * const hash = await hasher.hash('correct horse')
 *
 * assert.equal(await hasher.verify('correct horse', hash), true)
 * assert.equal(await hasher.verify('wrong', hash), false)
 * assert.equal(await hasher.verify('wrong', null), false)
 * ```
 *
 * @see Clauses HASH-01 to HASH-17 and HOLD-23; OWASP Password Storage Cheat Sheet.
 */
export class PasswordHasher {
  /**
   * Methods that an object must have to be registered as the hasher.
   *
   * @internal
   */
  static readonly serviceMethods: readonly string[] = ['hash', 'verify', 'needsRehash']
  readonly #algorithm: PasswordAlgorithm
  readonly #options: PasswordOptions
  readonly #accepts: readonly PasswordPolicy[]
  readonly #queue: HashQueue

  /**
   * Checks the settings. An invalid policy fails only when it is used (HASH-15).
   *
   * @param algorithm `PASSWORD_ARGON2ID` or `PASSWORD_BCRYPT`. Default: `PASSWORD_DEFAULT`, argon2id.
   * @param options `cost` for bcrypt; `memoryCost` (KiB), `timeCost`, `parallelism` for argon2id. Default: the
   * algorithm's own.
   * @param settings `accepts`: older policies of stored hashes; `inFlight`, `waiting`, `waitMilliseconds`: limits.
   * Default: see {@link PasswordHasherSettings} and {@link HashLimits}.
   * @throws {TypeError} If a setting is unknown, or `accepts` is not a list of policies.
   * @throws {RangeError} If a limit is out of range, or a time limit is longer than a timer can wait.
   */
  constructor(
    algorithm: PasswordAlgorithm = PASSWORD_DEFAULT,
    options: PasswordOptions = {},
    settings: PasswordHasherSettings = {},
  ) {
    assertSettings(settings)
    this.#algorithm = algorithm
    this.#options = { ...options }
    this.#accepts = [...(settings.accepts ?? [])]
    this.#queue = new HashQueue(settings)
  }

  /**
   * @returns How many hashes are computed at the moment, and how many callers wait for their turn.
   */
  load(): { readonly running: number; readonly waiting: number } {
    return this.#queue.load()
  }

  /**
   * @param password The password, at most 1024 bytes of UTF-8.
   * @param options Who asks.
   * @returns The hash: a PHC string for argon2id, a modular-crypt string for bcrypt.
   * @throws {TypeError} If the algorithm or an option is unknown, or the password or the client is not a string.
   * @throws {RangeError} If an option is out of range, or the password is too long: over 1024 bytes, or with bcrypt over
   * 72 bytes. With bcrypt also if it contains a NUL.
   * @throws {ServiceUnavailableException} If too many callers wait for a hash.
   */
  hash(password: string, options: HashOptions = {}): Promise<string> {
    return ignoreFailure(this.#hash(password, options))
  }

  /**
   * Verifies a password. Algorithm and parameters come from the hash, so hashes of older policies still verify. Call it with
   * `null` when the account does not exist: every failed verification then costs the same, see `accepts`. A correct password
   * costs only its own hash.
   *
   * @param password The password as typed.
   * @param hash The stored hash; `null` or `undefined` when there is no account, or one without a password.
   * @param options Who asks.
   * @returns Whether the hash was made from that password; false without a hash, for an unreadable hash and for a password
   * that could not have been hashed.
   * @throws {TypeError} If the password or the client is not a string, or a policy or option is invalid.
   * @throws {RangeError} If a policy is invalid.
   * @throws {ServiceUnavailableException} If too many callers wait for a hash.
   */
  verify(password: string, hash: string | null | undefined, options: HashOptions = {}): Promise<boolean> {
    return ignoreFailure(this.#verify(password, hash, options))
  }

  /**
   * @param hash A stored hash.
   * @returns Whether its algorithm or parameters differ from the policy; true for an unreadable hash.
   * @throws {TypeError} If the policy is invalid.
   * @throws {RangeError} If the policy is invalid.
   * @example
   * ```ts
   * import assert from 'node:assert/strict'
   * import { PasswordHasher } from 'sallyport/auth'
   *
   * const hasher = new PasswordHasher()
   * const stored = await hasher.hash('correct horse battery')
   *
   * assert.equal(await hasher.verify('correct horse battery', stored), true)
   * assert.equal(hasher.needsRehash(stored), false)
   * // Call it without an account too: the check then takes as long as for a wrong password.
   * assert.equal(await hasher.verify('correct horse battery', undefined), false)
   * ```
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

  /**
   * Tells what computes the hashes of this process: native code of `@node-rs` where it is installed, else `node:crypto` for
   * argon2id, else a script. A script is several times slower and shares the thread of the application.
   *
   * @returns `native`, `platform` or `script`.
   * @throws {Error} Rejects if there is nothing that computes hashes of this algorithm.
   */
  async implementation(): Promise<HashImplementation> {
    return (await hashFunction(this.#algorithm)).implementation
  }

  async #hash(password: string, options: HashOptions): Promise<string> {
    const client = clientOf(options)
    const parameters = resolveParameters(this.#algorithm, this.#options)
    const refusal = refusalOf(password, parameters)
    if (refusal !== undefined) throw refusal
    return this.#queue.run(() => compute(password, parameters), client)
  }

  async #verify(password: string, hash: string | null | undefined, options: HashOptions): Promise<boolean> {
    const client = clientOf(options)
    const text = assertText(password)
    if (isTooLong(text)) return false
    const description = typeof hash === 'string' ? describeHash(hash) : undefined
    const judge =
      typeof hash !== 'string' ||
      description === undefined ||
      refusalOf(text, description.parameters) !== undefined
        ? async () => Verdict.Nothing
        : () => judgement(text, hash, description)
    // One slot of the queue for all hashes: a failed verification neither counts twice nor stops halfway.
    return this.#queue.run(async () => {
      const verdict = await judge()
      if (verdict !== Verdict.Right) await this.#spend(verdict === Verdict.Wrong ? description : undefined)
      return verdict === Verdict.Right
    }, client)
  }

  // The additional cost of a failed verification: one hash of each other policy, one after the other, so that it uses one
  // thread and the memory of one hash.
  async #spend(verified: HashDescription | undefined): Promise<void> {
    let isDeclared = false
    for (const parameters of this.#policies()) {
      if (verified !== undefined && isSamePolicy(parameters, verified.parameters)) isDeclared = true
      else await compute(FILLER, parameters)
    }
    if (verified === undefined || isDeclared) return
    const { algorithm: _, ...options } = verified.parameters
    publish('undeclared-hash', { algorithm: verified.kind, options })
  }

  // The current policy and the accepted ones, without duplicates.
  #policies(): readonly PasswordParameters[] {
    const distinct: PasswordParameters[] = []
    const current = { algorithm: this.#algorithm, options: this.#options }
    for (const { algorithm, options } of [current, ...this.#accepts]) {
      const parameters = resolveParameters(algorithm, options)
      if (!distinct.some((other) => isSamePolicy(parameters, other))) distinct.push(parameters)
    }
    return distinct
  }
}

/** Result of checking a stored hash: the password is right or wrong, or nothing was computed. */
const Verdict = { Right: 'right', Wrong: 'wrong', Nothing: 'nothing' } as const
type Verdict = (typeof Verdict)[keyof typeof Verdict]

async function judgement(password: string, hash: string, { parameters }: HashDescription): Promise<Verdict> {
  const { verify } = await hashFunction(parameters.algorithm)
  try {
    return (await verify(password, hash)) ? Verdict.Right : Verdict.Wrong
  } catch {
    // Salt or digest could not be decoded, and nothing was computed.
    return Verdict.Nothing
  }
}

async function compute(password: string, parameters: PasswordParameters): Promise<string> {
  const { hash } = await hashFunction(parameters.algorithm)
  return hash(password, parameters)
}

// The error names what is wrong with a password, but nothing of the password.
function refusalOf(password: unknown, parameters: PasswordParameters): Error | undefined {
  const text = assertText(password)
  if (isTooLong(text)) return new RangeError(sentence`Cannot hash a password over ${MAX_BYTES} bytes`)
  if (parameters.algorithm !== PASSWORD_BCRYPT) return undefined
  if (Buffer.byteLength(text) > BCRYPT_MAX_BYTES)
    return new RangeError(sentence`Cannot hash a password over ${BCRYPT_MAX_BYTES} bytes with bcrypt`)
  if (text.includes('\0'))
    return new RangeError(sentence`Cannot hash a password with bcrypt: it contains NUL`)
  return undefined
}

// A string has at least as many bytes as characters, so the bytes of a very long one need not be counted.
function isTooLong(password: string): boolean {
  return password.length > MAX_BYTES || Buffer.byteLength(password) > MAX_BYTES
}

function assertText(password: unknown): string {
  if (typeof password !== 'string') throw new TypeError(sentence`Cannot use a password that is not a string`)
  return password
}

function clientOf(options: HashOptions): string | undefined {
  assertOptions(options, ['client'], 'a PasswordHasher')
  const { client } = options
  if (client === undefined || typeof client === 'string') return client
  throw new TypeError(sentence`Cannot tell a client by ${shown(client)}: pass a string`)
}

// Whether a policy can be computed is checked on use.
function assertSettings(settings: PasswordHasherSettings): void {
  assertOptions(settings, SETTINGS, 'a PasswordHasher')
  const accepts: unknown = settings.accepts === undefined ? [] : settings.accepts
  const bad: unknown = Array.isArray(accepts) ? accepts.find((policy) => !isPolicy(policy)) : accepts
  if (bad !== undefined || (Array.isArray(accepts) && accepts.includes(undefined)))
    throw declarationError(sentence`Cannot accept hashes of ${shown(bad)}: pass a list such as [bcrypt(12)]`)
}

function isPolicy(given: unknown): boolean {
  return (
    typeof given === 'object' &&
    given !== null &&
    typeof Reflect.get(given, 'algorithm') === 'string' &&
    typeof Reflect.get(given, 'options') === 'object'
  )
}
