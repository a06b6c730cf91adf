import { type RawBuilder, sql } from 'kysely'
import type { AuditRecord } from './audit-entry.ts'

/** Something in two steps, whose entries have the same `challengeId`, such as a sign-in with a password and a code. */
export interface Story {
  /** Kind of the first step. */
  readonly begins: string
  /** Kind of the second one, which ends it. */
  readonly ends: string
  /** How long the second one may take. */
  readonly seconds: number
  /** What a summary calls the first one, where nobody did the second in that time. */
  readonly unfinished: string
}

/** What differs from the default rules. */
export type TrailOptions = Partial<TrailRules>

/** What an application says about the kinds of its audit trail: it sets an instance for this class. */
export class TrailRules {
  /** Kinds of which every entry is recorded, and which a summary lists by client. Default: none. */
  readonly always: readonly string[] = []
  /** Query for the name of the account that `event.account_id` refers to. Default: accounts have no names. */
  readonly nameOf: RawBuilder<string | null> = sql<string | null>`NULL`
  /** What is done in two steps. Default: nothing. */
  readonly story: Story | undefined = undefined

  /** @param options What differs from the default rules. Default: nothing. */
  constructor(options: TrailOptions = {}) {
    Object.assign(this, options)
  }
}

/**
 * Tells a story once: a reader knows both of its steps as one.
 *
 * @param records Entries.
 * @param story What is done in two steps.
 * @returns The entries without the first steps that a second one among them ended.
 */
export function asStories<T extends Pick<AuditRecord, 'kind' | 'challengeId'>>(
  records: readonly T[],
  story: Pick<Story, 'begins' | 'ends'>,
): readonly T[] {
  const finished = new Set<string>()
  for (const { kind, challengeId } of records)
    if (kind === story.ends && challengeId !== null) finished.add(challengeId)
  return records.filter(({ kind, challengeId }) => kind !== story.begins || !finished.has(challengeId ?? ''))
}

/**
 * Tells what was finished from what was not: a right password whose login was never finished is another thing than one on the way in
 * (ASVS 5.0, 6.3.5). What finished it is newer, so it is among the entries too.
 *
 * @returns The entries as stories, with the kind `unfinished` for those that are over.
 * @internal
 */
export function withUnfinished(
  records: readonly AuditRecord[],
  { story, now }: { readonly story: Story | undefined; readonly now: number },
): readonly AuditRecord[] {
  if (story === undefined) return records
  const { begins, seconds, unfinished } = story
  return asStories(records, story).map((record) => {
    const { kind, challengeId, at } = record
    if (kind !== begins || challengeId === null) return record
    return now - at < seconds ? record : { ...record, kind: unfinished }
  })
}
