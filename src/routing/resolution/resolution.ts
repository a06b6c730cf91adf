import { whenReady } from '../../core/internal.ts'
import { BAD_REQUEST, methodNotAllowed, NOT_FOUND, Route, type RouteMatch } from '../route.ts'
import type { Step } from '../routed-module.ts'
import { isSameSegments, type Spelling } from '../spelling.ts'
import { Search } from '../table/search.ts'
import type { Table } from '../table/table.ts'
import { parsePath, plain, type UrlPath } from '../url-path.ts'
import { askResolver } from './ask-resolver.ts'
import type { Candidate, MaybePromise, Outcome, StepMatch, Trace } from './candidate.ts'
import type { EntryPoints } from './entry-points.ts'
import { resolverName } from './resolver.ts'

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
  readonly ask: () => MaybePromise<Outcome>
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
   * @param trace Follows each step. Default: nothing does.
   * @returns What becomes of the request; a promise when a resolver gave one.
   */
  resolve(method: string, sent: string, trace: Trace | null = null): MaybePromise<RouteMatch> {
    const path = parsePath(sent)
    if (path === 'malformed') return BAD_REQUEST
    if (path === null) return NOT_FOUND
    const candidates = this.#candidates(method, path)
    trace?.located(path, candidates)
    return firstOf(candidates, trace, (candidate, match) => {
      const location = this.#respelled(candidate, match)
      trace?.spelled(candidate, match, location)
      return location === null ? match.route : this.#redirect(location, candidate, match)
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
    const { candidate, match } = this.#byRules(method, sent) ?? {}
    if (candidate === undefined || match === undefined) return null
    return this.#respelled(candidate, match) === null ? match.route : null
  }

  /**
   * The resolvers of the module that tables or the convention find a URL in, also those that a lookup would not come to.
   *
   * @param method The HTTP method.
   * @param sent The path of the URL.
   * @returns The resolvers in their order, none of them asked yet.
   */
  resolversAt(method: string, sent: string): readonly ResolverAnswer[] {
    const { candidate } = this.#byRules(method, sent) ?? {}
    if (candidate === undefined) return []
    const { steps } = candidate.point
    const rule = steps.findIndex((step) => askRule(step, candidate) !== null)
    const rulePriority = steps[rule]?.priority ?? 0
    return steps.flatMap((step, index) => {
      if (step.kind !== 'resolver') return []
      const ask = (): MaybePromise<Outcome> => askResolver(step, candidate)
      const resolver = resolverName(step.resolver)
      return [{ resolver, priority: step.priority, rulePriority, isFirst: index < rule, ask }]
    })
  }

  #candidates(method: string, path: UrlPath): readonly Candidate[] {
    const { candidates = [], consumed = 0 } = this.#entries.locate(path.segments) ?? {}
    const rest = path.segments.slice(consumed)
    return candidates.map((point) => ({ method, path, point, consumed, rest }))
  }

  #byRules(
    method: string,
    sent: string,
  ): { readonly candidate: Candidate; readonly match: StepMatch } | undefined {
    const path = parsePath(sent)
    if (path === null || path === 'malformed') return undefined
    for (const candidate of this.#candidates(method, path)) {
      const match = askRules(candidate)
      if (match?.kind === 'found') return { candidate, match }
    }
    return undefined
  }

  #respelled({ path, point }: Candidate, { canonical }: StepMatch): string | null {
    return this.#spelling.respelled(path, point, canonical)
  }

  // A spelling may lead to a URL that something else owns, as when a table took the place of the index. Such a spelling
  // is not another name of the route, so nothing is found.
  #redirect(location: string, candidate: Candidate, match: StepMatch): MaybePromise<RouteMatch> {
    return whenReady(this.#isReached(location, candidate, match), (isReached) =>
      isReached ? Object.freeze({ kind: 'redirect', location }) : NOT_FOUND,
    )
  }

  #isReached(location: string, candidate: Candidate, match: StepMatch): MaybePromise<boolean> {
    const { method, point, rest } = candidate
    const target = parsePath(location)
    if (target === null || target === 'malformed') return false
    if (!match.isRule) {
      // A resolver answers the same where it is asked for the same segments behind the same entry point.
      const owner = this.#entries.locate(target.segments)
      const behind = target.segments.slice(owner?.consumed)
      return owner?.candidates[0] === point && isSameSegments(match.canonical, behind)
    }
    const isTarget = (route: Route | null): boolean => route?.target === match.route.target
    // Resolvers said nothing to these segments; to others, which the convention spells, they may.
    const isAsked = !isSameSegments(match.canonical, rest) && point.steps.some(isResolver)
    if (!isAsked) return isTarget(this.verify(method, location))
    const reached = firstOf(this.#candidates(method, target), null, (other, hit) =>
      this.#respelled(other, hit) === null ? hit.route : NOT_FOUND,
    )
    return whenReady(reached, (answer) => answer.kind === 'found' && isTarget(answer.route))
  }
}

