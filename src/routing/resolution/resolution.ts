import { inOneLine, isPromiseLike, shown } from '../../core/internal.ts'
import { MethodNotAllowedException, NotFoundException } from '../../http/index.ts'
import type { EntryPoint, EntryPoints } from './entry-points.ts'
import { BAD_REQUEST, isRoute, methodNotAllowed, NOT_FOUND, Route, type RouteMatch } from '../route.ts'
import { resolverName } from './resolver.ts'
import { ResolverFault } from './resolver-fault.ts'
import { RouteRequest } from './route-request.ts'
import { RoutingException } from '../routing-exception.ts'
import { CONVENTION_PRIORITY, type Step } from '../routed-module.ts'
import { isSameSegments, type Spelling } from '../spelling.ts'
import { Search } from '../table/search.ts'
import type { Table } from '../table/table.ts'
import { plain, parsePath, type UrlPath } from '../url-path.ts'

/** A route, and the canonical spelling of the segments behind the entry point. */
export interface Found {
  readonly kind: 'found'
  readonly route: Route
  readonly rest: readonly string[]
  /** Whether a table or the convention found it, which always answer alike; not a resolver. */
  readonly isRule: boolean
}

/** What one step, one module or one spelling of a URL comes to. */
export type Outcome = Found | { readonly kind: 'refused'; readonly allowed: ReadonlySet<string> } | null

type Eventually<T> = T | Promise<T>

/** A URL as it is read from one entry point on. */
export interface Reading {
  readonly method: string
  readonly path: UrlPath
  readonly point: EntryPoint
  /** How many segments the entry point consumed. */
  readonly consumed: number
  /** Whether it is `/`, where a localized module answers without a locale, too. */
  readonly isHome: boolean
  /** Hears of each step when the look-up is to be explained. */
  readonly trace: Trace | null
}

/** Hears how a URL is resolved. */
export interface Trace {
  /** How the path begins was looked up. */
  located(path: UrlPath, readings: readonly Reading[]): void
  /** A resolver is going to be asked. */
  asking(step: Step & { kind: 'resolver' }, reading: Reading): void
  /** A step was asked. */
  asked(step: Step, reading: Reading, outcome: Outcome): void
  /** A route was found, and the canonical spelling of its URL; null: as sent. */
  spelled(reading: Reading, found: Found, location: string | null): void
}

/** What a resolver says to a URL that tables or the convention find as well. */
export interface ResolverAnswer {
  /** Class name of the resolver. */
  readonly resolver: string
  readonly priority: number
  /** Priority of the table or the convention that finds the URL. */
  readonly rulePriority: number
  /** Whether the resolver is asked before that. */
  readonly isFirst: boolean
  /** Asks the resolver. */
  readonly ask: () => Eventually<Outcome>
}

/** How the candidates of a URL are tried. */
interface Attempt {
  /** The methods that those tried so far answer instead. */
  readonly refused: Set<string>
  /** What becomes of the first that answers. */
  readonly settle: (reading: Reading, found: Found) => Eventually<RouteMatch>
}

/** Resolves URLs in whatever spelling, and redirects to the canonical one. */
export class Resolution {
  readonly #entries: EntryPoints
  readonly #spelling: Spelling

  /**
   * @param entries Which module owns which URLs.
   * @param spelling How URLs are spelled.
   */
  constructor(entries: EntryPoints, spelling: Spelling) {
    this.#entries = entries
    this.#spelling = spelling
  }

