import { type Kysely, sql } from 'kysely'
import type { Schema } from '../database/schema.ts'

// How many accepted steps of each factor are remembered. A count and no time, because clocks are set.
const KEPT_STEPS = 100

/** A code that matched. */
export interface StepUse {
  /** Authenticator of the code. */
  readonly factorId: string
  /** Its moving factor: number of the time step, or counter. */
  readonly step: number
  /** Unix timestamp in seconds. */
  readonly now: number
}

/**
 * Uses up a code: of several callers, one does.
 *
 * @param use The code; `latest`: the greatest step that may be used now; `challengeId`: the pending login that must still be
 *   open. Default: none.
 * @returns Whether this call used it up.
 */
export async function advanceStep(
  database: Kysely<Schema>,
  use: StepUse & { readonly latest: number; readonly challengeId?: string | undefined },
): Promise<boolean> {
  const { factorId, step, now, latest, challengeId } = use
  // The call that moves the last accepted step forward has used the code. It checks the state again, because the factor may have
  // been disabled since. A last step in the future was accepted before the clock was set back and is ignored, otherwise the account
  // would be locked until that time. The used steps are stored one by one. Another code may have ended the challenge.
  const advanced = await sql`UPDATE factor SET last_step = ${step}, used_at = ${now}
    WHERE id = ${factorId} AND state = 'enabled' AND (last_step IS NULL OR last_step < ${step} OR last_step > ${latest})
      AND NOT EXISTS (SELECT 1 FROM used_step WHERE factor_id = ${factorId} AND step = ${step})
      AND ${challengeId === undefined ? sql`TRUE` : sql`EXISTS (SELECT 1 FROM challenge WHERE id = ${challengeId} AND ended_at IS NULL)`}`.execute(
    database,
  )
  if (advanced.numAffectedRows !== 1n) return false
  await sql`INSERT INTO used_step (factor_id, step) VALUES (${factorId}, ${step})`.execute(database)
  await sql`DELETE FROM used_step WHERE factor_id = ${factorId} AND id NOT IN
    (SELECT id FROM used_step WHERE factor_id = ${factorId} ORDER BY id DESC LIMIT ${KEPT_STEPS})`.execute(
    database,
  )
  return true
}
