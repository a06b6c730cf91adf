import { getLogger } from '@logtape/logtape'
import type { App } from 'sallyport'
import { Parts } from '../part.ts'
import { Leftovers } from './leftovers.ts'

const log = getLogger(['app', 'hourly'])

const HOUR_MILLISECONDS = 60 * 60 * 1000

/** What is done every hour. */
export interface HourlyTask {
  /** What the log calls it. */
  readonly name: string
  /** Does it. It may run in several processes at once. */
  readonly run: () => Promise<unknown>
}

/** @returns What every process does each hour. */
export function hourlyTasks(app: App): readonly HourlyTask[] {
  const ofParts = app.get(Parts).all.flatMap(({ hourly = [] }) => hourly)
  return [
    { name: 'leftovers', run: () => app.get(Leftovers).delete() },
    ...ofParts.map(({ name, run }) => ({ name, run: () => run(app) })),
  ]
}

/**
 * Runs tasks now and every hour, one after the other: what was promised to owners depends on no timetable of an operator. One that fails
 * is logged and keeps none of the others from running. While they run, the next hour is skipped.
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
