import { shown, toAsciiLowerCase } from '../../core/internal.ts'
import { type LocaleSet, segmentOf } from '../locale-set.ts'
import type { Claim, RoutedModule, Step } from '../routed-module.ts'
import { RoutingException } from '../routing-exception.ts'
import type { SpelledEntry } from '../spelling.ts'
import { literalSegments } from '../url-path.ts'

/** Where a module or one of its claims answers, in one locale; null when the module is not localized. */
export interface EntryPoint extends SpelledEntry {
  readonly module: RoutedModule
  /** The claim, below which its table alone answers; null for the mount. */
  readonly claim: Claim | null
  /** What is asked for its URLs, in order. */
  readonly steps: readonly Step[]
}

/** What a path was found to begin with. */
export interface Location {
  /** The entry points it may mean, the likeliest first; more than one only without a locale prefix. */
  readonly candidates: readonly EntryPoint[]
  /** How many segments were consumed. */
  readonly consumed: number
}

/** The segments of a mount or a claim by locale; null: every locale. */
type PathsOfLocales = ReadonlyMap<string | null, readonly string[]>

/** Who owns a mount or a claim. */
interface Owner {
  readonly module: RoutedModule
  readonly claim: Claim | null
}

const SEGMENT = /^[a-z0-9]+(?:-[a-z0-9]+)*$/

/** The first part of every URL: which module owns it, and where that module takes over. */
export class EntryPoints {
  readonly #locales: LocaleSet
  readonly #localePrefixes: boolean
  readonly #mounts = new Map<string, Owner[]>()
  readonly #claims = new Map<string, Owner>()
  readonly #points = new Map<RoutedModule | Claim, readonly EntryPoint[]>()
  #root: RoutedModule | null = null
  #longestClaim = 0

  /**
   * @param modules The modules, in the order of declaration.
   * @param locales The declared locales.
   * @param localePrefixes Whether locale prefixes are on.
   * @throws {RoutingException} If mounts and claims cannot stand together.
   */
  constructor(modules: readonly RoutedModule[], locales: LocaleSet, localePrefixes: boolean) {
    this.#locales = locales
    this.#localePrefixes = localePrefixes
    const localized = modules.find((module) => module.isLocalized)
    if (localized !== undefined) this.#assertLocalizable(localized)
    for (const module of modules) this.#mount(module)
    for (const module of modules) for (const claim of module.claims) this.#claim(module, claim)
  }

  /** The module that owns the root, or null. */
  get root(): RoutedModule | null {
    return this.#root
  }

  /** The segments that are locale prefixes; none without prefixes. */
  get localeSegments(): readonly string[] {
    return this.#localePrefixes ? this.#locales.tags.map(segmentOf) : []
  }

  /**
   * @param segment The first segment of a path.
   * @returns The locale that it is the prefix of, or null.
   */
  localeOf(segment: string): string | null {
    return (this.#localePrefixes ? this.#locales.find(segment) : undefined) ?? null
  }

  /**
   * Finds who owns a path, whatever spelling it has.
   *
   * @param segments The segments of the path.
   * @returns The entry points it may mean, or null when nobody owns it.
   */
  locate(segments: readonly string[]): Location | null {
    const locale = this.localeOf(segments[0] ?? '')
    const start = locale === null ? 0 : 1
    let isClaimed = false
    for (let width = Math.min(this.#longestClaim, segments.length - start); width > 0; width--) {
      const path = segments.slice(start, start + width).join('/')
      const spot = this.#claims.get(path)
      if (spot === undefined) continue
      const found = this.#choose(spot, path, { locale, consumed: start + width })
      if (found !== null) return found
      isClaimed = true
    }
    const segment = toAsciiLowerCase(segments[start] ?? '')
    const mounts = this.#mounts.get(segment)
    if (mounts !== undefined) return this.#chooseMount(mounts, segment, { locale, consumed: start + 1 })
    // What is claimed in another locale only is nothing in this one, as a mount of another locale is.
    const root = isClaimed ? null : this.#root
    return root === null ? null : this.#choose({ module: root, claim: null }, '', { locale, consumed: start })
  }

  /**
   * @param owner A module or a claim.
   * @returns Where it answers: once for each locale it has, the default one first.
   */
  pointsOf(owner: RoutedModule | Claim): readonly EntryPoint[] {
    return this.#points.get(owner) ?? []
  }

  // Without a prefix a segment of several modules is that of the first declared locale that has it.
  #chooseMount(
    spots: readonly Owner[],
    segment: string,
    given: { readonly locale: string | null; readonly consumed: number },
  ): Location | null {
    const found = spots.flatMap((spot) => this.#choose(spot, segment, given) ?? [])
    if (found.length < 2) return found[0] ?? null
    const rank = ({ candidates }: Location): number => this.#locales.tags.indexOf(candidates[0]?.locale ?? '')
    return found.reduce((best, each) => (rank(each) < rank(best) ? each : best))
  }

  #choose(
    owner: Pick<Owner, 'module' | 'claim'>,
    path: string,
    given: { readonly locale: string | null; readonly consumed: number },
  ): Location | null {
    const candidates = this.pointsOf(owner.claim ?? owner.module).filter((point) => {
      if (point.path.join('/') !== path) return false
      return given.locale === null || point.locale === null || point.locale === given.locale
    })
    return candidates.length === 0 ? null : { candidates, consumed: given.consumed }
  }

  #assertLocalizable(module: RoutedModule): void {
    if (!this.#localePrefixes) {
      throw refuse(
        'locale-prefixes-disabled',
        module,
        'it is localized(); switch locale prefixes on with routing()',
      )
    }
    if (this.#locales.default === null) {
      throw refuse('locales-undeclared', module, 'it is localized(); declare the locales of the application')
    }
  }

