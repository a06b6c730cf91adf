import { getLogger } from '@logtape/logtape'

const log = getLogger(['starter', 'hourly'])

const HOUR_MILLISECONDS = 60 * 60 * 1000

/** What is done every hour. */
export interface HourlyTask {
  /** What the log calls it. */
  readonly name: string
  /** Does it. It may run in several processes at once. */
  readonly run: () => Promise<unknown>
}

/**
 * Runs tasks now and every hour, one after the other: what was promised to owners depends on no timetable of an operator. One that
 * fails is logged and keeps none of the others from running. While they run, the next hour is skipped.
 *
 * @returns Ends it, after the task that runs.
 */
export function everyHour(tasks: readonly HourlyTask[]): () => Promise<void> {
  let isOver = false
  let running: Promise<void> | undefined
  const runAll = async (): Promise<void> => {
    for (const task of tasks) if (!isOver) await runOne(task)
  }
  const run = (): void => {
    running ??= runAll().finally(() => (running = undefined))
  }
  run()
  const timer = setInterval(run, HOUR_MILLISECONDS)
  timer.unref()
  return async () => {
    isOver = true
    clearInterval(timer)
    await running
  }
}

async function runOne({ name, run }: HourlyTask): Promise<void> {
  try {
    await run()
  } catch (error) {
    log.error('The hourly task {name} failed', { name, error })
  }
}
