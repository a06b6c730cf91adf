import { plainValue } from '../text/index.ts'

/** A message of the catalogue, as a value of a text. */
export interface MailMessage {
  /** Its identifier. */
  readonly id: string
  /** Values of its placeholders. Default: none. */
  readonly values?: Readonly<Record<string, string | number>>
}

/** A time in a mail, in UTC. */
export interface MailTime {
  /** Unix timestamp in seconds. */
  readonly at: number
}

/** The values of a text in a letter, by their placeholders: what people chose stays on one line, and messages are worded. */
export type LetterValues = Readonly<Record<string, string | number | MailMessage | MailTime>>

/** What letters need to be worded, in one language. */
export interface LetterWords {
  /**
   * Translates a message.
   *
   * @param message The message.
   * @returns The text.
   */
  translate(message: MailMessage): string
  /**
   * Writes a time.
   *
   * @param timestamp Unix timestamp in seconds.
   * @returns Date and time in UTC.
   */
  time(timestamp: number): string
  /** Makes a link of the path of a page, without the base path; undefined where no origin is known. */
  readonly linkToPage: ((page: string) => string) | undefined
}

/** A mail of several paragraphs, in the language of who gets it. */
export class Letter {
  readonly #words: LetterWords
  readonly #paragraphs: string[] = []

  /** @param words What words it. */
  constructor(words: LetterWords) {
    this.#words = words
  }

  /** Whether it can lead to pages: not where no origin is known. */
  get hasLinks(): boolean {
    return this.#words.linkToPage !== undefined
  }

  /** Its text so far. */
  get text(): string {
    return this.#paragraphs.join('\n\n')
  }

  /**
   * Adds a paragraph.
   *
   * @param id Identifier of a message.
   * @param values Values of its placeholders. Default: none.
   * @returns The same letter.
   */
  say(id: string, values: LetterValues = {}): this {
    const plain = Object.entries(values).map(([name, value]) => [name, this.#plain(value)])
    const worded = Object.fromEntries(plain) as Readonly<Record<string, string | number>>
    this.#paragraphs.push(this.#words.translate({ id, values: worded }))
    return this
  }

  /**
   * Adds a paragraph with a list below it.
   *
   * @param id Identifier of a message.
   * @param names What is listed, by names that people chose.
   * @returns The same letter.
   */
  list(id: string, names: readonly string[]): this {
    const lines = names.map((name) => `- ${plainValue(name)}`)
    this.#paragraphs.push([this.#words.translate({ id }), ...lines].join('\n'))
    return this
  }

  /**
   * Adds a link; nothing where it can have none.
   *
   * @param page Path of a page, without the base path.
   * @returns The same letter.
   */
  link(page: string): this {
    const link = this.#words.linkToPage?.(page)
    if (link !== undefined) this.#paragraphs.push(link)
    return this
  }

  #plain(value: LetterValues[string]): string | number {
    if (typeof value === 'number') return value
    if (typeof value === 'string') return plainValue(value)
    return 'at' in value ? this.#words.time(value.at) : plainValue(this.#words.translate(value))
  }
}
