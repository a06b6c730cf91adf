import { bare, fold, SearchedMessage, UNSPACED } from './searched-message.ts'

// What is shorter occurs in sentences that nobody made of it.
const MIN_LENGTH = 4
const MAX_MESSAGE = 500
// All strings together, as often as messages are searched for them: twice 1 MiB.
const SEARCHED = 2 * 1024 * 1024
const MAX_SEARCHES = 64
const MAX_ELEMENTS = 100

// What a field is called in most applications.
const PLAIN_NAME = /^[\p{L}\p{M}_.[\]-]+$/u
const NUMBER = /(?:(?<![\p{L}\d])-)?\d+(?:[.,]\d+)*(?:e[+-]?\d+)?/gu

/** The strings and numbers of a submitted input, to find them in a message again. */
export class SubmittedValues {
  readonly #input: unknown
  readonly #isOpen: boolean
  readonly #long = new Set<string>()
  readonly #short = new Set<string>()
  // Those with a digit, without their signs: a card number is the same with spaces and without.
  readonly #bare = new Set<string>()
  readonly #judged = new Map<string, boolean>()
  #joined: string | undefined
  #searches: number

  /**
   * @param input What was submitted.
   * @param schema `known` may stand in any message, also when it was submitted: the strings of the schema. `isOpen`: it
   * has every declared name, so that another name of a field is a string like any other.
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
   * @param message Text that a library or an application wrote.
   * @returns Whether it may hold something submitted: in any letter case, escaped, in part, or as a short string in
   * quotes. True without a search for a long message, and after too many.
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
   * @param message Text that a library or an application wrote.
   * @param path Where the value stands that it is about.
   * @returns Whether it holds the number or the short value there, or one of a list.
   */
  occurAt(message: string, path: readonly PropertyKey[]): boolean {
    const { value } = this.#at(path)
    const values: readonly unknown[] = Array.isArray(value) ? value.slice(0, MAX_ELEMENTS) : [value]
    return values.some((one) => holdsScalar(message, one))
  }

  /**
   * @param path Where a value stands.
   * @returns Whether the last name of the path was submitted: it stands there, or all of it was read out of a string.
   */
  hasName(path: readonly PropertyKey[]): boolean {
    const { isWhole, value } = this.#at(path)
    return isWhole || (value !== undefined && typeof value !== 'object')
  }

  /**
   * @param path Where a value stands.
   * @returns Whether it is an element of a list.
   */
  isElement(path: readonly PropertyKey[]): boolean {
    return Array.isArray(this.#at(path.slice(0, -1)).value)
  }

  // The value at the path, or the last one on the way that is no object.
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
