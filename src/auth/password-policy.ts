import { sentence } from '../core/internal.ts'

/** Argon2id, the default. @see RFC 9106 */
export const PASSWORD_ARGON2ID = 'argon2id'
/** Bcrypt, for existing hashes and for policies that require it. */
export const PASSWORD_BCRYPT = 'bcrypt'
/** The algorithm used unless another is named; it may change in a later release. */
export const PASSWORD_DEFAULT: typeof PASSWORD_ARGON2ID = PASSWORD_ARGON2ID

/** Name of a password algorithm. */
export type PasswordAlgorithm = typeof PASSWORD_ARGON2ID | typeof PASSWORD_BCRYPT

/** Options of a password algorithm. */
export interface PasswordOptions {
  /** Bcrypt: base-2 logarithm of the rounds, 4 to 20. Default: 12. */
  readonly cost?: number
  /** Argon2id: memory in KiB, 8 to 1,048,576 and at least 8 for each lane. Default: 19,456. */
  readonly memoryCost?: number
  /** Argon2id: passes over the memory, 1 to 64. Default: 2. */
  readonly timeCost?: number
  /** Argon2id: lanes, 1 to 64. Default: 1. */
  readonly parallelism?: number
}

/** An algorithm and its options. Created by `bcrypt()` or `argon2id()`. */
export interface PasswordPolicy {
  /** The algorithm. */
  readonly algorithm: PasswordAlgorithm
  /** Its options; those left out take the algorithm's default. */
  readonly options: PasswordOptions
}

/**
 * Creates a bcrypt policy.
 *
 * @param cost Base-2 logarithm of the rounds, 4 to 20. Default: 12.
 * @returns The policy, for `accepts` of a `PasswordHasher`.
 * @throws {RangeError} If the cost is not an integer in that range.
 * @example
 * ```ts
 * import assert from 'node:assert/strict'
 * import { bcrypt, PASSWORD_BCRYPT, PASSWORD_DEFAULT, PasswordHasher } from 'sallyport/auth'
 *
 * // The application that this one replaces used bcrypt.
 * const imported = await new PasswordHasher(PASSWORD_BCRYPT, { cost: 4 }).hash('right')
 * const hasher = new PasswordHasher(PASSWORD_DEFAULT, {}, { accepts: [bcrypt(4)] })
 *
 * assert.equal(await hasher.verify('right', imported), true)
 * assert.equal(hasher.needsRehash(imported), true)
 * ```
 */
export function bcrypt(cost?: number): PasswordPolicy {
  return checkedPolicy(PASSWORD_BCRYPT, cost === undefined ? {} : { cost })
}

/**
 * Creates an argon2id policy.
 *
 * @param options `memoryCost` (KiB), `timeCost`, `parallelism`. Default: 19,456, 2 and 1.
 * @returns The policy, for `accepts` of a `PasswordHasher`.
 * @throws {TypeError} If an option is not one of argon2id.
 * @throws {RangeError} If an option is not an integer in its range.
 */
export function argon2id(options: Omit<PasswordOptions, 'cost'> = {}): PasswordPolicy {
  return checkedPolicy(PASSWORD_ARGON2ID, { ...options })
}

/** An algorithm and all parameters of a hash. */
export type PasswordParameters =
  | { readonly algorithm: typeof PASSWORD_BCRYPT; readonly cost: number }
  | {
      readonly algorithm: typeof PASSWORD_ARGON2ID
      readonly memoryCost: number
      readonly timeCost: number
      readonly parallelism: number
    }

// Native code accepts any number: -1 KiB of memory becomes 4 TiB and ends the process. These limits apply to parameters of
// an application and to those parsed from a stored hash.
const RANGES = {
  cost: [4, 20],
  memoryCost: [8, 1_048_576],
  timeCost: [1, 64],
  parallelism: [1, 64],
} as const
const ALGORITHM_OPTIONS = {
  [PASSWORD_BCRYPT]: { cost: 12 },
  // OWASP Password Storage Cheat Sheet: 19 MiB, two passes, one lane.
  [PASSWORD_ARGON2ID]: { memoryCost: 19_456, timeCost: 2, parallelism: 1 },
} as const

