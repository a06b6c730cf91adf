import type { AttemptLimit } from '../../identity/limits/lock-length.ts'

/** Refused API tokens of one client. */
export const TOKEN_CLIENT_LIMIT: AttemptLimit = { failures: 50, windowSeconds: 15 * 60 }

/**
 * @param client Result of `clientSubject()`.
 * @returns The subject of `TOKEN_CLIENT_LIMIT`: people at an address with a broken program may still sign in.
 */
export function tokenClientSubject(client: string): string {
  return `token-${client}`
}
