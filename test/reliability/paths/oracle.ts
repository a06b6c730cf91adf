/**
 * A second resolver of URLs, written from the clauses and decisions of the specification alone: slow, simple, and
 * without a line of the framework. What it says, the router is to say.
 *
 * @module
 */
import type {
  ApplicationDraft,
  ControllerDraft,
  ModuleDraft,
  PathDraft,
  RouteDraft,
  StepDraft,
} from './draft.ts'
import { ANY, argsOf } from './draft.ts'
import { askConvention } from './oracle-convention.ts'
import { lowered, type ReadPath, readPath } from './oracle-path.ts'
import { askTable } from './oracle-table.ts'

/** The action that a URL reaches. */
export interface FoundAnswer {
  readonly kind: 'found'
  readonly module: string
  readonly controller: string
  readonly action: string
  readonly args: readonly unknown[]
  readonly locale: string | null
  readonly name: string | null
  readonly middlewares: readonly string[]
}

/** What becomes of a request. */
export type Answer =
  | FoundAnswer
  | { readonly kind: 'redirect'; readonly location: string }
  | { readonly kind: 'methodNotAllowed'; readonly allowed: readonly string[] }
  | { readonly kind: 'notFound' }
  | { readonly kind: 'badRequest' }

/** Where a module or claim answers in one locale. */
interface Entry {
  readonly module: ModuleDraft
  /** The claim, whose table alone answers; null: the whole module. */
  readonly claim: (StepDraft & { kind: 'claim' }) | null
  readonly locale: string | null
  readonly path: readonly string[]
  readonly prefix: readonly string[]
}

interface Hit {
  readonly answer: FoundAnswer
  /** The segments behind the entry point, as they are spelled canonically. */
  readonly rest: readonly string[]
  readonly isRule: boolean
}

type Said = Hit | ReadonlySet<string> | null

interface Question {
  readonly method: string
  readonly path: ReadPath
}

/** Resolves the URLs of one application. */
export class Oracle {
  readonly #application: ApplicationDraft
  readonly #entries: readonly Entry[]
  readonly #controllers: readonly ControllerDraft[]
  readonly #steps: ReadonlyMap<ModuleDraft, readonly Asked[]>

