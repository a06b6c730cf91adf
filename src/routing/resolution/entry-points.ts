import { sentence, shown, toAsciiLowerCase } from '../../core/internal.ts'
import type { LocalizedPath } from '../declaration/route-collector.ts'
import type { Claim, RoutedModule, Step, UrlOwner } from '../routed-module.ts'
import { RoutingException } from '../routing-exception.ts'
import type { SpelledEntry, Spelling } from '../spelling.ts'
import { literalSegments } from '../url-path.ts'

/** Where a module or one of its claims answers, in one locale; null when the module is not localized. */
export interface EntryPoint extends SpelledEntry {
  readonly module: RoutedModule
  /** The claim, below which its table alone answers; null for the mount. */
  readonly claim: Claim | null
  readonly steps: readonly Step[]
}

/** What a path was found to begin with: how many segments, and what they may mean. */
export interface Location {
  readonly consumed: number
  /** None where nobody owns the path; more than one, the likeliest first, only without a locale prefix. */
  readonly candidates: readonly EntryPoint[]
}

/** The segments of a mount or a claim by locale; null: every locale. */
type PathsOfLocales = ReadonlyMap<string | null, readonly string[]>

const NOBODY: Location = { candidates: [], consumed: 0 }
const SEGMENT = /^[a-z0-9]+(?:-[a-z0-9]+)*$/

/** The first part of every URL: which module owns it, and where that module takes over. */
export class EntryPoints {
  readonly #spelling: Spelling
  /** By their segment, those of a locale that was declared first before others. */
  readonly #mounts = new Map<string, readonly EntryPoint[]>()
  /** By their path, without its leading slash. */
  readonly #claims = new Map<string, readonly EntryPoint[]>()
  readonly #points = new Map<UrlOwner, readonly EntryPoint[]>()
  #root: RoutedModule | null = null
  #longestClaim = 0

  /** @throws {RoutingException} If mounts and claims cannot stand together. */
  constructor(modules: readonly RoutedModule[], spelling: Spelling) {
    this.#spelling = spelling
    const localized = modules.find(({ declaration }) => declaration.localized)
    if (localized !== undefined) this.#assertLocalizable(localized)
    for (const module of modules) this.#mount(module)
    for (const module of modules) for (const claim of module.claims) this.#claim(module, claim)
  }

  get root(): RoutedModule | null {
    return this.#root
  }

