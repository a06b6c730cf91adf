import { sentence } from '../core/internal.ts'
import { PASSWORD_BCRYPT, type PasswordParameters } from './password-policy.ts'

/**
 * What computes hashes: native code of `@node-rs`, the platform's own `node:crypto`, or a script, which is several times
 * slower.
 */
export type HashImplementation = 'native' | 'platform' | 'script'

/** Computes and verifies hashes of one algorithm. All implementations write and read the same strings. */
export interface HashFunction {
  /** What computes them. */
  readonly implementation: HashImplementation
  /** Hashes a password that the algorithm takes. */
  readonly hash: (password: string, parameters: PasswordParameters) => Promise<string>
  /** Rejects if salt or digest cannot be decoded. */
  readonly verify: (password: string, hash: string) => Promise<boolean>
}

/** Loads an implementation; rejects where it is not there. */
export type LoadHashFunction = () => Promise<HashFunction>

/**
 * @param parameters Parameters of argon2id.
 * @returns Them without the name of the algorithm.
 * @throws {TypeError} If they are those of another algorithm.
 */
export function argon2Options(
  parameters: PasswordParameters,
): Readonly<Record<'memoryCost' | 'timeCost' | 'parallelism', number>> {
  if (parameters.algorithm === PASSWORD_BCRYPT)
    throw new TypeError(sentence`Cannot use a cost of bcrypt for argon2id`)
  const { memoryCost, timeCost, parallelism } = parameters
  return { memoryCost, timeCost, parallelism }
}

/**
 * @param parameters Parameters of bcrypt.
 * @returns Their cost.
 * @throws {TypeError} If they are those of another algorithm.
 */
export function bcryptCost(parameters: PasswordParameters): number {
  if (parameters.algorithm !== PASSWORD_BCRYPT)
    throw new TypeError(sentence`Cannot use costs of argon2id for bcrypt`)
  return parameters.cost
}
