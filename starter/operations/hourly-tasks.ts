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
  administration,
}: Pick<
  Identity,
  'erasure' | 'reminders' | 'devices' | 'leftovers' | 'administration'
>): readonly HourlyTask[] {
  return [
    { name: 'erasure', run: () => erasure.run() },
    { name: 'reminders', run: () => reminders.run() },
    { name: 'trusted devices', run: () => devices.deleteExpired() },
    { name: 'leftovers', run: () => leftovers.delete() },
    { name: 'requests for a reset', run: () => administration.resets.endExpired() },
  ]
}
