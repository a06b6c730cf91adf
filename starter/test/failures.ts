/** The failures that limits have counted. @module */
import { type Kysely, sql } from 'kysely'
import type { Schema } from '../core/database/schema.ts'
import type { LimitedSubject } from '../core/limits/limit.ts'

/** @returns The subjects, each as often as it has failed. */
export async function failuresOf(database: Kysely<Schema>, like = '%'): Promise<readonly string[]> {
  const { rows } = await sql<{ readonly subject: string }>`
    SELECT subject FROM attempt, json_each(times) WHERE subject LIKE ${like} ORDER BY subject`.execute(
    database,
  )
  return rows.map(({ subject }) => subject)
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
