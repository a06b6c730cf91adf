import { match } from '@formatjs/intl-localematcher'
import Negotiator from 'negotiator'

const LONGEST_HEADER = 512
const MOST_REMEMBERED = 256
// The matcher's time grows with each tag; nobody reads more languages than this.
const MOST_WANTED = 10

/** The languages of an application; the first one is the default. */
export class Locales {
  /** Declared tags, in lower case; never empty. */
  readonly declared: readonly string[]
  readonly #canonical: ReadonlyMap<string, string>
  readonly #remembered = new Map<string, string>()

  /**
   * @param tags BCP 47 tags, the first one the default. Without any, `en` stands alone.
   * @throws {RangeError} If a tag is no BCP 47 tag or is declared twice.
   */
  constructor(tags: readonly string[]) {
    const declared = tags.length === 0 ? ['en'] : tags.map((tag) => tag.toLowerCase())
    const canonical = new Map<string, string>()
    for (const tag of declared) {
      if (canonical.has(tag)) throw new RangeError(`Cannot declare the locale "${tag}" twice`)
      canonical.set(tag, canonicalize(tag))
    }
    this.declared = declared
    this.#canonical = canonical
  }

  /** The default locale. */
  get default(): string {
    return this.declared[0] ?? 'en'
  }

  /**
   * @param tag A tag in any letter case.
   * @returns The declared tag; undefined when it is not declared.
   */
  find(tag: string): string | undefined {
    const lower = tag.toLowerCase()
    return this.#canonical.has(lower) ? lower : undefined
  }

  /**
   * @param header Value of `Accept-Language`; null when it was not sent.
   * @returns The declared locale that suits the client best; the default one when none does.
   */
  negotiate(header: string | null): string {
    if (header === null || this.declared.length === 1 || header.length > LONGEST_HEADER) return this.default
    const known = this.#remembered.get(header)
    if (known !== undefined) return known
    const best = this.#best(header)
    if (this.#remembered.size >= MOST_REMEMBERED) this.#remembered.clear()
    this.#remembered.set(header, best)
    return best
  }

  #best(header: string): string {
    const wanted = new Negotiator({ headers: { 'accept-language': header } })
      .languages()
      .slice(0, MOST_WANTED)
      .filter(isTag)
    if (wanted.length === 0) return this.default
    const fallback = this.#canonical.get(this.default) ?? 'en'
    return match(wanted, [...this.#canonical.values()], fallback).toLowerCase()
  }
}

function canonicalize(tag: string): string {
  const canonical = isTag(tag) ? Intl.getCanonicalLocales(tag)[0] : undefined
  if (canonical === undefined) throw new RangeError(`Cannot declare the locale "${tag}": it is no BCP 47 tag`)
  return canonical
}

function isTag(tag: string): boolean {
  if (tag === '*') return false
  try {
    return Intl.getCanonicalLocales(tag).length === 1
  } catch {
    return false
  }
}