  /**
   * @param application The application.
   */
  constructor(application: ApplicationDraft) {
    this.#application = application
    this.#controllers = application.modules.flatMap(({ controllers }) => controllers)
    this.#steps = new Map(application.modules.map((module) => [module, ordered(module)]))
    this.#entries = application.modules.flatMap((module) => [
      ...module.steps.flatMap((step) =>
        step.kind === 'claim' ? this.#entriesOf(module, step, step.path) : [],
      ),
      ...this.#entriesOf(module, null, module.mount ?? module.segment),
    ])
  }

  /**
   * @param method The HTTP method.
   * @param sent The path as sent.
   * @returns What becomes of the request.
   */
  answer(method: string, sent: string): Answer {
    const path = readPath(sent)
    if (path === 400) return { kind: 'badRequest' }
    if (path === 404) return { kind: 'notFound' }
    const { candidates, consumed } = this.#locate(path.segments)
    const refused = new Set<string>()
    for (const entry of candidates) {
      const said = this.#ask(entry, consumed, { method, path })
      if (said === null) continue
      if ('answer' in said) return this.#canonical(entry, said, { method, path })
      for (const each of said) refused.add(each)
    }
    return refused.size === 0
      ? { kind: 'notFound' }
      : { kind: 'methodNotAllowed', allowed: withHead(refused) }
  }

  #entriesOf(module: ModuleDraft, claim: Entry['claim'], declared: PathDraft): readonly Entry[] {
    const { locales } = this.#application
    const split = (path: string): readonly string[] => path.split('/').filter((segment) => segment !== '')
    if (!module.localized) {
      const path = split(String(declared))
      return [{ module, claim, locale: null, path, prefix: path }]
    }
    return locales.flatMap((locale): readonly Entry[] => {
      const own = typeof declared === 'string' ? declared : declared[locale]
      if (own === undefined) return []
      const path = split(own)
      return [{ module, claim, locale, path, prefix: [locale.toLowerCase(), ...path] }]
    })
  }

  // Locale first, then claims, the longest first, then mounts, then the root: ROUTE-13 to ROUTE-17.
  #locate(segments: readonly string[]): { readonly candidates: readonly Entry[]; readonly consumed: number } {
    const { prefixes, locales } = this.#application
    const first = lowered(segments[0] ?? '')
    const locale = prefixes ? locales.find((tag) => lowered(tag) === first) : undefined
    const start = locale === undefined ? 0 : 1
    const behind = segments.slice(start)
    const fits = ({ path, claim }: Entry): boolean => {
      return path.every((segment, index) => {
        const sent = behind[index]
        return claim === null ? sent !== undefined && lowered(sent) === segment : sent === segment
      })
    }
    const isAsked = (entry: Entry): boolean =>
      locale === undefined || entry.locale === null || entry.locale === locale
    const claimed = this.#entries.filter((entry) => entry.claim !== null && fits(entry))
    const claims = claimed.filter(isAsked)
    const longest = Math.max(0, ...claims.map(({ path }) => path.length))
    const mounts = this.#entries.filter(({ claim, path }) => claim === null && path.length === 1).filter(fits)
    const roots = this.#entries.filter(({ claim, path }) => claim === null && path.length === 0)
    // A path that is claimed or mounted in another locale only is nothing in this one.
    let owners: readonly Entry[] = claims.filter(({ path }) => path.length === longest)
    if (owners.length === 0) owners = locale === undefined ? this.#unprefixed(mounts) : mounts
    if (owners.length === 0 && claimed.length === 0) owners = roots
    return { candidates: owners.filter(isAsked), consumed: start + (owners[0]?.path.length ?? 0) }
  }

  // HOLD-39: unprefixed it belongs to the default locale's module, else to the first declared locale that has it.
  #unprefixed(mounts: readonly Entry[]): readonly Entry[] {
    const first = this.#application.locales.flatMap(
      (tag) => mounts.find((each) => each.locale === tag) ?? [],
    )[0]
    return first === undefined ? mounts : mounts.filter(({ module }) => module === first.module)
  }

  #ask(entry: Entry, consumed: number, question: Question): Said {
    const { module, claim } = entry
    const { method, path } = question
    const rest = path.segments.slice(consumed)
    const place: Place = { entry, rest, method }
    if (claim !== null) return this.#table(claim.routes, place)
    // What the convention knows for another method a resolver behind it may still find.
    let refused: ReadonlySet<string> | null = null
    for (const step of this.#steps.get(module) ?? []) {
      const said = this.#asked(step, place)
      if (said === null) continue
      if ('answer' in said) return said
      refused = new Set([...(refused ?? []), ...said])
      if (step.kind !== 'convention') return refused
    }
    return refused
  }

  #asked(step: Asked, place: Place): Said {
    if (step.kind === 'resolver') return this.#resolver(step, place)
    return step.kind === 'table' ? this.#table(step.routes, place) : this.#convention(place)
  }

  #table(routes: readonly RouteDraft[], { entry, rest, method }: Place): Said {
    const { prefixes } = this.#application
    const asked = { method, rest, locale: entry.locale, prefixes, controllers: this.#controllers }
    const hit = askTable(routes, asked)
    if (hit === null || !('route' in hit)) return hit
    const { route } = hit
    const answer: FoundAnswer = {
      kind: 'found',
      module: entry.module.name,
      controller: route.handler.controller,
      action: route.handler.method,
      args: hit.args,
      locale: hit.locale ?? entry.locale,
      name: route.name,
      middlewares: [
        ...new Set([...entry.module.middlewares, ...(route.group?.middlewares ?? []), ...route.middlewares]),
      ],
    }
    return { answer, rest, isRule: true }
  }

  #convention({ entry, rest, method }: Place): Said {
    const { module } = entry
    const routes = module.steps.flatMap((step) => (step.kind === 'resolver' ? [] : step.routes))
    const owns = (controller: string, action: string): boolean =>
      routes.some(({ handler }) => handler.controller === controller && handler.method === action)
    const hit = askConvention({ method, rest, controllers: module.controllers, owns })
    if (hit === null || !('action' in hit)) return hit
    const answer: FoundAnswer = {
      kind: 'found',
      module: module.name,
      controller: hit.controller,
      action: hit.action.method,
      args: hit.args,
      locale: entry.locale,
      name: null,
      middlewares: [...new Set(module.middlewares)],
    }
    return { answer, rest: hit.canonical, isRule: true }
  }

  #resolver(step: StepDraft & { kind: 'resolver' }, { entry, rest }: Place): Said {
    const asked = [rest.join(' '), ANY]
    const answer = step.answers.find(({ segments }) => asked.includes(segments))
    if (answer === undefined || answer.says === 'null' || answer.says === 'notFound') return null
    if (answer.says === 'refuse') return new Set(['PUT'])
    const found: FoundAnswer = {
      kind: 'found',
      module: entry.module.name,
      controller: answer.handler.controller,
      action: answer.handler.method,
      args: argsOf(answer, rest),
      locale: entry.locale,
      name: null,
      middlewares: [...new Set(entry.module.middlewares)],
    }
    return { answer: found, rest, isRule: false }
  }

  // decisions.md, "Redirects": compare with the one canonical spelling; if they differ, redirect once to it.
  #canonical(
    entry: Entry,
    hit: Hit,
    { method, path }: { readonly method: string; readonly path: ReadPath },
  ): Answer {
    const location = this.#respell(entry, hit, path)
    if (location === null) return hit.answer
    const target = readPath(location)
    if (typeof target === 'number') return { kind: 'notFound' }
    const { candidates, consumed } = this.#locate(target.segments)
    const [next] = candidates
    if (!hit.isRule) {
      // What a resolver was asked for it is asked for there, too: else the URL is no other spelling of that one.
      const isSame = next === entry && target.segments.slice(consumed).join('/') === hit.rest.join('/')
      return isSame ? { kind: 'redirect', location } : { kind: 'notFound' }
    }
    for (const candidate of candidates) {
      const said = this.#ask(candidate, consumed, { method, path: target })
      if (said === null || !('answer' in said)) continue
      const isSame =
        identity(said.answer) === identity(hit.answer) && this.#respell(candidate, said, target) === null
      return isSame ? { kind: 'redirect', location } : { kind: 'notFound' }
    }
    return { kind: 'notFound' }
  }

  #respell(entry: Entry, hit: Hit, path: ReadPath): string | null {
    const { policy, locales } = this.#application
    const isHome =
      entry.locale !== null && entry.locale === locales[0] && entry.path.length + hit.rest.length === 0
    const segments = isHome ? [] : [...entry.prefix, ...hit.rest]
    const hasSlash = segments.length > 0 && (policy === 'preserve' ? path.hasSlash : policy === 'add')
    const isOdd = path.hasOddEscape && policy !== 'preserve'
    const isSame =
      segments.length === path.segments.length &&
      segments.every((text, index) => text === path.segments[index])
    if (isSame && !isOdd && hasSlash === path.hasSlash) return null
    return `/${segments.map(encodeURIComponent).join('/')}${hasSlash ? '/' : ''}`
  }
}

