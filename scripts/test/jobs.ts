/**
 * Runs jobs side by side, then those that need the machine for themselves.
 *
 * @module
 */

/** One piece of work. */
export interface Job {
  /** Whether nothing may run beside it. */
  readonly isAlone: boolean
  readonly run: () => Promise<void>
}

/**
 * Runs jobs: first those that share the machine, in their order, then the others one after another.
 *
 * @param jobs The jobs.
 * @param lanes How many run at once, at least 1.
 * @param signal Once aborted, no further job begins.
 */
export async function runJobs(jobs: readonly Job[], lanes: number, signal: AbortSignal): Promise<void> {
  const shared = jobs.filter(({ isAlone }) => !isAlone)
  const lane = async (): Promise<void> => {
    for (let job = shared.shift(); job !== undefined && !signal.aborted; job = shared.shift()) await job.run()
  }
  await Promise.all(Array.from({ length: lanes }, lane))
  for (const job of jobs) if (job.isAlone && !signal.aborted) await job.run()
}
