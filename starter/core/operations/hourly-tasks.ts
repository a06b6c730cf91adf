import type { App } from 'sallyport'
import type { HourlyTask } from 'sallyport-app/boot'
import { Parts } from '../part.ts'
import { Leftovers } from './leftovers.ts'

/** @returns What every process does each hour. */
export function hourlyTasks(app: App): readonly HourlyTask[] {
  const ofParts = app.get(Parts).all.flatMap(({ hourly = [] }) => hourly)
  return [
    { name: 'leftovers', run: () => app.get(Leftovers).delete() },
    ...ofParts.map(({ name, run }) => ({ name, run: () => run(app) })),
  ]
}
