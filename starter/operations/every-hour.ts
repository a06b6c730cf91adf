import { getLogger } from '@logtape/logtape'
import type { Erasure } from '../identity/deletion/erasure.ts'

const log = getLogger(['starter', 'erasure'])

const HOUR_MILLISECONDS = 60 * 60 * 1000

/**
 * Erases accounts that are due, now and every hour: what was promised to their owners depends on no timetable of an operator.
 *
 * @param erasure Erases them.
 * @returns Ends it.
 */
export function eraseRegularly(erasure: Erasure): () => void {
  const run = (): void => {
    erasure.run().catch((error: unknown) => log.error('Accounts that are due could not be erased', { error }))
  }
  run()
  const timer = setInterval(run, HOUR_MILLISECONDS)
  timer.unref()
  return () => clearInterval(timer)
}
