/**
 * The accounts of the sign-ins that are measured.
 *
 * @module
 */
import { PASSWORD_ARGON2ID, PasswordHasher } from 'sallyport/auth'

/** Password of all of them. */
export const personPassword = 'a gate of two doors'

/** @returns A hasher for which a password costs about a millisecond: what it costs in production is chosen by its policy. */
export function cheapHasher(): PasswordHasher {
  return new PasswordHasher(PASSWORD_ARGON2ID, { memoryCost: 1024, timeCost: 1, parallelism: 1 })
}

/**
 * @param number Number of an account, from 0.
 * @returns Its address.
 */
export function personAt(number: number): string {
  return `person-${number}@example.test`
}
