import type { Kysely, RawBuilder } from 'kysely'
import { verify } from 'otplib/functional'
import type { Secret } from 'sallyport'
import type { Schema } from '../../database/schema.ts'

/**
 * How many counters are tried, the first unused one included (RFC 4226 section 7.4). A device whose button was pressed more often
 * in between is no longer understood; each further counter would make every guess more likely to be right.
 */
export const HOTP_LOOK_AHEAD = 5

/** A code to compare. */
export interface HotpProof {
  /** Secret of the factor in Base32. */
  readonly secret: Secret
  /** Six digits. */
  readonly token: string
  /** The last accepted counter; null before the first. */
  readonly lastCounter: number | null
}

/**
 * @param proof Secret, code and the last accepted counter.
 * @returns The counter whose code it is; undefined when it is the code of none of the next ones. Counters up to the last accepted one
 *   are not even looked at.
 */
export async function matchingCounter({
  secret,
  token,
  lastCounter,
}: HotpProof): Promise<number | undefined> {
  const counter = lastCounter === null ? 0 : lastCounter + 1
  const counterTolerance = HOTP_LOOK_AHEAD - 1
  const options = { strategy: 'hotp', secret: secret.reveal(), token, counter, counterTolerance } as const
  const result = await verify(options)
  return result.valid && !('timeStep' in result) ? counter + result.delta : undefined
}

/** The counter of an accepted code. */
export interface CounterUse {
  /** Identifier of the factor. */
  readonly factorId: string
  /** Its counter. */
  readonly counter: number
  /** Unix timestamp in seconds. */
  readonly now: number
}

/**
 * Moves the last accepted counter forward, in one conditional statement: the call that moves it has used the code. A counter at or
 * below the last accepted one never moves it. Unlike time, a counter is not set back, so there is no exception.
 *
 * @param database The transaction that ends the challenge.
 * @param use The counter.
 * @param isOpen Whether the challenge is still open.
 * @returns Whether this call did it.
 */
export async function advanceCounter(
  database: Kysely<Schema>,
  { factorId, counter, now }: CounterUse,
  isOpen: RawBuilder<boolean>,
): Promise<boolean> {
  const result = await database
    .updateTable('factor')
    .set({ last_counter: counter, used_at: now })
    .where('id', '=', factorId)
    .where('kind', '=', 'hotp')
    .where('state', '=', 'enabled')
    .where((where) => where.or([where('last_counter', 'is', null), where('last_counter', '<', counter)]))
    .where(isOpen)
    .executeTakeFirst()
  return result.numUpdatedRows === 1n
}
