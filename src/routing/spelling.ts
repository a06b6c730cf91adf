import { toAsciiLowerCase } from '../core/internal.ts'
import { plain, type UrlPath } from './url-path.ts'

/** What becomes of a slash at the end of a URL. `/` itself is the fixed point of every policy. */
export const TrailingSlash = {
  /** URLs end with a slash; the other spelling redirects. */
  Add: 'add',
  /** URLs end without a slash; the other spelling redirects. */
  Remove: 'remove',
  /** Both spellings match and nothing redirects; generation keeps the declared spelling. */
  Preserve: 'preserve',
} as const

Object.freeze(TrailingSlash)

/** One of the three policies. */
export type TrailingSlash = (typeof TrailingSlash)[keyof typeof TrailingSlash]

/** The options of the router that decide how URLs are spelled. */
export interface SpellingPolicy {
  readonly locales?: readonly string[]
  readonly localePrefixes?: boolean
  readonly trailingSlash?: TrailingSlash
  readonly basePath?: string
}

/** Where a URL begins: a mount or a claim in one locale. */
export interface SpelledEntry {
  readonly locale: string | null
  readonly path: readonly string[]
  /** The path behind the base path and the prefix of the locale. */
  readonly prefix: readonly string[]
  /** The same as a path, encoded: `/fr/boutique`; empty at the root of the host. */
  readonly base: string
  /** Whether its URLs end with a slash, whatever the policy says. Default: as the policy says. */
  readonly slash?: boolean
}

/** Where a module or a claim answers: its entry points, once all modules are mounted. */
export interface UrlPlace {
  entries: readonly SpelledEntry[]
}

const NOWHERE: SpelledEntry = { locale: null, path: [], prefix: [], base: '' }

/** The entry point in a locale; the first one where there is none of that locale. */
export function entryIn({ entries }: UrlPlace, locale: string | null): SpelledEntry {
  return entries.find((entry) => entry.locale === locale) ?? entries[0] ?? NOWHERE
}

/**
 * The canonical spelling of URLs, for everything that reads, generates or lists them: each begins with the base path, the
 * home page of the default locale is `/` behind it, every other URL of a localized module begins with its locale, and the
 * policy decides about the slash at the end.
 */
export class Spelling {
  /** The locales as declared, BCP 47 tags, the default first. */
  readonly locales: readonly string[]
  /** Whether the URLs of localized modules begin with their locale. */
  readonly localePrefixes: boolean
  /** Whether URLs end with a slash; null: as they were sent or declared. */
  readonly slash: boolean | null
  /** The base path, `/accounts`; empty where there is none. */
  readonly basePath: string
  /** Its segments. */
  readonly baseSegments: readonly string[]
  readonly #byLowerCase = new Map<string, string>()

  constructor({
    locales = [],
    localePrefixes = false,
    trailingSlash = TrailingSlash.Preserve,
    basePath = '',
  }: SpellingPolicy) {
    for (const tag of locales)
      if (this.findLocale(tag) === undefined) this.#byLowerCase.set(toAsciiLowerCase(tag), tag)
    this.locales = Object.freeze([...this.#byLowerCase.values()])
    this.localePrefixes = localePrefixes
    this.slash = trailingSlash === TrailingSlash.Preserve ? null : trailingSlash === TrailingSlash.Add
    this.basePath = basePath
    this.baseSegments = Object.freeze(basePath.split('/').slice(1))
  }

  /** The default locale, or null when none is declared. */
  get defaultLocale(): string | null {
    return this.locales[0] ?? null
  }

  /** The home page: `/` behind the base path, whatever the policy says. */
  get home(): string {
    return `${this.basePath}/`
  }

  /** A locale as it was declared, from any ASCII letter case. */
  findLocale(tag: string): string | undefined {
    return this.#byLowerCase.get(toAsciiLowerCase(tag))
  }

  /** The path of a URL: decoded segments behind its beginning, and whether it was sent or declared with a slash at its end. */
  path(entry: SpelledEntry, rest: readonly string[], hasSlash: boolean): string {
    return this.pattern(entry, rest.map(encodeURIComponent), hasSlash)
  }

  /** The same of what is to be left as it is: the segments of a pattern. */
  pattern(entry: SpelledEntry, rest: readonly string[], hasSlash: boolean): string {
    const path = [entry.base, ...rest].join('/')
    if (path === this.basePath || this.#isHome(entry, rest)) return this.home
    return (this.#slashOf(entry) ?? hasSlash) ? `${path}/` : path
  }

  /** The canonical path of a URL that means these segments behind its beginning; null: it was sent so. */
  respelled(sent: UrlPath, entry: SpelledEntry, rest: readonly string[]): string | null {
    const segments = this.#isHome(entry, rest) ? this.baseSegments : [...entry.prefix, ...rest]
    const isHome = segments.length === this.baseSegments.length
    const hasSlash = (isHome ? this.#slashOfHome(entry) : this.#slashOf(entry)) ?? sent.hasSlash
    const isEncodedSo = !sent.hasUncanonicalEscape || this.slash === null
    if (isEncodedSo && hasSlash === sent.hasSlash && isSameSegments(segments, sent.segments)) return null
    // The slash of the home page says nothing about how another one is spelled.
    const isPreserved = sent.hasSlash && sent.segments.length > this.baseSegments.length
    return this.path(entry, rest.map(plain), isPreserved)
  }

  /** Whether a path for one locale, or for all by null, answers the URLs of another; without prefixes nothing tells them apart. */
  answersIn(own: string | null, locale: string | null): boolean {
    return !this.localePrefixes || own === null || own === locale
  }

  /** Whether the paths of two locales, null standing for all, may answer the same URL. */
  shareUrls(one: string | null, other: string | null): boolean {
    return other === null || this.answersIn(one, other)
  }

  #slashOf(entry: SpelledEntry): boolean | null {
    return entry.slash ?? this.slash
  }

  // As in `/`, the slash of the home page is no matter of the policy, but where nothing redirects both spellings are answered.
  #slashOfHome(entry: SpelledEntry): boolean | null {
    if (this.basePath === '') return false
    return this.#slashOf(entry) === null ? null : true
  }

  #isHome({ path, locale }: SpelledEntry, rest: readonly string[]): boolean {
    return rest.length === 0 && path.length === 0 && locale === this.defaultLocale
  }
}

/** Whether segments of decoded paths mean the same, wherever their slashes came encoded. */
export function isSameSegments(one: readonly string[], other: readonly string[]): boolean {
  return (
    one.length === other.length && one.every((segment, index) => plain(segment) === plain(other[index] ?? ''))
  )
}
