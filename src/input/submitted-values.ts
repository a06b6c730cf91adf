import { bare, fold, SearchedMessage, UNSPACED } from './searched-message.ts'

// Shorter strings occur in messages by chance.
const MIN_LENGTH = 4
const MAX_MESSAGE = 500
// Length of all strings together, times the number of searches: twice 1 MiB.
const SEARCHED = 2 * 1024 * 1024
const MAX_SEARCHES = 64
const MAX_ELEMENTS = 100

// The names of fields in most applications.
const PLAIN_NAME = /^[\p{L}\p{M}_.[\]-]+$/u
const NUMBER = /(?:(?<![\p{L}\d])-)?\d+(?:[.,]\d+)*(?:e[+-]?\d+)?/gu

/** The strings and numbers of a submitted input, kept to find them in messages. */
export class SubmittedValues {
  readonly #input: unknown
  readonly #isOpen: boolean
  readonly #long = new Set<string>()
  readonly #short = new Set<string>()
  // Those with a digit, without punctuation: a card number matches with and without spaces.
  readonly #bare = new Set<string>()
  readonly #judged = new Map<string, boolean>()
  #joined: string | undefined
  #searches: number

  /**
   * @param input The submitted input.
   * @param schema `known`: strings of the schema, which may appear in any message even when they were submitted. `isOpen`:
   * the schema exposes every declared name, so that any other field name counts as submitted.
   */
  constructor(input: unknown, { known, isOpen }: { known: ReadonlySet<string>; isOpen: boolean }) {
    this.#input = input
    this.#isOpen = isOpen
    let length = 0
    for (const { text, isName } of stringsOf(input)) {
      if (known.has(text)) continue
      this.#add(fold(text).trim(), isName)
      length += text.length
    }
    this.#searches = Math.min(MAX_SEARCHES, Math.floor(SEARCHED / Math.max(1, length)))
  }

  /**
   * @param message Message of a library or an application.
   * @returns Whether it may contain something submitted: in any letter case, escaped, in part, or as a short string in
   * quotes. Also true, without a search, for a long message and after too many searches.
   */
  occurIn(message: string): boolean {
    if (message.length > MAX_MESSAGE) return true
    let occurs = this.#judged.get(message)
    if (occurs === undefined) {
      if (this.#searches-- <= 0) return true
      const searched = new SearchedMessage(message)
      occurs = this.#holdsShort(searched) || this.#holdsLong(searched) || this.#holdsPart(searched)
      this.#judged.set(message, occurs)
    }
    return occurs
  }

  /**
   * @param message Message of a library or an application.
   * @param path Path of the value that the message is about.
   * @returns Whether it contains the number or the short value at that path, or one in a list there.
   */
  occurAt(message: string, path: readonly PropertyKey[]): boolean {
    const { value } = this.#at(path)
    const values: readonly unknown[] = Array.isArray(value) ? value.slice(0, MAX_ELEMENTS) : [value]
    return values.some((one) => holdsScalar(message, one))
  }

  /**
   * @param path Path of a value.
   * @returns Whether the last name of the path was submitted: it exists there, or everything was parsed from a string.
   */
  hasName(path: readonly PropertyKey[]): boolean {
    const { isWhole, value } = this.#at(path)
    return isWhole || (value !== undefined && typeof value !== 'object')
  }

  /**
   * @param path Path of a value.
   * @returns Whether nothing was submitted there, or only blanks.
   */
  isMissing(path: readonly PropertyKey[]): boolean {
    const { isWhole, value } = this.#at(path)
    if (typeof value === 'string') return isWhole && value.trim() === ''
    return value === undefined || value === null
  }

  /**
   * @param path Path of a value.
   * @returns Whether a file was submitted there.
   */
  isFile(path: readonly PropertyKey[]): boolean {
    return this.#at(path).value instanceof Blob
  }

  /**
   * @param path Path of a value.
   * @returns Whether it is an element of a list.
   */
  isElement(path: readonly PropertyKey[]): boolean {
    return Array.isArray(this.#at(path.slice(0, -1)).value)
  }

  // The value at the path, or the last value on the way that is not an object.
  #at(path: readonly PropertyKey[]): { value: unknown; isWhole: boolean } {
    let value = this.#input
    for (const name of path) {
      if (typeof value !== 'object' || value === null) return { value, isWhole: false }
      if (!Object.hasOwn(value, name)) return { value: undefined, isWhole: false }
      value = Reflect.get(value, name)
    }
    return { value, isWhole: true }
  }

  #add(text: string, isName: boolean): void {
    if (text === '') return
    const isLong = text.length >= MIN_LENGTH || (text.length > 1 && UNSPACED.test(text))
    const isPlainName = isName && !this.#isOpen && PLAIN_NAME.test(text)
    if (!isLong || isPlainName) {
      this.#short.add(text)
      return
    }
    this.#long.add(text)
    const plain = /\d/.test(text) ? bare(text) : ''
    if (plain.length >= MIN_LENGTH && plain !== text) this.#bare.add(plain)
  }

  #holdsShort({ quoted }: SearchedMessage): boolean {
    return quoted.some((piece) => this.#short.has(piece) || this.#long.has(piece))
  }

  #holdsLong(message: SearchedMessage): boolean {
    for (const text of this.#long) if (message.holds(text)) return true
    for (const text of this.#bare) if (message.holdsBare(text)) return true
    return false
  }

  #holdsPart(message: SearchedMessage): boolean {
    this.#joined ??= [...this.#long].join('\n')
    return message.sharesRun(this.#joined)
  }
}

function* stringsOf(input: unknown): Iterable<{ text: string; isName: boolean }> {
  const parts = [input]
  for (let part = parts.pop(); part !== undefined || parts.length > 0; part = parts.pop()) {
    if (typeof part === 'string') yield { text: part, isName: false }
    else if (typeof part === 'number' || typeof part === 'bigint') yield { text: String(part), isName: false }
    else if (part instanceof File) yield { text: part.name, isName: false }
    else if (typeof part === 'object' && part !== null) {
      for (const [name, value] of Object.entries(part)) {
        if (!Array.isArray(part)) yield { text: name, isName: true }
        parts.push(value)
      }
    }
  }
}

function holdsScalar(message: string, value: unknown): boolean {
  if (typeof value === 'boolean') return words(message).includes(String(value))
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'bigint') return false
  const text = String(value).trim()
  if (text === '') return false
  const number = Number(text)
  if (Number.isNaN(number)) return /\d/.test(text) && words(message).includes(fold(text))
  return [...fold(message).matchAll(NUMBER)].some(([token]) =>
    [token, token.replaceAll(',', ''), token.replace(',', '.')].some((digits) => Number(digits) === number),
  )
}

function words(message: string): string[] {
  return fold(message).split(/[^\p{L}\p{M}\p{N}_-]+/u)
}
