import { getLogger } from '@logtape/logtape'

const log = getLogger(['app', 'hourly'])

const HOUR_MILLISECONDS = 60 * 60 * 1000

/** What is done every hour. */
export interface HourlyTask {
  /** What the log calls it. */
  readonly name: string
  /**
   * Does it. It may run in several processes at once.
   *
   * @returns Anything.
   */
  readonly run: () => Promise<unknown>
}

/**
 * Runs tasks now and every hour, one after the other: what was promised to owners depends on no timetable of an operator. One that fails
 * is logged and keeps none of the others from running. While they run, the next hour is skipped.
 *
 * @param tasks What is done, in this order.
 * @returns Ends that: it waits for the task that runs.
 */
export function everyHour(tasks: readonly HourlyTask[]): () => Promise<void> {
  let isOver = false
  let running: Promise<void> | undefined
  const runAll = async (): Promise<void> => {
    for (const { name, run } of tasks)
      if (!isOver)
        await run().catch((error: unknown) => log.error('The hourly task {name} failed', { name, error }))
  }
  const begin = (): void => {
    running ??= runAll().finally(() => (running = undefined))
  }
  begin()
  const timer = setInterval(begin, HOUR_MILLISECONDS)
  timer.unref()
  return async () => {
    isOver = true
    clearInterval(timer)
    await running
  }
}
