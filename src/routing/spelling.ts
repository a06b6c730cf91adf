import type { LocaleSet } from './locale-set.ts'
import { TrailingSlash } from './trailing-slash.ts'
import { plain, type UrlPath } from './url-path.ts'

/** What decides how URLs are spelled. */
export interface SpellingPolicy {
  readonly locales: LocaleSet
  readonly localePrefixes: boolean
  readonly trailingSlash: TrailingSlash
}

/** Where a URL begins: a mount or a claim in one locale. */
export interface SpelledEntry {
  /** The locale of the URLs, or null. */
  readonly locale: string | null
  /** The segments of the mount or claim. */
  readonly path: readonly string[]
  /** The same behind the prefix of the locale. */
  readonly prefix: readonly string[]
  /** The same as a path, encoded: `/fr/boutique`; empty at the root. */
  readonly base: string
}

/**
 * The canonical spelling of URLs, for everything that reads, generates or lists them: the home page of the default locale is
 * `/`, every other URL of a localized module begins with its locale, and the policy decides about the slash at the end.
 */
export class Spelling {
  /** Whether URLs end with a slash; null: as they were sent or declared. */
  readonly slash: boolean | null
  /** Whether the URLs of localized modules begin with their locale. */
  readonly localePrefixes: boolean
  readonly #locales: LocaleSet

  /**
   * @param policy The locales, and what the application says of prefixes and slashes.
   */
  constructor({ locales, localePrefixes, trailingSlash }: SpellingPolicy) {
    this.slash = trailingSlash === TrailingSlash.Preserve ? null : trailingSlash === TrailingSlash.Add
    this.localePrefixes = localePrefixes
    this.#locales = locales
  }

  /**
   * @param entry Where the URL begins.
   * @param rest Decoded segments behind it.
   * @param hasSlash Whether it was sent or declared with a slash at its end.
   * @returns The path of the URL.
   */
  path(entry: SpelledEntry, rest: readonly string[], hasSlash: boolean): string {
    return this.pattern(entry, rest.map(encodeURIComponent), hasSlash)
  }

  /**
   * @param entry Where the URL begins.
   * @param rest What stands behind it, to be left as it is: the segments of a pattern.
   * @param hasSlash Whether it was declared with a slash at its end.
   * @returns The path of the URLs.
   */
  pattern(entry: SpelledEntry, rest: readonly string[], hasSlash: boolean): string {
    const path = [entry.base, ...rest].join('/')
    if (path === '' || this.#isHome(entry, rest)) return '/'
    return (this.slash ?? hasSlash) ? `${path}/` : path
  }

  /**
   * The canonical spelling of a URL that was sent.
   *
   * @param sent The path as it was sent.
   * @param entry Where it begins.
   * @param rest The segments that it means behind that.
   * @returns The canonical path; null: it was sent so.
   */
  respelled(sent: UrlPath, entry: SpelledEntry, rest: readonly string[]): string | null {
    const segments = this.#isHome(entry, rest) ? [] : [...entry.prefix, ...rest]
    const hasSlash = segments.length > 0 && (this.slash ?? sent.hasSlash)
    const isEncodedSo = !sent.hasUncanonicalEscape || this.slash === null
    if (isEncodedSo && hasSlash === sent.hasSlash && isSameSegments(segments, sent.segments)) return null
    return this.path(entry, rest.map(plain), sent.hasSlash)
  }

  /**
   * Whether a path that a route declares for one locale answers the URLs of another.
   *
   * @param own The locale of the path; null: it serves all.
   * @param locale The locale of the URLs; null: they have none.
   * @returns Whether it does: without prefixes, nothing in a URL tells locales apart.
   */
  answersIn(own: string | null, locale: string | null): boolean {
    return !this.localePrefixes || own === null || own === locale
  }

  /**
   * @param one The locale of one path; null: it serves all.
   * @param other The locale of another.
   * @returns Whether both may answer the same URL.
   */
  shareUrls(one: string | null, other: string | null): boolean {
    return other === null || this.answersIn(one, other)
  }

  #isHome({ path, locale }: SpelledEntry, rest: readonly string[]): boolean {
    return rest.length === 0 && path.length === 0 && locale === this.#locales.default
  }
}

/**
 * @param one Segments of a decoded path.
 * @param other Others.
 * @returns Whether they mean the same, wherever their slashes came encoded.
 */
export function isSameSegments(one: readonly string[], other: readonly string[]): boolean {
  return (
    one.length === other.length && one.every((segment, index) => plain(segment) === plain(other[index] ?? ''))
  )
}
