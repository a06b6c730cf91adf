import { type Kysely, sql } from 'kysely'
import { changesOf, GIVEN, GIVEN_NUMBER, queries } from '../../database/built-queries.ts'
import type { Schema } from '../../database/schema.ts'

// How many accepted time steps of each factor are remembered. A count and no time, because clocks are set.
const KEPT_STEPS = 100

// The call that moves the last accepted step forward has used the code. It checks the state again, because the factor may have
// been disabled since. A last step in the future was accepted before the clock was set back and is ignored, otherwise the account
// would be locked until that time. The used steps are stored one by one.
const ADVANCING = queries
  .updateTable('factor')
  .set({ last_step: GIVEN_NUMBER, used_at: GIVEN_NUMBER })
  .where('id', '=', GIVEN)
  .where('state', '=', sql.lit('enabled'))
  .where((where) =>
    where.or([
      where('last_step', 'is', null),
      where('last_step', '<', GIVEN_NUMBER),
      where('last_step', '>', GIVEN_NUMBER),
    ]),
  )
  .where(
    sql<boolean>`NOT EXISTS (SELECT 1 FROM used_step WHERE factor_id = ${GIVEN} AND step = ${GIVEN_NUMBER})`,
  )
const ADVANCE = ADVANCING.compile()
// Another code may have ended the challenge.
const ADVANCE_OF_CHALLENGE = ADVANCING.where(
  sql<boolean>`EXISTS (SELECT 1 FROM challenge WHERE id = ${GIVEN} AND ended_at IS NULL)`,
).compile()
const REMEMBER = queries.insertInto('used_step').values({ factor_id: GIVEN, step: GIVEN_NUMBER }).compile()
const SWEEP_STEPS = queries
  .deleteFrom('used_step')
  .where('factor_id', '=', GIVEN)
  .where(
    'id',
    'not in',
    queries
      .selectFrom('used_step')
      .select('id')
      .where('factor_id', '=', GIVEN)
      .orderBy('id', 'desc')
      .limit(sql.lit(KEPT_STEPS)),
  )
  .compile()

/** A time step whose code matched. */
export interface StepUse {
  /** Authenticator of the code. */
  readonly factorId: string
  /** Number of the time step. */
  readonly step: number
  /** Unix timestamp in seconds. */
  readonly now: number
}

/**
 * Uses up the code of a time step: of several callers, one does.
 *
 * @param database The transaction that records what the code was for.
 * @param use The time step; `latest`: the latest step that may be used now; `challengeId`: the pending login that must still be
 *   open. Default: none.
 * @returns Whether this call used it up.
 */
export async function advanceStep(
  database: Kysely<Schema>,
  use: StepUse & { readonly latest: number; readonly challengeId?: string | undefined },
): Promise<boolean> {
  const { factorId, step, now, latest, challengeId } = use
  const values = [step, now, factorId, step, latest, factorId, step]
  const changes =
    challengeId === undefined
      ? await changesOf(database, ADVANCE, values)
      : await changesOf(database, ADVANCE_OF_CHALLENGE, [...values, challengeId])
  if (changes !== 1n) return false
  await changesOf(database, REMEMBER, [factorId, step])
  await changesOf(database, SWEEP_STEPS, [factorId, factorId])
  return true
}
