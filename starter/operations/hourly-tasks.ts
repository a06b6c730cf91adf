import type { Identity } from '../application.ts'
import type { HourlyTask } from './every-hour.ts'

/**
 * @param identity Services of the application.
 * @returns What every process does each hour.
 */
export function hourlyTasks({
  erasure,
  reminders,
  devices,
  leftovers,
}: Pick<Identity, 'erasure' | 'reminders' | 'devices' | 'leftovers'>): readonly HourlyTask[] {
  return [
    { name: 'erasure', run: () => erasure.run() },
    { name: 'reminders', run: () => reminders.run() },
    { name: 'trusted devices', run: () => devices.deleteExpired() },
    { name: 'leftovers', run: () => leftovers.delete() },
  ]
}
