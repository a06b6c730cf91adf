import { sentence, shown, toAsciiLowerCase } from '../core/internal.ts'
import { isTag } from './language-tag.ts'
import { negotiation } from './negotiation.ts'

const MAX_HEADER_LENGTH = 512
const MAX_REMEMBERED = 256

/**
 * The languages of an application; the first one is the default.
 *
 * @example
 * ```ts
 * import assert from 'node:assert/strict'
 * import { Locales } from 'sallyport/i18n'
 *
 * const locales = new Locales(['en', 'fr', 'de-CH'])
 *
 * assert.equal(locales.negotiate('de, fr;q=0.5'), 'de-CH')
 * assert.equal(locales.negotiate('ja'), 'en')
 * assert.equal(locales.find('DE-ch'), 'de-CH')
 * ```
 */
export class Locales {
  /** The tags as they were declared; never empty. */
  readonly declared: readonly string[]
  /** Declared tags by lower-case form. */
  readonly #byCase: ReadonlyMap<string, string>
  /** Declared tags by canonical form, the only form that the matcher knows: it turns `tl` into `fil`. */
  readonly #byCanonical: ReadonlyMap<string, string>
  readonly #remembered = new Map<string, string>()

  /**
   * @param tags BCP 47 tags; the first one is the default. An empty list declares `en`.
   * @throws {TypeError} If the argument is not a list.
   * @throws {RangeError} If a tag is not a BCP 47 tag, or two tags name the same locale: `fr-BE` and `fr-be`, `tl` and `fil`.
   */
  constructor(tags: readonly string[]) {
    const given: unknown = tags
    if (!Array.isArray(given))
      throw new TypeError(
        sentence`Cannot declare the locales with ${shown(given)}: pass a list such as ["fr", "en"]`,
      )
    const byCase = new Map<string, string>()
    const byCanonical = new Map<string, string>()
    for (const tag of tags.length === 0 ? ['en'] : tags) {
      const canonical = canonicalize(tag)
      const other = byCanonical.get(canonical)
      if (other !== undefined)
        throw new RangeError(sentence`Cannot declare the locale "${tag}" twice: "${other}" is the same`)
      byCanonical.set(canonical, tag)
      byCase.set(toAsciiLowerCase(tag), tag)
    }
    this.declared = Object.freeze([...byCase.values()])
    this.#byCase = byCase
    this.#byCanonical = byCanonical
  }

  /** The default locale. */
  get default(): string {
    return this.declared[0] ?? 'en'
  }

  /**
   * @param tag A tag in any letter case.
   * @returns The tag as it was declared; undefined when it was not.
   * @throws {TypeError} If it is not a string.
   */
  find(tag: string): string | undefined {
    if (typeof tag !== 'string')
      throw new TypeError(sentence`Cannot use ${shown(tag)} as a locale: pass a language tag`)
    return this.#byCase.get(toAsciiLowerCase(tag))
  }

  /**
   * @param header Value of `Accept-Language`; null when it was not sent. Its ten most preferred languages count, and one of over 512
   *   characters does not.
   * @returns The best declared locale for the client; the default locale when none matches.
   */
  negotiate(header: string | null): string {
    if (header === null || this.declared.length === 1 || header.length > MAX_HEADER_LENGTH)
      return this.default
    const known = this.#remembered.get(header)
    if (known !== undefined) return known
    const best = this.#best(header)
    if (this.#remembered.size >= MAX_REMEMBERED) this.#remembered.clear()
    this.#remembered.set(header, best)
    return best
  }

  #best(header: string): string {
    const fallback = canonicalize(this.default)
    const best = negotiation()(header, [...this.#byCanonical.keys()], fallback)
    return this.#byCanonical.get(best) ?? this.default
  }
}

function canonicalize(tag: string): string {
  const canonical = isTag(tag) ? Intl.getCanonicalLocales(tag)[0] : undefined
  if (canonical === undefined)
    throw new RangeError(sentence`Cannot declare the locale ${shown(tag)}: it is not a BCP 47 tag`)
  return canonical
}