  #mount(module: RoutedModule): void {
    const mount = module.declaration.mount ?? module.declaration.segment
    if (mount === '/') {
      if (this.#root !== null) {
        throw refuse(
          'root-mount-conflict',
          module,
          `${this.#root.label} is mounted on "/" already; mount one elsewhere`,
        )
      }
      this.#root = module
      this.#place({ module, claim: null }, new Map([[null, []]]))
      return
    }
    const paths = this.#localize(module, mount, (segment) => [this.#assertSegment(module, segment)])
    const spot: Owner = { module, claim: null }
    this.#place(spot, paths)
    for (const segment of new Set([...paths.values()].map(([only]) => only ?? ''))) {
      const others = this.#mounts.get(segment) ?? []
      const own = this.#localesAt(module, segment)
      const other = others.find((each) => {
        const taken = this.#localesAt(each.module, segment)
        return own.has(null) || taken.has(null) || !own.isDisjointFrom(taken)
      })
      if (other !== undefined) {
        throw refuse(
          'mount-conflict',
          module,
          `${other.module.label} is mounted on "${segment}" already; mount one elsewhere`,
        )
      }
      this.#mounts.set(segment, [...others, spot])
    }
  }

  #localesAt(module: RoutedModule, segment: string): ReadonlySet<string | null> {
    const points = this.pointsOf(module).filter(({ path }) => path[0] === segment)
    return new Set(points.map(({ locale }) => locale))
  }

  #assertSegment(module: RoutedModule, segment: string): string {
    if (!SEGMENT.test(segment)) {
      throw refuse(
        'invalid-pattern',
        module,
        `${shown(segment)} is not a mount; give one segment of a to z, 0 to 9 and single hyphens between them, such as "shop"`,
      )
    }
    if (this.localeOf(segment) !== null) {
      throw refuse('mount-conflict', module, `"${segment}" is a locale prefix; mount it elsewhere`)
    }
    return segment
  }

  #claim(module: RoutedModule, claim: Claim): void {
    const paths = this.#localize(module, claim.path, (path) => this.#readClaim(module, path))
    const spot: Owner = { module, claim }
    for (const key of new Set([...paths.values()].map((segments) => segments.join('/')))) {
      const other = this.#claims.get(key)
      if (other !== undefined) {
        throw refuse(
          'claim-conflict',
          module,
          `it claims "/${key}", and so does ${other.module.label}; drop one claim`,
        )
      }
      this.#claims.set(key, spot)
    }
    for (const segments of paths.values()) this.#longestClaim = Math.max(this.#longestClaim, segments.length)
    this.#place(spot, paths)
  }

  #readClaim(module: RoutedModule, path: string): readonly string[] {
    if (path === '' || path === '/') {
      throw refuse('claim-of-root', module, 'it claims the root; mount it on "/" instead')
    }
    const segments = literalSegments(path)
    if (segments === undefined) {
      throw refuse(
        'invalid-pattern',
        module,
        `it cannot claim "${path}"; give literal segments, such as "/news"`,
      )
    }
    const [first = ''] = segments
    if (this.localeOf(first) !== null) {
      throw refuse(
        'claim-conflict',
        module,
        `it claims "${path}", which begins with a locale prefix; claim another path`,
      )
    }
    const owners = this.#mounts.get(toAsciiLowerCase(first)) ?? []
    const owner = owners.find((each) => each.module !== module)?.module
    if (owner !== undefined) {
      throw refuse(
        'claim-inside-mount',
        module,
        `it claims "${path}" inside the segment of ${owner.label}; claim another path`,
      )
    }
    return segments
  }

  #localize(
    module: RoutedModule,
    declared: string | Readonly<Record<string, string>>,
    read: (path: string) => readonly string[],
  ): PathsOfLocales {
    if (typeof declared === 'string') return new Map([[null, read(declared)]])
    if (!this.#localePrefixes) {
      throw refuse(
        'locale-prefixes-disabled',
        module,
        'it has a path for each locale; switch locale prefixes on with routing()',
      )
    }
    if (!module.isLocalized) {
      throw refuse('localized-required', module, 'it has a path for each locale; declare it localized()')
    }
    const entries = Object.entries(declared).map(
      ([tag, path]) => [this.#declared(module, tag), read(path)] as const,
    )
    if (entries.length === 0) throw refuse('invalid-pattern', module, 'it has a map of locales without any')
    return new Map(entries)
  }

  #declared(module: RoutedModule, tag: string): string {
    const locale = this.#locales.find(tag)
    if (locale !== undefined) return locale
    throw refuse(
      'locales-undeclared',
      module,
      `it names the locale "${tag}", which the application does not declare`,
    )
  }

  #place({ module, claim }: Owner, paths: PathsOfLocales): void {
    const tags = module.isLocalized ? this.#locales.tags : [null]
    const { steps } = claim ?? module
    const points: EntryPoint[] = []
    for (const locale of tags) {
      const path = paths.get(locale) ?? paths.get(null)
      if (path === undefined) continue
      const prefix = locale === null ? path : [segmentOf(locale), ...path]
      const base = prefix.map((segment) => `/${encodeURIComponent(segment)}`).join('')
      points.push({ module, claim, locale, path, prefix, base, steps })
    }
    // A copy has no room to grow.
    this.#points.set(claim ?? module, points.slice())
  }
}

function refuse(code: RoutingException['code'], module: RoutedModule, reason: string): RoutingException {
  return new RoutingException(code, `Cannot mount ${module.label}: ${reason}`)
}
