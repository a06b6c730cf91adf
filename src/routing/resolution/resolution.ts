import { whenReady } from '../../core/internal.ts'
import type { FastPath } from '../fast-path/fast-path.ts'
import {
  BAD_REQUEST,
  methodNotAllowed,
  NOT_FOUND,
  Route,
  type RouteMatch,
  type RouteTarget,
  UNKNOWN_PATTERN,
} from '../route.ts'
import type { Step } from '../routed-module.ts'
import { isSameSegments, type Spelling } from '../spelling.ts'
import { Search } from '../table/search.ts'
import { MAX_PATH_LENGTH, parsePath, plain, type UrlPath } from '../url-path.ts'
import type { Candidate, MaybePromise, Outcome, ResolverStep, StepMatch } from './ask-resolver.ts'
import type { EntryPoints } from './entry-points.ts'
import type { ResolverParts } from '../late-resolvers.ts'
import { resolverName } from './resolver.ts'

/** Follows how a URL is resolved, each part once it is done; `asking` comes before a resolver is asked. */
export interface Trace {
  located(path: UrlPath, candidates: readonly Candidate[]): void
  asking(step: ResolverStep, candidate: Candidate): void
  asked(step: Step, candidate: Candidate, outcome: Outcome): void
  /** A route was found, and the canonical spelling of its URL; null: as sent. */
  spelled(match: StepMatch, location: string | null): void
}

/** What a resolver says to a URL that tables or the convention find as well. */
export interface ResolverAnswer {
  readonly resolver: string
  readonly priority: number
  /** Priority of the table or the convention that finds the URL. */
  readonly rulePriority: number
  /** Whether the resolver is asked before that. */
  readonly isFirst: boolean
  readonly ask: () => MaybePromise<Outcome>
}

/** What a URL is resolved with. */
export interface ResolutionParts {
  readonly entries: EntryPoints
  readonly spelling: Spelling
  readonly fastPath: FastPath
  /** What asks resolvers; null where no module has one. */
  readonly resolvers: ResolverParts | null
}

/** Resolves URLs in whatever spelling, and redirects to the canonical one. */
export class Resolution {
  readonly #entries: EntryPoints
  readonly #spelling: Spelling
  readonly #fastPath: FastPath
  readonly #resolvers: ResolutionParts['resolvers']

  constructor({ entries, spelling, fastPath, resolvers }: ResolutionParts) {
    this.#entries = entries
    this.#spelling = spelling
    this.#fastPath = fastPath
    this.#resolvers = resolvers
  }

