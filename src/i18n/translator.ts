import { IntlMessageFormat, MissingValueError } from 'intl-messageformat'
import { declarationError, inOneLine, sentence, shown } from '../core/internal.ts'
import type { MessageName, MessageRequest, MessageValues } from './message-request.ts'

/** Messages of one locale: by domain, then by identifier, in ICU MessageFormat. */
export type Catalogue = Readonly<Record<string, Readonly<Record<string, string>>>>

// Fallbacks may contain data, so their number is unbounded. A compiled pattern takes up to 30 KiB plus 100 bytes a character.
const MAX_COMPILED = 1000
const MAX_COMPILED_CHARACTERS = 200_000
const MAX_KEPT_CHARACTERS = 10_000
// Clients may name any locale.
const MAX_UNDECLARED = 100
const MAX_UNDECLARED_CHARACTERS = 100
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
  /** Its state is private: no other object can take its place. @internal */
  static readonly isIrreplaceable: boolean = true

  // By lower-case tag, and by the tag as it was given.
  readonly #languages = new Map<string, Language>()
  readonly #undeclared = new Map<string, Language>()
  // Fallbacks, and messages in locales without a catalogue. In the order of use: the most recently used one is last.
  readonly #compiled = new Map<string, IntlMessageFormat>()
  #compiledCharacters = 0

  /**
   * @param catalogues Messages by locale. Default: none, so that every message is its fallback.
   * @throws {TypeError} If they are not objects of objects, or a message is not a string.
   */
  constructor(catalogues: Readonly<Record<string, Catalogue>> = {}) {
    assertCatalogues(catalogues)
    const entries = Object.entries(catalogues)
    const byTag = new Map(entries.map(([locale, catalogue]) => [locale.toLowerCase(), catalogue]))
    for (const [locale] of entries) {
      const tag = locale.toLowerCase()
      const known = tagsFrom(tag)
        .map((each) => byTag.get(each))
        .filter((each) => each !== undefined)
      const language = { locale: tag, catalogues: known, compiled: new Map() }
      this.#languages.set(tag, language).set(locale, language)
    }
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
    if (typeof locale !== 'string')
      throw new TypeError(sentence`Cannot translate to ${shown(locale)}: pass a language tag`)
    if (typeof message?.id !== 'string')
      throw new TypeError(
        sentence`Cannot translate ${shown(message)}: pass the id of a message, such as { id: "cart.empty" }`,
      )
    const language = this.#language(locale)
    const known = find(language.catalogues, message)
    if (known !== undefined) return this.#formatKnown(language, known, message)
    const fallback = ('fallback' in message ? message.fallback : undefined) ?? message.id
    try {
      return this.#format({ locale }, fallback, message.values)
    } catch {
      return fallback
    }
  }

  /**
   * @param locale A locale; `fr-ca` falls back to `fr`.
   * @param message Identifier of a message, and its domain. Default of the domain: `messages`.
   * @returns Whether a catalogue has it.
   */
  has(locale: string, message: MessageName): boolean {
    return find(this.#language(locale).catalogues, message) !== undefined
  }

  /**
   * @param locale A locale.
   * @returns Its messages by domain, with those of the locales that it falls back to: of `fr` for `fr-ca`.
   */
  catalogue(locale: string): Catalogue {
    const domains = new Map<string, Record<string, string>>()
    for (const catalogue of this.#language(locale).catalogues)
      for (const [domain, messages] of Object.entries(catalogue))
        domains.set(domain, { ...messages, ...domains.get(domain) })
    return Object.fromEntries(domains)
  }

  #language(locale: string): Language {
    const known = this.#languages.get(locale) ?? this.#undeclared.get(locale)
    if (known !== undefined) return known
    const [nearest] = tagsFrom(locale.toLowerCase()).flatMap((tag) => this.#languages.get(tag) ?? [])
    const language = { locale, catalogues: nearest?.catalogues ?? [] }
    if (this.#undeclared.size >= MAX_UNDECLARED) this.#undeclared.clear()
    if (locale.length <= MAX_UNDECLARED_CHARACTERS) this.#undeclared.set(locale, language)
    return language
  }

  #formatKnown(language: Language, pattern: string, message: MessageRequest): string {
    try {
      return this.#format(language, pattern, message.values)
    } catch (cause) {
      const { id, domain = 'messages' } = message
      const what = sentence`${shown(id)} of the domain ${shown(domain)} to ${shown(language.locale)}`
      throw new Error(inOneLine(sentence`Cannot translate ${what}: ${reasonOf(cause)}`), { cause })
    }
  }

  #format({ locale, compiled }: Spoken, pattern: string, values: MessageValues | undefined): string {
    if (!pattern.includes('{') && !pattern.includes("'")) return pattern
    const known = compiled?.get(pattern)
    if (known !== undefined) return String(known.format(values))
    const format = compiled === undefined ? this.#recent(locale, pattern) : compile(locale, pattern)
    compiled?.set(pattern, format)
    return String(format.format(values))
  }

  #recent(locale: string, pattern: string): IntlMessageFormat {
    const key = `${locale}\n${pattern}`
    const known = this.#compiled.get(key)
    if (known !== undefined) this.#forget(key)
    const format = known ?? compile(locale, pattern)
    if (key.length <= MAX_KEPT_CHARACTERS) this.#keep(key, format)
    return format
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
}

