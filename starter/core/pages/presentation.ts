import { type AuditSummary, READ_OF_EACH_KIND } from '../audit/audit-trail.ts'
import { type Language, languageOf } from '../messages/language.ts'

// Dates as a reader of each language expects them. They are in UTC: only a script knows the zone of the reader.
const FORMATS: Readonly<Record<Language, Intl.DateTimeFormat>> = { en: formatOf('en-GB'), de: formatOf('de') }

const DAY_SECONDS = 24 * 60 * 60

interface Day {
  readonly iso: string
  readonly text: string
}

const DAYS: Readonly<Record<Language, Map<number, Day>>> = { en: new Map(), de: new Map() }
const MAX_DAYS = 1000

/** A message of the catalogue, as a template translates it. */
export interface PageMessage {
  /** Identifier of the message. */
  readonly id: string
  /** Values of its placeholders. Default: none. */
  readonly values?: Readonly<Record<string, string | number>>
}

/** Data of a page that shows recovery codes. */
export interface CodesPage {
  readonly title: string
  readonly page: string
  readonly narrow: true
  /** The codes. */
  readonly codes: readonly string[]
  /** The same as a file, in an address that needs no script. */
  readonly file: string
  /** Empty: the page cannot be loaded again, so the choice of a language does not return to it. */
  readonly here: ''
}

/** @returns The data of the page. */
export function codesPage(codes: readonly string[], page: string): CodesPage {
  const file = `data:text/plain;charset=utf-8,${encodeURIComponent(`${codes.join('\r\n')}\r\n`)}`
  return { title: 'codes.title', page, narrow: true, codes, file, here: '' }
}

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
  const day = toDay(Math.floor(timestamp / DAY_SECONDS), languageOf(locale))
  const time = toTime(timestamp % DAY_SECONDS)
  return {
    iso: `${day.iso}T${time}Z`,
    exact: `${day.iso} ${time} UTC`,
    text: { id: 'time.utc', values: { time: `${day.text}, ${time.slice(0, 5)}` } },
  }
}

/** @returns Its day in UTC, for a sentence. */
export function dateOf(timestamp: number, locale: string): string {
  return toDay(Math.floor(timestamp / DAY_SECONDS), languageOf(locale)).text
}

// Intl takes longer for a date than the page for the rest of a line, and the lines of a list are of few days.
function toDay(number: number, language: Language): Day {
  const days = DAYS[language]
  const known = days.get(number)
  if (known !== undefined) return known
  const date = new Date(number * DAY_SECONDS * 1000)
  const day = { iso: date.toISOString().slice(0, '2026-01-31'.length), text: FORMATS[language].format(date) }
  if (days.size >= MAX_DAYS) days.clear()
  days.set(number, day)
  return day
}

function toTime(seconds: number): string {
  return [seconds / 3600, (seconds / 60) % 60, seconds % 60].map(toDigits).join(':')
}

function toDigits(part: number): string {
  return String(Math.floor(part)).padStart(2, '0')
}

/** A line of a list of events. */
export interface EventLine {
  /** What happened. */
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

/** How events are listed. */
export interface EventListOptions {
  /** Whether lines name the account: true in a list of several accounts. */
  readonly named: boolean
  /** Language of the page. */
  readonly locale: string
}

/**
 * Prepares a list of events for a page.
 *
 * @returns The lines, newest first.
 */
export function toEventLines(
  summaries: readonly AuditSummary[],
  { named, locale }: EventListOptions,
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

function formatOf(locale: string): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat(locale, {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    timeZone: 'UTC',
  })
}