  /** What becomes of a request that the fast path does not decide; a promise when a resolver gave one. */
  resolve(method: string, sent: string, trace: Trace | null = null): MaybePromise<RouteMatch> {
    const path = parsePath(sent)
    if (path === 'malformed') return BAD_REQUEST
    if (path === null) return NOT_FOUND
    const candidates = this.#candidates(method, path)
    trace?.located(path, candidates)
    const lookup = this.#lookUp(candidates, trace, (match) => {
      const location = this.#respelled(match)
      trace?.spelled(match, location)
      return location === null ? match.route : this.#redirect(location, match)
    })
    return run(lookup)
  }

  /** The route that tables and convention alone give for a URL without a redirect, or null: resolvers may ask anything. */
  verify(method: string, sent: string): Route | null {
    if (sent.length > MAX_PATH_LENGTH) return null
    // What the fast path decides needs no resolver, so it is certain.
    const fast = this.#fastPath.match(method, sent)
    if (fast !== null) return fast.kind === 'found' ? fast.route : null
    const match = this.#byRules(method, sent)
    return match !== null && this.#respelled(match) === null ? match.route : null
  }

  /** What tables and convention alone give for a URL in any spelling, or null. */
  targetAt(method: string, sent: string): RouteTarget | null {
    return this.#byRules(method, sent)?.route.target ?? null
  }

  /**
   * The pattern of the route that a URL belongs to, in any spelling and also for a method that it does not answer; null when
   * there is none. No resolver is asked: where one might answer, it is the pattern of all that it finds.
   */
  patternAt(method: string, sent: string): string | null {
    const path = parsePath(sent)
    if (path === null || path === 'malformed') return null
    let resolved: string | null = null
    let other: Route | null = null
    for (const candidate of this.#candidates(method, path)) {
      for (const step of candidate.point.steps) {
        if (step.kind === 'resolver') resolved ??= candidate.point.base + UNKNOWN_PATTERN
        const outcome = askRule(step, candidate)
        if (outcome?.kind === 'found') return outcome.route.pattern
        const [allowed] = outcome === null ? [] : [...outcome.allowed].sort()
        if (allowed !== undefined) other ??= this.#byRules(allowed, sent)?.route ?? null
      }
    }
    return other?.pattern ?? resolved
  }

  /** The resolvers where tables or the convention find a URL, also those that a lookup would not come to. None is asked yet. */
  resolversAt(method: string, sent: string): readonly ResolverAnswer[] {
    const match = this.#byRules(method, sent)
    if (match === null) return []
    const { candidate, step: rule } = match
    const { steps } = candidate.point
    return steps.flatMap((step, index) => {
      if (step.kind !== 'resolver') return []
      const { priority } = step
      const resolver = resolverName(step.resolver)
      const isFirst = index < steps.indexOf(rule)
      const ask = (): MaybePromise<Outcome> => this.#ask(step, candidate)
      return [{ resolver, priority, rulePriority: rule.priority, isFirst, ask }]
    })
  }

  #candidates(method: string, path: UrlPath): readonly Candidate[] {
    const { candidates, consumed } = this.#entries.locate(path.segments)
    const rest = path.segments.slice(consumed)
    return candidates.map((point) => ({ method, path, point, consumed, rest }))
  }

  #byRules(method: string, sent: string): StepMatch | null {
    const path = parsePath(sent)
    if (path === null || path === 'malformed') return null
    for (const candidate of this.#candidates(method, path)) {
      for (const step of candidate.point.steps) {
        const outcome = askRule(step, candidate)
        if (outcome?.kind === 'found') return outcome
        if (outcome !== null) break
      }
    }
    return null
  }

  #respelled({ candidate: { path, point }, canonical }: StepMatch): string | null {
    return this.#spelling.respelled(path, point, canonical)
  }

  // A spelling may lead to a URL that something else owns, as when a table took the place of the index. Such a spelling
  // is not another name of the route, so nothing is found.
  #redirect(location: string, match: StepMatch): MaybePromise<RouteMatch> {
    return whenReady(this.#isReached(location, match), (isReached) =>
      isReached ? Object.freeze({ kind: 'redirect', location }) : NOT_FOUND,
    )
  }

  #isReached(location: string, { candidate, canonical, step, route }: StepMatch): MaybePromise<boolean> {
    const { method, point, rest } = candidate
    const target = parsePath(location)
    if (target === null || target === 'malformed') return false
    if (step.kind === 'resolver') {
      // A resolver answers the same where it is asked for the same segments behind the same entry point.
      const [first] = this.#candidates(method, target)
      return first?.point === point && isSameSegments(canonical, first.rest)
    }
    const isTarget = (reached: Route | null): boolean => reached?.target === route.target
    // Resolvers said nothing to these segments; to others, which the convention spells, they may.
    const hasResolver = point.steps.some(({ kind }) => kind === 'resolver')
    if (!hasResolver || isSameSegments(canonical, rest)) return isTarget(this.verify(method, location))
    const lookup = this.#lookUp(this.#candidates(method, target), null, (hit) =>
      this.#respelled(hit) === null ? hit.route : NOT_FOUND,
    )
    return whenReady(run(lookup), (answer) => answer.kind === 'found' && isTarget(answer.route))
  }

  // Asks each candidate, and of each every step: the first route wins, and methods are refused only when there is none.
  *#lookUp(
    candidates: readonly Candidate[],
    trace: Trace | null,
    settle: (match: StepMatch) => MaybePromise<RouteMatch>,
  ): Lookup {
    const refused = new Set<string>()
    for (const candidate of candidates) {
      for (const step of candidate.point.steps) {
        if (step.kind === 'resolver') trace?.asking(step, candidate)
        const outcome = yield step.kind === 'resolver' ? this.#ask(step, candidate) : askRule(step, candidate)
        trace?.asked(step, candidate, outcome)
        if (outcome === null) continue
        if (outcome.kind === 'found') return settle(outcome)
        // A 405 names all methods that work, also those that the convention knew before (RFC 9110 section 15.5.6).
        for (const method of outcome.allowed) refused.add(method)
        // The convention does not decide by refusing a method: a resolver behind it may find the URL still.
        if (step.kind !== 'convention') break
      }
    }
    return refused.size === 0 ? NOT_FOUND : methodNotAllowed(refused)
  }

  #ask(step: ResolverStep, candidate: Candidate): MaybePromise<Outcome> {
    // Without them no step of a resolver has been made.
    return this.#resolvers?.askResolver(step, candidate) ?? null
  }
}

type Lookup = Generator<MaybePromise<Outcome>, MaybePromise<RouteMatch>, Outcome>

// Goes on at once with an answer that is not a promise.
function run(lookup: Lookup, said: Outcome = null): MaybePromise<RouteMatch> {
  let next = lookup.next(said)
  while (next.done !== true) {
    if (next.value instanceof Promise) return next.value.then((late) => run(lookup, late))
    next = lookup.next(next.value)
  }
  return next.value
}

function askRule(step: Step, candidate: Candidate): Outcome {
  if (step.kind === 'resolver') return null
  return step.kind === 'table' ? askTable(step, candidate) : askConvention(step, candidate)
}

function askTable(step: Step & { kind: 'table' }, candidate: Candidate): Outcome {
  const { method, path, point, consumed, rest } = candidate
  const search = new Search(false)
  search.begin(method, path.text)
  search.locale = point.locale
  const offset = path.segments.slice(0, consumed).reduce((at, segment) => at + 1 + segment.length, 0)
  const route = search.findRoute(step.table.levels(point.locale), path.text, offset)
  if (route !== null) return { kind: 'found', route, step, candidate, canonical: rest }
  return search.refusal === null ? null : { kind: 'refused', allowed: new Set(search.refusal.allowed) }
}

function askConvention(step: Step & { kind: 'convention' }, candidate: Candidate): Outcome {
  const { method, point, rest } = candidate
  const found = step.convention.find(method, rest.map(plain))
  if (found === null) return null
  if (!('action' in found)) return { kind: 'refused', allowed: found }
  const route = new Route(point.module.targetOf(found.action), found.args, point.locale)
  return { kind: 'found', route, step, candidate, canonical: found.canonical }
}