// One candidate after another: the first that has a route wins, and methods are refused only when none has one.
function firstOf(
  candidates: readonly Candidate[],
  trace: Trace | null,
  settle: (candidate: Candidate, match: StepMatch) => MaybePromise<RouteMatch>,
): MaybePromise<RouteMatch> {
  const refused = new Set<string>()
  const tryFrom = (index: number): MaybePromise<RouteMatch> => {
    const candidate = candidates[index]
    if (candidate === undefined) return refused.size === 0 ? NOT_FOUND : methodNotAllowed(refused)
    return whenReady(runSteps(candidate, trace), (outcome) => {
      if (outcome?.kind === 'found') return settle(candidate, outcome)
      for (const method of outcome?.allowed ?? []) refused.add(method)
      return tryFrom(index + 1)
    })
  }
  return tryFrom(0)
}

// Asks the steps of the entry point until one decides. The convention does not decide by refusing a method: a resolver behind
// it may find the URL still.
function runSteps(candidate: Candidate, trace: Trace | null): MaybePromise<Outcome> {
  const { steps } = candidate.point
  let refused: ReadonlySet<string> | null = null
  const decide = (step: Step, outcome: Outcome): Outcome => {
    trace?.asked(step, candidate, outcome)
    if (outcome?.kind !== 'refused') return outcome
    // A 405 names all methods that work, also those that the convention knew before (RFC 9110 section 15.5.6).
    refused = new Set([...(refused ?? []), ...outcome.allowed])
    return step.kind === 'convention' ? null : { kind: 'refused', allowed: refused }
  }
  const runFrom = (from: number): MaybePromise<Outcome> => {
    for (let index = from; index < steps.length; index++) {
      const step = steps[index]
      if (step === undefined) break
      if (step.kind === 'resolver') trace?.asking(step, candidate)
      const said = step.kind === 'resolver' ? askResolver(step, candidate) : askRule(step, candidate)
      if (said instanceof Promise) return said.then((late) => decide(step, late) ?? runFrom(index + 1))
      const outcome = decide(step, said)
      if (outcome !== null) return outcome
    }
    return refused === null ? null : { kind: 'refused', allowed: refused }
  }
  return runFrom(0)
}

function askRules(candidate: Candidate): Outcome {
  for (const step of candidate.point.steps) {
    const outcome = askRule(step, candidate)
    if (outcome !== null) return outcome
  }
  return null
}

function askRule(step: Step, candidate: Candidate): Outcome {
  if (step.kind === 'resolver') return null
  return step.kind === 'table' ? askTable(step.table, candidate) : askConvention(step, candidate)
}

function askTable(table: Table, { method, path, point, consumed, rest }: Candidate): Outcome {
  const search = new Search(false)
  search.begin(method, path.text)
  search.locale = point.locale
  const route = search.findRoute(table.levels(point.locale), path.text, offsetOf(path, consumed))
  if (route !== null) return { kind: 'found', route, canonical: rest, isRule: true }
  return search.refusal === null ? null : { kind: 'refused', allowed: new Set(search.refusal.allowed) }
}

function askConvention(
  { convention }: Step & { kind: 'convention' },
  { method, point, rest }: Candidate,
): Outcome {
  const found = convention.find(method, rest.map(plain))
  if (found === null) return null
  if (!('action' in found)) return { kind: 'refused', allowed: found }
  const route = new Route(point.module.targetOf(found.action), found.args, point.locale)
  return { kind: 'found', route, canonical: found.canonical, isRule: true }
}

function isResolver({ kind }: Step): boolean {
  return kind === 'resolver'
}

function offsetOf(path: UrlPath, consumed: number): number {
  let at = 0
  for (const segment of path.segments.slice(0, consumed)) at += 1 + segment.length
  return at
}
