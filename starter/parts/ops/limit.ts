import type { AttemptLimit } from '../../identity/limits/lock-length.ts'

/** Wrong passwords for the pages of operators, of one client. */
export const OPS_CLIENT_LIMIT: AttemptLimit = { failures: 50, windowSeconds: 15 * 60 }

/**
 * @param client Result of `clientSubject()`.
 * @returns The subject of `OPS_CLIENT_LIMIT`.
 */
export function opsClientSubject(client: string): string {
  return `ops-${client}`
}
