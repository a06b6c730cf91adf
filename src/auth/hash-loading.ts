import { sentence } from '../core/internal.ts'
import { loadPlatformArgon2, loadScriptArgon2 } from './argon2-string.ts'
import type { HashFunction, LoadHashFunction } from './hash-function.ts'
import { loadArgon2, loadBcrypt } from './native-hashes.ts'
import type { PasswordParameters } from './password-policy.ts'
import { loadScriptBcrypt } from './script-bcrypt.ts'

type Algorithm = PasswordParameters['algorithm']

const LOADERS: Readonly<Record<Algorithm, readonly LoadHashFunction[]>> = {
  argon2id: [loadArgon2, loadPlatformArgon2, loadScriptArgon2],
  bcrypt: [loadBcrypt, loadScriptBcrypt],
}
const CHEAPEST: Readonly<Record<Algorithm, PasswordParameters>> = {
  argon2id: { algorithm: 'argon2id', memoryCost: 8, timeCost: 1, parallelism: 1 },
  bcrypt: { algorithm: 'bcrypt', cost: 4 },
}
// The functions and not promises of them: a worker forbids a request to wait for what another one has begun.
const loaded = new Map<Algorithm, HashFunction>()

/**
 * @param algorithm Name of the algorithm.
 * @returns Its first implementation that works here.
 */
export async function hashFunction(algorithm: Algorithm): Promise<HashFunction> {
  const found = loaded.get(algorithm) ?? (await firstThatWorks(LOADERS[algorithm], CHEAPEST[algorithm]))
  loaded.set(algorithm, found)
  return found
}

/**
 * Finds out by calling: a package may be there without code for this system, and a platform may lack what its name promises.
 *
 * @param loaders Implementations, the best one first.
 * @param parameters Cheap parameters to try them with.
 * @returns The first that hashes and verifies.
 * @throws {Error} If none does.
 */
export async function firstThatWorks(
  loaders: readonly LoadHashFunction[],
  parameters: PasswordParameters,
): Promise<HashFunction> {
  const reasons: unknown[] = []
  for (const load of loaders) {
    try {
      const candidate = await load()
      if (await candidate.verify('probe', await candidate.hash('probe', parameters))) return candidate
    } catch (reason) {
      reasons.push(reason)
    }
  }
  throw new AggregateError(reasons, sentence`Cannot compute hashes of ${parameters.algorithm} here`)
}