  /** The locale that the first segment of a path is the prefix of, or null. */
  localeOf(segment: string): string | null {
    return (this.#spelling.localePrefixes ? this.#spelling.findLocale(segment) : undefined) ?? null
  }

  /** Whether a segment is a mount or the prefix of a locale, in any letter case, or what no path begins with. */
  isBeginning(segment: string): boolean {
    return (
      this.localeOf(segment) !== null ||
      this.#mounts.has(toAsciiLowerCase(segment)) ||
      segment === this.#spelling.baseSegments[0]
    )
  }

  /** The paths of all claims in all locales. */
  claimedPaths(): readonly (readonly string[])[] {
    return [...this.#claims.values()].flatMap((points) => points.map(({ path }) => path))
  }

  /** How many segments of a path are those of the base path; 0 also for a path that is outside of it. */
  startOf(segments: readonly string[]): number {
    return this.#isOutside(segments) ? 0 : this.#spelling.baseSegments.length
  }

  /** The segments of a path that is declared without the base path. */
  below(segments: readonly string[]): readonly string[] {
    return [...this.#spelling.baseSegments, ...segments]
  }

  /** Finds who owns a path, whatever spelling it has. */
  locate(segments: readonly string[]): Location {
    const { baseSegments } = this.#spelling
    const begin = baseSegments.length
    if (this.#isOutside(segments) || this.#isTwice(segments)) return NOBODY
    const locale = this.localeOf(segments[begin] ?? '')
    const start = locale === null ? begin : begin + 1
    const inLocale = (points: readonly EntryPoint[]): readonly EntryPoint[] =>
      points.filter((point) => this.#spelling.shareUrls(point.locale, locale))
    let isClaimed = false
    for (let width = Math.min(this.#longestClaim, segments.length - start); width > 0; width--) {
      const points = this.#claims.get(segments.slice(start, start + width).join('/'))
      if (points === undefined) continue
      const candidates = inLocale(points)
      if (candidates.length > 0) return { candidates, consumed: start + width }
      isClaimed = true
    }
    const mounts = this.#mounts.get(toAsciiLowerCase(segments[start] ?? ''))
    if (mounts !== undefined) {
      // Without a prefix a segment of several modules is that of the first declared locale that has it.
      const fitting = inLocale(mounts)
      const candidates = fitting.filter(({ module }) => module === fitting[0]?.module)
      return { candidates, consumed: start + 1 }
    }
    // What is claimed in another locale only is nothing in this one, as a mount of another locale is.
    const points = isClaimed || this.#root === null ? [] : this.pointsOf(this.#root)
    return { candidates: inLocale(points), consumed: start }
  }

  /** The modules that a path is below, whether they answer it or not: by claims from the longest, by mount, at the root. */
  ownersOf(segments: readonly string[]): readonly RoutedModule[] {
    if (this.#isOutside(segments)) return []
    const begin = this.#spelling.baseSegments.length
    const locale = this.localeOf(segments[begin] ?? '')
    const start = locale === null ? begin : begin + 1
    const owners = new Set<RoutedModule>()
    const add = (points: readonly EntryPoint[] = []): void => {
      const point = points.find((each) => this.#spelling.shareUrls(each.locale, locale))
      if (point !== undefined) owners.add(point.module)
    }
    for (let width = Math.min(this.#longestClaim, segments.length - start); width > 0; width--)
      add(this.#claims.get(segments.slice(start, start + width).join('/')))
    add(this.#mounts.get(toAsciiLowerCase(segments[start] ?? '')))
    if (this.#root !== null) owners.add(this.#root)
    return [...owners]
  }

  /** Where a module or a claim answers: once for each locale it has, the default one first. */
  pointsOf(owner: UrlOwner): readonly EntryPoint[] {
    return this.#points.get(owner) ?? []
  }

  #isOutside(segments: readonly string[]): boolean {
    return this.#spelling.baseSegments.some((segment, index) => segment !== segments[index])
  }

  // A proxy that strips the base path would make of such a path one that looks whole, so nothing answers there.
  #isTwice(segments: readonly string[]): boolean {
    const { baseSegments } = this.#spelling
    return baseSegments.length > 0 && segments[baseSegments.length] === baseSegments[0]
  }

  #assertLocalizable(module: RoutedModule): void {
    if (!this.#spelling.localePrefixes)
      throw refuse(
        'locale-prefixes-disabled',
        module,
        sentence`it is localized(); switch locale prefixes on with routing()`,
      )
    if (this.#spelling.defaultLocale === null)
      throw refuse(
        'locales-undeclared',
        module,
        sentence`it is localized(); declare the locales of the application`,
      )
  }

  #mount(module: RoutedModule): void {
    const mount = module.declaration.mount ?? module.declaration.segment
    if (mount === '/') {
      if (this.#root !== null) {
        const reason = sentence`${this.#root.label} is mounted on "/" already; mount one elsewhere`
        throw refuse('root-mount-conflict', module, reason)
      }
      this.#root = module
      this.#place(module, null, new Map([[null, []]]))
      this.#assertConvention(module)
      return
    }
    const paths = this.#localize(module, mount, (segment) => [this.#assertSegment(module, segment)])
    const rank = ({ locale }: EntryPoint): number => this.#spelling.locales.indexOf(locale ?? '')
    for (const point of this.#place(module, null, paths)) {
      const segment = point.path.join('/')
      const points = this.#mounts.get(segment) ?? []
      const other = points.find(({ locale }) => this.#spelling.shareUrls(point.locale, locale))
      if (other !== undefined) {
        const reason = sentence`${other.module.label} is mounted on "${segment}" already; mount one elsewhere`
        throw refuse('mount-conflict', module, reason)
      }
      this.#mounts.set(
        segment,
        [...points, point].sort((one, each) => rank(one) - rank(each)),
      )
    }
  }

  // The controllers of the module at the root are the first segments of its URLs.
  #assertConvention(module: RoutedModule): void {
    const [base] = this.#spelling.baseSegments
    if (base === undefined || module.declaration.localized) return
    const segments = new Set(module.actions().map((action) => module.convention?.spell(action, 0)?.[0]))
    if (segments.has(base)) throw this.#refuseTwice(module, [base])
  }

  #assertSegment(module: RoutedModule, segment: string): string {
    if (!SEGMENT.test(segment)) {
      const reason = sentence`${shown(segment)} is not a valid mount; use one segment of a to z, 0 to 9 and single hyphens between them, such as "shop"`
      throw refuse('invalid-pattern', module, reason)
    }
    if (this.localeOf(segment) === null) return segment
    throw refuse('mount-conflict', module, sentence`"${segment}" is a locale prefix; mount it elsewhere`)
  }

  #claim(module: RoutedModule, claim: Claim): void {
    const paths = this.#localize(module, claim.path, (path) => this.#readClaim(module, path))
    const points = Map.groupBy(this.#place(module, claim, paths), ({ path }) => path.join('/'))
    for (const [path, own] of points) {
      const [other] = this.#claims.get(path) ?? []
      if (other !== undefined) {
        const reason = sentence`it claims "/${path}", and so does ${other.module.label}; drop one claim`
        throw refuse('claim-conflict', module, reason)
      }
      this.#claims.set(path, own)
    }
    for (const segments of paths.values()) this.#longestClaim = Math.max(this.#longestClaim, segments.length)
  }

  #readClaim(module: RoutedModule, path: string): readonly string[] {
    if (path === '' || path === '/')
      throw refuse('claim-of-root', module, sentence`it claims the root; mount it on "/" instead`)
    const segments = literalSegments(path)
    if (segments === undefined) {
      const reason = sentence`it cannot claim "${path}"; use literal segments, such as "/news"`
      throw refuse('invalid-pattern', module, reason)
    }
    const [first = ''] = segments
    if (this.localeOf(first) !== null) {
      const reason = sentence`it claims "${path}", which begins with a locale prefix; claim another path`
      throw refuse('claim-conflict', module, reason)
    }
    const mounts = this.#mounts.get(toAsciiLowerCase(first)) ?? []
    const owner = mounts.find((each) => each.module !== module)?.module
    if (owner === undefined) return segments
    const reason = sentence`it claims "${path}" inside the segment of ${owner.label}; claim another path`
    throw refuse('claim-inside-mount', module, reason)
  }

  #localize(
    module: RoutedModule,
    declared: LocalizedPath,
    read: (path: string) => readonly string[],
  ): PathsOfLocales {
    if (typeof declared === 'string') return new Map([[null, read(declared)]])
    if (!this.#spelling.localePrefixes)
      throw refuse(
        'locale-prefixes-disabled',
        module,
        sentence`it has a path for each locale; switch locale prefixes on with routing()`,
      )
    if (!module.declaration.localized)
      throw refuse(
        'localized-required',
        module,
        sentence`it has a path for each locale; declare it localized()`,
      )
    const entries = Object.entries(declared)
    if (entries.length === 0)
      throw refuse('invalid-pattern', module, sentence`its map of paths by locale is empty`)
    return new Map(entries.map(([tag, path]) => [this.#declared(module, tag), read(path)]))
  }

  #declared(module: RoutedModule, tag: string): string {
    const locale = this.#spelling.findLocale(tag)
    if (locale !== undefined) return locale
    const reason = sentence`it names the locale "${tag}", which the application does not declare`
    throw refuse('locales-undeclared', module, reason)
  }

  #refuseTwice(module: RoutedModule, segments: readonly string[]): RoutingException {
    const { basePath } = this.#spelling
    const reason = sentence`"/${segments.join('/')}" begins like the base path "${basePath}" of the application, and behind a proxy that strips it the two could not be told apart; choose another path`
    return refuse('base-path-conflict', module, reason)
  }

  #place(module: RoutedModule, claim: Claim | null, paths: PathsOfLocales): readonly EntryPoint[] {
    const tags = module.declaration.localized ? this.#spelling.locales : [null]
    const { steps } = claim ?? module
    const { slash } = module.declaration
    const spelled = slash === undefined ? {} : { slash }
    const points = tags.flatMap((locale): readonly EntryPoint[] => {
      const path = paths.get(locale) ?? paths.get(null)
      if (path === undefined) return []
      const prefix = this.below(locale === null ? path : [toAsciiLowerCase(locale), ...path])
      if (this.#isTwice(prefix)) throw this.#refuseTwice(module, prefix.slice(this.below([]).length))
      const base = prefix.map((segment) => `/${encodeURIComponent(segment)}`).join('')
      return [{ module, claim, locale, path, prefix, base, steps, ...spelled }]
    })
    const owner = claim ?? module
    owner.place.entries = points
    // A copy has no room to grow.
    this.#points.set(owner, points.slice())
    return points
  }
}

function refuse(code: RoutingException['code'], module: RoutedModule, reason: string): RoutingException {
  return new RoutingException(code, sentence`Cannot mount ${module.label}: ${reason}`)
}
