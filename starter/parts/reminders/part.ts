import type { Part } from '../../core/part.ts'
import { Reminders } from './reminders.ts'

declare module '../../core/database/schema.ts' {
  interface Schema {
    reminder: ReminderTable
  }
}

/** One row for each mail that was sent because a time had come, until 30 days after the end of what it is about. */
interface ReminderTable {
  /** Identifier of the recovery or the token. */
  about: string
  expires_at: number
}

/** Mails that are sent when a time has come. */
export const reminders: Part = {
  name: 'reminders',
  migration: [
    'CREATE TABLE reminder (about TEXT PRIMARY KEY, expires_at INTEGER NOT NULL) STRICT, WITHOUT ROWID',
    'CREATE INDEX reminder_age ON reminder (expires_at)',
  ],
  expiring: ['reminder'],
  hourly: [{ name: 'reminders', run: (app) => app.get(Reminders).run() }],
}