  /**
   * @param method The HTTP method.
   * @param sent The path of the URL as sent.
   * @param trace Hears of each step. Default: nobody.
   * @returns What becomes of the request; a promise when a resolver gave one.
   */
  resolve(method: string, sent: string, trace: Trace | null = null): Eventually<RouteMatch> {
    const path = parsePath(sent)
    if (path === 'malformed') return BAD_REQUEST
    if (path === null) return NOT_FOUND
    const readings = this.#read(method, path, trace)
    trace?.located(path, readings)
    return this.#try(readings, 0, {
      refused: new Set(),
      settle: (reading, found) => this.#canonicalize(reading, found),
    })
  }

  /**
   * Resolves a URL by tables and convention alone, for resolvers may ask anything.
   *
   * @param method The HTTP method.
   * @param sent The path of the URL.
   * @returns The route that it reaches without a redirect, or null.
   */
  verify(method: string, sent: string): Route | null {
    const path = parsePath(sent)
    if (path === null || path === 'malformed') return null
    for (const reading of this.#read(method, path, null)) {
      const outcome = resolveByRule(reading)
      if (outcome?.kind === 'found') return this.#respell(reading, outcome) === null ? outcome.route : null
    }
    return null
  }

  /**
   * The resolvers of the module that tables or the convention find a URL in, also those that a look-up would not come
   * to.
   *
   * @param method The HTTP method.
   * @param sent The path of the URL.
   * @returns The resolvers in their order, none of them asked yet.
   */
  resolversAt(method: string, sent: string): readonly ResolverAnswer[] {
    const path = parsePath(sent)
    if (path === null || path === 'malformed') return []
    const reading = this.#read(method, path, null).find((each) => resolveByRule(each)?.kind === 'found')
    if (reading === undefined || reading.point.claim !== null) return []
    const { steps } = reading.point.module
    const rule = steps.findIndex((step) => askRule(step, reading) !== null)
    const rulePriority = steps[rule]?.kind === 'table' ? 0 : CONVENTION_PRIORITY
    return steps.flatMap((step, index) => {
      if (step.kind !== 'resolver') return []
      const ask = (): Eventually<Outcome> => askResolver(step, reading)
      const name = resolverName(step.resolver)
      return [{ resolver: name, priority: step.priority, rulePriority, isFirst: index < rule, ask }]
    })
  }

  #read(method: string, path: UrlPath, trace: Trace | null): readonly Reading[] {
    const location = this.#entries.locate(path.segments)
    return (location?.candidates ?? []).map((point) => {
      const isHome = path.segments.length === 0
      return { method, path, point, consumed: location?.consumed ?? 0, isHome, trace }
    })
  }

  // One candidate after another: the first that answers wins, and a wrong method is told only when none does.
  #try(readings: readonly Reading[], index: number, attempt: Attempt): Eventually<RouteMatch> {
    const reading = readings[index]
    const { refused, settle } = attempt
    if (reading === undefined) return refused.size === 0 ? NOT_FOUND : methodNotAllowed(refused)
    const go = (outcome: Outcome): Eventually<RouteMatch> => {
      if (outcome?.kind === 'found') return settle(reading, outcome)
      for (const method of outcome?.allowed ?? []) refused.add(method)
      return this.#try(readings, index + 1, attempt)
    }
    const outcome = resolveFrom(reading)
    return outcome instanceof Promise ? outcome.then(go) : go(outcome)
  }

  #canonicalize(reading: Reading, found: Found): Eventually<RouteMatch> {
    const location = this.#respell(reading, found)
    reading.trace?.spelled(reading, found, location)
    if (location === null) return found.route
    const decide = (isReached: boolean): RouteMatch =>
      isReached ? Object.freeze({ kind: 'redirect', location }) : NOT_FOUND
    const isReached = this.#isReached(location, reading, found)
    return isReached instanceof Promise ? isReached.then(decide) : decide(isReached)
  }

  // A spelling may lead to a URL that something else owns, as when a table took the place of the index. Such a spelling
  // is no other name of the route, and so it is nothing.
  #isReached(location: string, reading: Reading, found: Found): Eventually<boolean> {
    const { method, point, path, consumed } = reading
    const isTarget = (route: Route | null): boolean => route?.target === found.route.target
    const target = parsePath(location)
    if (target === null || target === 'malformed') return false
    if (!found.isRule) {
      // A resolver answers the same where it is asked for the same segments behind the same entry point.
      const owner = this.#entries.locate(target.segments)
      return (
        owner?.candidates[0] === point && isSameSegments(found.rest, target.segments.slice(owner.consumed))
      )
    }
    // Resolvers said nothing to these segments; to others, which the convention spells, they may.
    const isAsked = !isSameSegments(found.rest, path.segments.slice(consumed)) && hasResolver(point.module)
    if (!isAsked) return isTarget(this.verify(method, location))
    const match = this.#try(this.#read(method, target, null), 0, {
      refused: new Set(),
      settle: (other, hit) => (this.#respell(other, hit) === null ? hit.route : NOT_FOUND),
    })
    const read = (answer: RouteMatch): boolean => answer.kind === 'found' && isTarget(answer.route)
    return match instanceof Promise ? match.then(read) : read(match)
  }

  #respell({ path, point }: Reading, found: Found): string | null {
    return this.#spelling.respelled(path, point, found.rest)
  }
}

function hasResolver({ steps }: EntryPoint['module']): boolean {
  return steps.some(({ kind }) => kind === 'resolver')
}

function resolveFrom(reading: Reading): Eventually<Outcome> {
  const { claim, module } = reading.point
  if (claim !== null)
    return heard({ kind: 'table', table: claim.table }, reading, askTable(claim.table, reading))
  return runSteps(module.steps, 0, { reading, refused: null })
}

function resolveByRule(reading: Reading): Outcome {
  const { claim, module } = reading.point
  if (claim !== null) return askTable(claim.table, reading)
  for (const step of module.steps) {
    const outcome = askRule(step, reading)
    if (outcome !== null) return outcome
  }
  return null
}

function askRule(step: Step, reading: Reading): Outcome {
  if (step.kind === 'resolver') return null
  return step.kind === 'table' ? askTable(step.table, reading) : askConvention(step, reading)
}