/** What messages are formatted for. */
interface Spoken {
  readonly locale: string
  /** Compiled messages of its catalogues, by pattern, which bounds their number. Default: the recent ones. */
  readonly compiled?: Map<string, IntlMessageFormat>
}

interface Language extends Spoken {
  /** Its catalogue and those that it falls back to. */
  readonly catalogues: readonly Catalogue[]
}

function compile(locale: string, pattern: string): IntlMessageFormat {
  return new IntlMessageFormat(pattern, locale, undefined, { ignoreTag: true })
}

/** The tag and those that it falls back to: `fr-ca`, `fr`. */
function tagsFrom(tag: string): string[] {
  const tags: string[] = []
  for (let rest = tag; rest !== ''; rest = rest.slice(0, Math.max(0, rest.lastIndexOf('-')))) tags.push(rest)
  return tags
}

function find(
  catalogues: readonly Catalogue[],
  { domain = 'messages', id }: MessageName,
): string | undefined {
  for (const catalogue of catalogues) {
    const messages = catalogue[domain]
    if (messages !== undefined && Object.hasOwn(messages, id)) return messages[id]
  }
  return undefined
}

function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return shown(cause)
  if (cause instanceof SyntaxError) return `the message is not valid ICU MessageFormat (${cause.message})`
  const missing = cause instanceof MissingValueError ? MISSING_VALUE.exec(cause.message)?.[1] : undefined
  return missing === undefined ? cause.message : `pass the value "${missing}", which the message needs`
}

function assertCatalogues(catalogues: unknown): void {
  for (const [locale, catalogue] of entriesOf(catalogues, 'the catalogues')) {
    for (const [domain, messages] of entriesOf(catalogue, `the messages of ${shown(locale)}`)) {
      const place = `${shown(locale)} in the domain ${shown(domain)}`
      for (const [id, message] of entriesOf(messages, `the messages of ${place}`))
        if (typeof message !== 'string')
          throw declarationError(
            sentence`Cannot use ${shown(message)} as the message ${shown(id)} of ${place}: it must be a string`,
          )
    }
  }
}

function entriesOf(given: unknown, what: string): [string, unknown][] {
  if (typeof given === 'object' && given !== null && !Array.isArray(given)) return Object.entries(given)
  throw declarationError(
    sentence`Cannot use ${shown(given)} as ${what}: pass an object such as { fr: { messages: { hello: "Bonjour" } } }`,
  )
}