// The last character of a 16-byte salt encodes two bits. The native code rejects any other character without hashing.
const BCRYPT = /^\$2[aby]\$([0-9]{2})\$[./A-Za-z0-9]{21}[.Oeu][./A-Za-z0-9]{31}$/
const ARGON2 =
  /^\$(argon2[a-z]+)\$v=19\$m=([0-9]{1,10}),t=([0-9]{1,10}),p=([0-9]{1,10})\$[A-Za-z0-9+/]+\$[A-Za-z0-9+/]+$/

/**
 * @param algorithm Name of the algorithm.
 * @param options Its options; missing ones take their default.
 * @returns The parameters.
 * @throws {TypeError} If the algorithm is unknown, or an option belongs to another algorithm.
 * @throws {RangeError} If an option is not an integer in its range.
 */
export function resolveParameters(
  algorithm: PasswordAlgorithm,
  options: PasswordOptions,
): PasswordParameters {
  if (!Object.hasOwn(ALGORITHM_OPTIONS, algorithm)) {
    throw new TypeError(
      sentence`Cannot hash passwords with ${JSON.stringify(algorithm)}: the algorithms are argon2id and bcrypt`,
    )
  }
  const defaults: Readonly<Record<string, number>> = ALGORITHM_OPTIONS[algorithm]
  const given = Object.entries(options).filter(([, value]) => value !== undefined)
  for (const [name, value] of given) {
    if (!Object.hasOwn(defaults, name)) {
      throw new TypeError(
        sentence`Cannot use option "${name}" with ${algorithm}: its options are ${Object.keys(defaults).join(', ')}`,
      )
    }
    assertInRange(name as keyof typeof RANGES, value)
  }
  const merged = { algorithm, ...defaults, ...Object.fromEntries(given) } as PasswordParameters
  if (merged.algorithm === PASSWORD_ARGON2ID && merged.memoryCost < 8 * merged.parallelism) {
    throw new RangeError(
      sentence`Cannot use memoryCost ${merged.memoryCost}: ${merged.parallelism} lanes need 8 KiB each`,
    )
  }
  return merged
}

/** Algorithm and parameters of a stored hash. */
export interface HashDescription {
  /** Family of the algorithm; `argon2i` and `argon2d` verify, but are never the current policy. */
  readonly kind: 'argon2id' | 'argon2i' | 'argon2d' | 'bcrypt'
  /** Its parameters, within the limits. */
  readonly parameters: PasswordParameters
}

/**
 * @param hash A stored hash.
 * @returns Its description; undefined when the format is unknown or a parameter exceeds the limits.
 */
export function describeHash(hash: string): HashDescription | undefined {
  const bcrypt = BCRYPT.exec(hash)
  if (bcrypt !== null) return checked('bcrypt', PASSWORD_BCRYPT, { cost: Number(bcrypt[1]) })
  const argon = ARGON2.exec(hash)
  if (argon === null) return undefined
  const [, kind, memoryCost, timeCost, parallelism] = argon
  if (kind !== 'argon2id' && kind !== 'argon2i' && kind !== 'argon2d') return undefined
  const options = {
    memoryCost: Number(memoryCost),
    timeCost: Number(timeCost),
    parallelism: Number(parallelism),
  }
  return checked(kind, PASSWORD_ARGON2ID, options)
}

/**
 * @param left Parameters.
 * @param right Parameters.
 * @returns Whether both are the same.
 */
export function isSamePolicy(left: PasswordParameters, right: PasswordParameters): boolean {
  return Object.entries(left).every(([name, value]) => Reflect.get(right, name) === value)
}

function checkedPolicy(algorithm: PasswordAlgorithm, options: PasswordOptions): PasswordPolicy {
  resolveParameters(algorithm, options)
  return { algorithm, options }
}

function checked(
  kind: HashDescription['kind'],
  algorithm: PasswordAlgorithm,
  options: PasswordOptions,
): HashDescription | undefined {
  try {
    return { kind, parameters: resolveParameters(algorithm, options) }
  } catch {
    return undefined
  }
}

function assertInRange(name: keyof typeof RANGES, value: unknown): void {
  const [least, most] = RANGES[name]
  if (typeof value !== 'number' || !Number.isInteger(value) || value < least || value > most) {
    throw new RangeError(
      sentence`Cannot use ${String(value)} as ${name}: it must be a whole number from ${least} to ${most}`,
    )
  }
}
