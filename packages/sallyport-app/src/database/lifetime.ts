import { type RawBuilder, sql } from 'kysely'

/** Clocks of several machines differ by so much: a minute. */
export const MAX_SKEW_SECONDS = 60

/**
 * Says whether a row of something that opens still counts: a link, a code by mail, a request that waits. One whose end is further away
 * than its lifetime was made before the clock was set back, and counts no more: it would live longer than it may.
 *
 * Links that only close something (they stop a recovery, end sessions, bring an address back) do not ask: their owners need them most
 * when something is wrong.
 *
 * @param now Unix timestamp in seconds.
 * @param lifetimeSeconds How long such a row counts.
 * @returns A condition about the column `expires_at`, a Unix timestamp in seconds.
 */
export function isLive(now: number, lifetimeSeconds: number): RawBuilder<boolean> {
  return sql<boolean>`(expires_at > ${now} AND expires_at <= ${now + lifetimeSeconds + MAX_SKEW_SECONDS})`
}

/**
 * Ends what is found expired: what was refused once does not open when the clock is set back afterwards. It asks first: most rows are
 * live, and writing waits for the write lock.
 *
 * @param found Query that finds it.
 * @param end Statement that ends it, with the same condition: another process may be faster.
 */
export async function endFound(
  found: { readonly executeTakeFirst: () => Promise<unknown> },
  end: { readonly execute: () => Promise<unknown> },
): Promise<void> {
  if ((await found.executeTakeFirst()) !== undefined) await end.execute()
}
