import type { App } from 'sallyport'
import { FactorResets } from '../identity/administration/factor-resets.ts'
import { Erasure } from '../identity/deletion/erasure.ts'
import { Leftovers } from '../identity/deletion/leftovers.ts'
import { Reminders } from '../identity/mail/reminders.ts'
import type { HourlyTask } from './every-hour.ts'

/**
 * @param app The application.
 * @returns What every process does each hour.
 */
export function hourlyTasks(app: App): readonly HourlyTask[] {
  return [
    { name: 'erasure', run: () => app.get(Erasure).run() },
    { name: 'reminders', run: () => app.get(Reminders).run() },
    { name: 'leftovers', run: () => app.get(Leftovers).delete() },
    { name: 'requests for a reset', run: () => app.get(FactorResets).endExpired() },
  ]
}
