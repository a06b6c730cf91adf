import { type AuditSummary, READ_OF_EACH_KIND } from 'sallyport-app/audit'
import type { PageMessage } from 'sallyport-app/pages'
import { WrittenDays } from 'sallyport-app/text'
import { CORE_TEXTS, inEachLanguage, languageOf } from '../messages/language.ts'

export type { PageMessage } from 'sallyport-app/pages'

const DAYS = new WrittenDays(inEachLanguage((language) => CORE_TEXTS[language].about.dates))

/** A time for a `<time>` element. */
export interface Moment {
  /** Value of the attribute `datetime`; empty for none. */
  readonly iso: string
  /** Exact time in UTC, for the attribute `title`. */
  readonly exact: string
  /** Visible message. */
  readonly text: PageMessage
}

/** @returns The time in UTC. */
export function toMoment(timestamp: number | null, locale: string): Moment {
  if (timestamp === null) return { iso: '', exact: '', text: { id: 'time.never' } }
  const [day = '', time = ''] = new Date(timestamp * 1000).toISOString().split(/[T.]/)
  return {
    iso: `${day}T${time}Z`,
    exact: `${day} ${time} UTC`,
    text: { id: 'time.utc', values: { time: `${dateOf(timestamp, locale)}, ${time.slice(0, 5)}` } },
  }
}

/** @returns Its day in UTC, for a sentence. */
export function dateOf(timestamp: number, locale: string): string {
  return DAYS.write(timestamp, languageOf(locale))
}

/** A line of a list of events. */
export interface EventLine {
  readonly what: PageMessage
  /** Whose account it concerns; undefined in a list of one account. */
  readonly who: PageMessage | undefined
  /** How often on that day; undefined for once. */
  readonly times: PageMessage | undefined
  /** The client addresses. */
  readonly from: PageMessage
  /** Time of the last occurrence. */
  readonly time: Moment
}

/** @returns The lines, in the same order. `named`: whether they name the account, as in a list of several. */
export function toEventLines(
  summaries: readonly AuditSummary[],
  { named, locale }: { readonly named: boolean; readonly locale: string },
): readonly EventLine[] {
  return summaries.map((summary) => ({
    what: { id: `event.${summary.kind}` },
    who: named ? toAccounts(summary) : undefined,
    times: toTimes(summary.times),
    from: toClients(summary),
    time: toMoment(summary.at, locale),
  }))
}

/** @returns The time in whole minutes, rounded up. */
export function toMinutes(seconds: number): number {
  return Math.max(1, Math.ceil(seconds / 60))
}

function toTimes(count: number): PageMessage | undefined {
  if (count === 1) return undefined
  return { id: count < READ_OF_EACH_KIND ? 'events.times' : 'events.many-times', values: { count } }
}

// Where the administration sits is not the business of the owner of the account.
function toClients({ clientAddress: address, clients, actor }: AuditSummary): PageMessage {
  if (actor !== null) return { id: 'events.by-administration' }
  if (address === '') return { id: 'events.unknown-client' }
  return { id: 'events.clients', values: { address, others: clients - 1 } }
}

function toAccounts({ name, accounts }: AuditSummary): PageMessage {
  if (name === null) return { id: 'events.unknown-account' }
  return { id: 'events.accounts', values: { name, others: Math.max(0, accounts - 1) } }
}
