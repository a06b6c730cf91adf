import { IntlMessageFormat } from 'intl-messageformat'

/** Values of a message, by placeholder. */
export type MessageValues = Readonly<Record<string, string | number | boolean | Date | null | undefined>>

/** Messages of one locale: by domain, then by identifier, in ICU MessageFormat. */
export type Catalogue = Readonly<Record<string, Readonly<Record<string, string>>>>

/** What is translated. */
export interface MessageRequest {
  /** Identifier of the message in its domain. */
  readonly id: string
  /** Domain of the catalogue. Default: `messages`. */
  readonly domain?: string
  /** Text where no catalogue has the message. Default: its identifier. */
  readonly fallback?: string
  /** Values of its placeholders. Default: none. */
  readonly values?: MessageValues
}

/** Messages in the languages of the application. */
export class Translator {
  readonly #catalogues: ReadonlyMap<string, Catalogue>
  readonly #compiled = new Map<string, IntlMessageFormat>()

  /**
   * @param catalogues Messages by locale. Default: none, so that every message is its fallback.
   */
  constructor(catalogues: Readonly<Record<string, Catalogue>> = {}) {
    this.#catalogues = new Map(Object.entries(catalogues).map(([locale, catalogue]) => [locale.toLowerCase(), catalogue]))
  }

  /**
   * @param locale A locale; `fr-ca` looks into `fr` where it has no message of its own.
   * @param message What is translated.
   * @returns The text; it is not escaped.
   * @throws {Error} If a message of the catalogue is no ICU MessageFormat, or a value that it needs is missing.
   */
  translate(locale: string, message: MessageRequest): string {
    const pattern = this.#find(locale.toLowerCase(), message) ?? message.fallback ?? message.id
    if (!pattern.includes('{') && !pattern.includes("'")) return pattern
    const key = `${locale}\n${pattern}`
    let format = this.#compiled.get(key)
    if (format === undefined) {
      format = new IntlMessageFormat(pattern, locale, undefined, { ignoreTag: true })
      this.#compiled.set(key, format)
    }
    return String(format.format(message.values))
  }

  #find(locale: string, { domain = 'messages', id }: MessageRequest): string | undefined {
    for (let tag = locale; tag !== ''; tag = tag.slice(0, Math.max(0, tag.lastIndexOf('-')))) {
      const messages = this.#catalogues.get(tag)?.[domain]
      if (messages !== undefined && Object.hasOwn(messages, id)) return messages[id]
    }
    return undefined
  }
}
