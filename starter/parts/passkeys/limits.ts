import type { AttemptLimit } from '../../identity/limits/lock-length.ts'

/** Refused passkeys of one client, as the whole login. A right one is accepted whatever their number is. */
export const PASSKEY_CLIENT_LIMIT: AttemptLimit = { failures: 50, windowSeconds: 15 * 60 }

/**
 * @param client Result of `clientSubject()`.
 * @returns The subject of `PASSKEY_CLIENT_LIMIT`: passwords stay a way in.
 */
export function passkeyClientSubject(client: string): string {
  return `passkey-${client}`
}
