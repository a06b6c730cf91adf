import type { PageMessage } from './page-state.ts'

const DAY_SECONDS = 24 * 60 * 60
const MAX_KEPT = 1000

/** A time for a `<time>` element. */
export interface Moment {
  /** Value of the attribute `datetime`; empty for none. */
  readonly iso: string
  /** Exact time in UTC, for the attribute `title`. */
  readonly exact: string
  /** Visible message. */
  readonly text: PageMessage
}

/**
 * Writes times as the readers of each language expect them, in UTC: only a script in the browser knows the zone of a reader. Intl takes
 * longer for a date than a page for the rest of a line, and the lines of a list are of few days: they are kept.
 */
export class WrittenTimes {
  readonly #formats: ReadonlyMap<string, Intl.DateTimeFormat>
  readonly #kept = new Map<string, string>()

  /** @param locales The locale of the dates of each language, such as `en-GB`. */
  constructor(locales: Readonly<Record<string, string>>) {
    this.#formats = new Map(Object.entries(locales).map(([tag, locale]) => [tag, formatOf(locale)]))
  }

  /**
   * Writes a day.
   *
   * @param timestamp Unix timestamp in seconds.
   * @param language One of the languages.
   * @returns Its day in UTC, for a sentence: `1 Jan 2026`.
   */
  day(timestamp: number, language: string): string {
    const key = `${language} ${Math.floor(timestamp / DAY_SECONDS)}`
    const kept = this.#kept.get(key)
    if (kept !== undefined) return kept
    const text = this.#formats.get(language)?.format(new Date(timestamp * 1000)) ?? ''
    if (this.#kept.size >= MAX_KEPT) this.#kept.clear()
    this.#kept.set(key, text)
    return text
  }

  /**
   * Writes a time, with the message `time.utc` and its value `time`.
   *
   * @param timestamp Unix timestamp in seconds; null for the message `time.never`.
   * @param language One of the languages.
   * @returns The time in UTC.
   */
  moment(timestamp: number | null, language: string): Moment {
    if (timestamp === null) return { iso: '', exact: '', text: { id: 'time.never' } }
    const [day = '', time = ''] = new Date(timestamp * 1000).toISOString().split(/[T.]/)
    return {
      iso: `${day}T${time}Z`,
      exact: `${day} ${time} UTC`,
      text: { id: 'time.utc', values: { time: `${this.day(timestamp, language)}, ${time.slice(0, 5)}` } },
    }
  }
}

function formatOf(locale: string): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat(locale, {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    timeZone: 'UTC',
  })
}