interface Progress {
  readonly reading: Reading
  /** Methods that the convention knows the URL for, when a resolver behind it still may find it. */
  readonly refused: ReadonlySet<string> | null
}

function runSteps(steps: readonly Step[], from: number, progress: Progress): Eventually<Outcome> {
  const { reading } = progress
  let { refused } = progress
  for (const [index, step] of steps.entries()) {
    if (index < from) continue
    if (step.kind === 'table') {
      const outcome = heard(step, reading, askTable(step.table, reading))
      if (outcome !== null) return outcome
    } else if (step.kind === 'convention') {
      const outcome = heard(step, reading, askConvention(step, reading))
      if (outcome?.kind === 'found') return outcome
      refused = outcome?.allowed ?? refused
    } else {
      reading.trace?.asking(step, reading)
      const outcome = askResolver(step, reading)
      if (outcome instanceof Promise) {
        return outcome.then((late) =>
          heard(step, reading, late) === null
            ? runSteps(steps, index + 1, { reading, refused })
            : withMethods(late, refused),
        )
      }
      if (heard(step, reading, outcome) !== null) return withMethods(outcome, refused)
    }
  }
  return refused === null ? null : { kind: 'refused', allowed: refused }
}

// A 405 names all methods that work, also those that the convention knew before (RFC 9110 section 15.5.6).
function withMethods(outcome: Outcome, known: ReadonlySet<string> | null): Outcome {
  if (known === null || outcome?.kind !== 'refused') return outcome
  return { kind: 'refused', allowed: new Set([...known, ...outcome.allowed]) }
}

function heard(step: Step, reading: Reading, outcome: Outcome): Outcome {
  reading.trace?.asked(step, reading, outcome)
  return outcome
}

function askTable(table: Table, reading: Reading): Outcome {
  const { method, path, point, consumed } = reading
  const search = new Search(false)
  search.begin(method, path.text)
  search.locale = point.locale
  const route = search.findRoute(table.levels(point.locale), path.text, offsetOf(path, consumed))
  if (route !== null) return { kind: 'found', route, rest: path.segments.slice(consumed), isRule: true }
  return search.refusal === null ? null : { kind: 'refused', allowed: new Set(search.refusal.allowed) }
}

function askConvention(step: Step & { kind: 'convention' }, reading: Reading): Outcome {
  const { method, path, point, consumed } = reading
  const found = step.convention.find(method, path.segments.slice(consumed).map(plain))
  if (found === null) return null
  if (!('action' in found)) return { kind: 'refused', allowed: found }
  const route = new Route(point.module.targetOf(found.action), found.args, point.locale)
  return { kind: 'found', route, rest: found.canonical, isRule: true }
}

function askResolver(step: Step & { kind: 'resolver' }, reading: Reading): Eventually<Outcome> {
  const { method, path, point, consumed } = reading
  const request = new RouteRequest(point.module, {
    segments: path.segments.slice(consumed).map(plain),
    prefix: point.base,
    locale: point.locale,
    method,
  })
  const read = (route: Route | null): Outcome => {
    if (route === null || route === undefined) return null
    // Another module's route comes with that module's middlewares, and the gate of this one would be open. One of an
    // earlier request, or of one under way beside this, comes with the arguments, locale and objects of another client.
    if (!request.hasMade(route)) throw refusedAnswer(step, point.module, route)
    return { kind: 'found', route, rest: path.segments.slice(consumed), isRule: false }
  }
  try {
    const answer = step.resolver.resolve(request)
    // A query builder may have a promise of its own.
    return isPromiseLike(answer) ? Promise.resolve(answer).then(read).catch(readRefusal) : read(answer)
  } catch (error) {
    return readRefusal(error)
  }
}

function refusedAnswer(
  { resolver }: Step & { kind: 'resolver' },
  { label }: EntryPoint['module'],
  answer: unknown,
): Error {
  const name = resolverName(resolver)
  const who = name === '' || name === 'Object' ? 'a resolver' : name
  const what = `Cannot use the answer of ${who} in ${label}: it is`
  const mend = 'give what request.route(…) of the request makes that this resolver was given, or null'
  if (!isRoute(answer)) return new ResolverFault(inOneLine(`${what} ${shown(answer)}; ${mend}`))
  const { module, target } = answer
  const made = `a route to ${target.action.label} that was made for module ${shown(module)}, but not by this request`
  const reason =
    'each resolver gets a request of its own, and a route that is kept has arguments and locale of another'
  return new RoutingException('invalid-resolver', `${what} ${made}; ${mend}, for ${reason}`)
}

function readRefusal(error: unknown): Outcome {
  if (error instanceof NotFoundException) return null
  if (error instanceof MethodNotAllowedException)
    return { kind: 'refused', allowed: new Set(error.allowedMethods) }
  throw error
}

function offsetOf(path: UrlPath, consumed: number): number {
  let at = 0
  for (const segment of path.segments.slice(0, consumed)) at += 1 + segment.length
  return at
}
