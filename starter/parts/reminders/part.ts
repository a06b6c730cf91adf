import type { App } from 'sallyport'
import { Reminders, type ReminderTables, reminderTables } from 'sallyport-app/mail'
import type { Schema } from '../../core/database/schema.ts'
import { Mails } from '../../core/mail/mails.ts'
import { type Part, Parts } from '../../core/part.ts'

declare module '../../core/database/schema.ts' {
  interface Schema extends ReminderTables {}
}

/** Sends what is due of all parts. */
export function remind(app: App): Promise<number> {
  const due = app.get(Parts).all.flatMap(({ dueMails = [] }) => dueMails)
  return app.get(Reminders<Schema>).run(app.get(Mails), due)
}

/** Mails that are sent when a time has come. */
export const reminders: Part = {
  name: 'reminders',
  migration: reminderTables,
  expiring: ['reminder'],
  hourly: [{ name: 'reminders', run: remind }],
}