interface Place {
  readonly entry: Entry
  readonly rest: readonly string[]
  readonly method: string
}

type Asked = Exclude<StepDraft, { kind: 'claim' }> | { readonly kind: 'convention' }

// Lower priority first, then declaration order; the table at 0, in the place of its first declaration.
function ordered({ steps, convention }: ModuleDraft): readonly Asked[] {
  const asked: { readonly priority: number; readonly step: Asked }[] = []
  for (const step of steps) {
    if (step.kind === 'resolver') asked.push({ priority: step.priority, step })
    if (step.kind !== 'table' || asked.some((other) => other.step.kind === 'table')) continue
    const routes = steps.flatMap((each) => (each.kind === 'table' ? each.routes : []))
    asked.push({ priority: 0, step: { kind: 'table', routes } })
  }
  if (convention) asked.push({ priority: 1000, step: { kind: 'convention' } })
  return asked.sort((one, other) => one.priority - other.priority).map(({ step }) => step)
}

function withHead(methods: ReadonlySet<string>): readonly string[] {
  const all = new Set(methods)
  if (all.has('GET')) all.add('HEAD')
  return [...all].sort()
}

function identity({ module, controller, action, name }: FoundAnswer): string {
  return `${module} ${controller} ${action} ${name ?? ''}`
}
