const DAY_SECONDS = 24 * 60 * 60
const MAX_KEPT = 1000

/**
 * Writes days as the readers of each language expect them, in UTC: only a script in the browser knows the zone of a reader. Intl takes
 * longer for a date than a page for the rest of a line, and the lines of a list are of few days: they are kept.
 */
export class WrittenDays<Language extends string> {
  readonly #formats: ReadonlyMap<Language, Intl.DateTimeFormat>
  readonly #kept = new Map<string, string>()

  /** @param locales The locale of the dates of each language, such as `en-GB`. */
  constructor(locales: Readonly<Record<Language, string>>) {
    const entries = Object.entries<string>(locales) as [Language, string][]
    this.#formats = new Map(entries.map(([language, locale]) => [language, formatOf(locale)]))
  }

  /**
   * Writes a day.
   *
   * @param timestamp Unix timestamp in seconds.
   * @param language One of the languages.
   * @returns Its day in UTC, for a sentence: `1 Jan 2026`.
   */
  write(timestamp: number, language: Language): string {
    const key = `${language} ${Math.floor(timestamp / DAY_SECONDS)}`
    const kept = this.#kept.get(key)
    if (kept !== undefined) return kept
    const text = this.#formats.get(language)?.format(new Date(timestamp * 1000)) ?? ''
    if (this.#kept.size >= MAX_KEPT) this.#kept.clear()
    this.#kept.set(key, text)
    return text
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
