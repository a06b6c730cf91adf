import { type AuditSummary, READ_OF_EACH_KIND } from '../audit/audit-trail.ts'
import { CORE_TEXTS, inEachLanguage, languageOf } from '../messages/language.ts'

// Dates as a reader of each language expects them. They are in UTC: only a script knows the zone of the reader.
const FORMATS = inEachLanguage((language) => formatOf(CORE_TEXTS[language].about.dates))

const DAY_SECONDS = 24 * 60 * 60

// Intl takes longer for a date than the page for the rest of a line, and the lines of a list are of few days.
const DAYS = new Map<string, string>()
const MAX_DAYS = 1000

/** A message of the catalogue, as a template translates it. */
export interface PageMessage {
  readonly id: string
  /** Values of its placeholders. Default: none. */
  readonly values?: Readonly<Record<string, string | number>>
}

/** Data of a page that shows recovery codes. */
export interface CodesPage {
  readonly title: string
  readonly page: string
  readonly narrow: true
  readonly codes: readonly string[]
  /** The same as a file, in an address that needs no script. */
  readonly file: string
  /** Empty: the page cannot be loaded again, so the choice of a language does not return to it. */
  readonly here: ''
}

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
  const [day = '', time = ''] = new Date(timestamp * 1000).toISOString().split(/[T.]/)
  return {
    iso: `${day}T${time}Z`,
    exact: `${day} ${time} UTC`,
    text: { id: 'time.utc', values: { time: `${dateOf(timestamp, locale)}, ${time.slice(0, 5)}` } },
  }
}

/** @returns Its day in UTC, for a sentence. */
export function dateOf(timestamp: number, locale: string): string {
  const language = languageOf(locale)
  const key = `${language} ${Math.floor(timestamp / DAY_SECONDS)}`
  const text = DAYS.get(key) ?? FORMATS[language].format(new Date(timestamp * 1000))
  if (DAYS.size >= MAX_DAYS) DAYS.clear()
  DAYS.set(key, text)
  return text
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

/**
 * @param options `named`: whether lines name the account, as in a list of several.
 * @returns The lines, in the same order.
 */
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

function formatOf(locale: string): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat(locale, {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    timeZone: 'UTC',
  })
}
