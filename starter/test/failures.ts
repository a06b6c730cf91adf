/** The failures that limits have counted. @module */
import type { Kysely } from 'kysely'
import { type LimitedSubject, timesOf } from 'sallyport-app/limits'
import type { Schema } from '../core/database/schema.ts'

/** @returns The subjects, each as often as it has failed. */
export async function failuresOf(database: Kysely<Schema>, like = '%'): Promise<readonly string[]> {
  const found = database.selectFrom('attempt').select(['subject', 'times']).where('subject', 'like', like)
  const rows = await found.orderBy('subject').execute()
  return rows.flatMap(({ subject, times }) => timesOf(times).map(() => subject))
}

/** Adds failures, as if somebody elsewhere had guessed. */
export async function addFailures(
  database: Kysely<Schema>,
  limited: readonly LimitedSubject[],
  { times, at }: { readonly times: number; readonly at: number },
): Promise<void> {
  const failed = JSON.stringify(Array.from({ length: times }, () => at))
  const rows = limited.map(({ subject }) => ({ subject, times: failed, at }))
  await database.insertInto('attempt').values(rows).execute()
}
