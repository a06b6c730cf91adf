import { IntlMessageFormat, MissingValueError } from 'intl-messageformat'
import { declarationError, inOneLine, shown } from '../core/internal.ts'

/** Values of a message, by placeholder. */
export type MessageValues = Readonly<Record<string, string | number | boolean | Date | null | undefined>>

/** Messages of one locale: by domain, then by identifier, in ICU MessageFormat. */
export type Catalogue = Readonly<Record<string, Readonly<Record<string, string>>>>

/** A message to translate. */
export interface MessageRequest {
  /** Identifier of the message in its domain. */
  readonly id: string
  /** Domain of the catalogue. Default: `messages`. */
  readonly domain?: string
  /** Message when no catalogue has it. Default: its identifier. */
  readonly fallback?: string
  /** Values of its placeholders. Default: none. */
  readonly values?: MessageValues
}

// Fallbacks may contain data, so their number is unbounded. A compiled pattern takes up to 30 KiB plus 100 bytes a character.
const MAX_COMPILED = 1000
const MAX_COMPILED_CHARACTERS = 200_000
const MAX_KEPT_CHARACTERS = 10_000
// The error has no field for the name, which cannot contain a quote.
const MISSING_VALUE = /variable "([^"]+)" was not provided/

/**
 * Messages in the languages of the application.
 *
 * @example
 * ```ts
 * import assert from 'node:assert/strict'
 * import { Translator } from 'sallyport/i18n'
 *
 * const translator = new Translator({
 *   en: {
 *     messages: { cart: '{count, plural, =0 {Your cart is empty} one {# product} other {# products}}' },
 *   },
 *   fr: {
 *     messages: {
 *       cart: '{count, plural, =0 {Votre panier est vide} one {# produit} other {# produits}}',
 *     },
 *   },
 * })
 *
 * assert.equal(translator.translate('en', { id: 'cart', values: { count: 2 } }), '2 products')
 * assert.equal(
 *   translator.translate('fr-CA', { id: 'cart', values: { count: 0 } }),
 *   'Votre panier est vide',
 * )
 * ```
 */
export class Translator {
  readonly #catalogues: ReadonlyMap<string, Catalogue>
  // In the order of use: the most recently used one is last.
  readonly #compiled = new Map<string, IntlMessageFormat>()
  #compiledCharacters = 0

  /**
   * @param catalogues Messages by locale. Default: none, so that every message is its fallback.
   * @throws {TypeError} If they are not objects of objects, or a message is not a string.
   */
  constructor(catalogues: Readonly<Record<string, Catalogue>> = {}) {
    assertCatalogues(catalogues)
    this.#catalogues = new Map(
      Object.entries(catalogues).map(([locale, catalogue]) => [locale.toLowerCase(), catalogue]),
    )
  }

  /**
   * @param locale A locale; `fr-ca` falls back to `fr` for messages that it lacks.
   * @param message The message to translate.
   * @returns The translated string, not escaped.
   * @throws {TypeError} If the locale or the id of the message is not a string.
   * @throws {Error} If a message of the catalogue is not valid ICU MessageFormat, or lacks a value that it needs; the error
   * names the message and the value. A fallback that cannot be formatted is returned unchanged, because it may come from a
   * library.
   */
  translate(locale: string, message: MessageRequest): string {
    if (typeof locale !== 'string') throw new TypeError(`Cannot translate to ${shown(locale)}: give a locale`)
    if (typeof message?.id !== 'string')
      throw new TypeError(
        `Cannot translate ${shown(message)}: give the id of a message, as { id: "cart.empty" }`,
      )
    const known = this.#find(locale.toLowerCase(), message)
    if (known !== undefined) return this.#formatKnown(locale, known, message)
    const fallback = message.fallback ?? message.id
    try {
      return this.#format(locale, fallback, message.values)
    } catch {
      return fallback
    }
  }

  /**
   * @param locale A locale; `fr-ca` falls back to `fr`.
   * @param message Identifier of a message, and its domain. Default of the domain: `messages`.
   * @returns Whether a catalogue has it.
   */
  has(locale: string, message: Pick<MessageRequest, 'id' | 'domain'>): boolean {
    return this.#find(locale.toLowerCase(), message) !== undefined
  }

  #formatKnown(locale: string, pattern: string, message: MessageRequest): string {
    try {
      return this.#format(locale, pattern, message.values)
    } catch (cause) {
      const { id, domain = 'messages' } = message
      const what = `${shown(id)} of the domain ${shown(domain)} to ${shown(locale)}`
      throw new Error(inOneLine(`Cannot translate ${what}: ${reasonOf(cause)}`), { cause })
    }
  }

  #format(locale: string, pattern: string, values: MessageValues | undefined): string {
    if (!pattern.includes('{') && !pattern.includes("'")) return pattern
    const key = `${locale}\n${pattern}`
    let format = this.#compiled.get(key)
    if (format === undefined) format = new IntlMessageFormat(pattern, locale, undefined, { ignoreTag: true })
    else this.#forget(key)
    if (key.length <= MAX_KEPT_CHARACTERS) this.#keep(key, format)
    return String(format.format(values))
  }

  #keep(key: string, format: IntlMessageFormat): void {
    this.#compiled.set(key, format)
    this.#compiledCharacters += key.length
    for (const oldest of this.#compiled.keys()) {
      const isOver = this.#compiled.size > MAX_COMPILED || this.#compiledCharacters > MAX_COMPILED_CHARACTERS
      if (!isOver) return
      this.#forget(oldest)
    }
  }

  #forget(key: string): void {
    this.#compiled.delete(key)
    this.#compiledCharacters -= key.length
  }

  #find(locale: string, { domain = 'messages', id }: MessageRequest): string | undefined {
    for (let tag = locale; tag !== ''; tag = tag.slice(0, Math.max(0, tag.lastIndexOf('-')))) {
      const messages = this.#catalogues.get(tag)?.[domain]
      if (messages !== undefined && Object.hasOwn(messages, id)) return messages[id]
    }
    return undefined
  }
}

function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return shown(cause)
  if (cause instanceof SyntaxError) return `the message is not valid ICU MessageFormat (${cause.message})`
  const missing = cause instanceof MissingValueError ? MISSING_VALUE.exec(cause.message)?.[1] : undefined
  return missing === undefined ? cause.message : `give the value "${missing}", which the message needs`
}

function assertCatalogues(catalogues: unknown): void {
  for (const [locale, catalogue] of entriesOf(catalogues, 'the catalogues')) {
    for (const [domain, messages] of entriesOf(catalogue, `the messages of ${shown(locale)}`)) {
      const place = `${shown(locale)} in the domain ${shown(domain)}`
      for (const [id, message] of entriesOf(messages, `the messages of ${place}`))
        if (typeof message !== 'string')
          throw declarationError(
            `Cannot use ${shown(message)} as the message ${shown(id)} of ${place}: give a string`,
          )
    }
  }
}

function entriesOf(given: unknown, what: string): [string, unknown][] {
  if (typeof given === 'object' && given !== null && !Array.isArray(given)) return Object.entries(given)
  throw declarationError(
    `Cannot use ${shown(given)} as ${what}: give an object such as { fr: { messages: { hello: "Bonjour" } } }`,
  )
}
