import { inOneLine, isPromiseLike, sentence, shown } from '../../core/internal.ts'
import { MethodNotAllowedException, NotFoundException } from '../../http/index.ts'
import { isRoute, type Route } from '../route.ts'
import type { Step } from '../routed-module.ts'
import { RoutingException, type RoutingErrorCode } from '../routing-exception.ts'
import { plain, type UrlPath } from '../url-path.ts'
import type { EntryPoint } from './entry-points.ts'
import { resolverName } from './resolver.ts'
import { ResolverFault, RouteRequest } from './route-request.ts'

/** A URL as it is read from one entry point on. Without a locale prefix there may be several. */
export interface Candidate {
  readonly method: string
  readonly path: UrlPath
  readonly point: EntryPoint
  /** How many segments the entry point takes. */
  readonly consumed: number
  /** The segments behind it. */
  readonly rest: readonly string[]
}

/** A route that a step found. */
export interface StepMatch {
  readonly kind: 'found'
  readonly route: Route
  readonly step: Step
  readonly candidate: Candidate
  /** The canonical spelling of the segments behind the entry point. */
  readonly canonical: readonly string[]
}

/** What a step says: a route, the methods that it has one for, or that it does not know the URL. */
export type Outcome = StepMatch | { readonly kind: 'refused'; readonly allowed: ReadonlySet<string> } | null

export type MaybePromise<T> = T | Promise<T>
export type ResolverStep = Step & { kind: 'resolver' }

const FAULTS = new Set<RoutingErrorCode>(['invalid-resolver', 'invalid-action', 'invalid-parameter'])

/** What a resolver says to a URL. What is not a route of this request is refused, and what it throws is thrown on. */
export function askResolver(step: ResolverStep, candidate: Candidate): MaybePromise<Outcome> {
  const { method, point, rest } = candidate
  const request = new RouteRequest(point.module, {
    segments: rest.map(plain),
    prefix: point.base,
    locale: point.locale,
    method,
  })
  const read = (route: Route | null): Outcome => {
    if (route === null || route === undefined) return null
    // Another module's route comes with that module's middlewares, and the gate of this one would be open. One of an
    // earlier request, or of one under way beside this, comes with the arguments, locale and objects of another client.
    if (!request.hasMade(route)) throw refusedAnswer(step, candidate, route)
    return { kind: 'found', route, step, candidate, canonical: rest }
  }
  try {
    const answer = step.resolver.resolve(request)
    // A query builder may have a promise of its own.
    return isPromiseLike(answer) ? Promise.resolve(answer).then(read).catch(readRefusal) : read(answer)
  } catch (error) {
    return readRefusal(error)
  }
}

/**
 * Whether an error says that the answer of a resolver is wrong, whatever the resolver works with: what it throws by itself may
 * be for want of a database.
 */
export function isResolverFault(error: unknown): boolean {
  return error instanceof ResolverFault || (error instanceof RoutingException && FAULTS.has(error.code))
}

function refusedAnswer({ resolver }: ResolverStep, { point }: Candidate, answer: unknown): Error {
  const name = resolverName(resolver)
  const who = name === '' || name === 'Object' ? 'a resolver' : name
  const what = sentence`Cannot use the answer of ${who} in ${point.module.label}: it is`
  const mend = sentence`return null, or a route made by request.route(…) on the request that this resolver received`
  if (!isRoute(answer)) return new ResolverFault(inOneLine(`${what} ${shown(answer)}; ${mend}`))
  const { module, target } = answer
  const made = sentence`a route to ${target.action.label} that was made for module ${shown(module)}, but not by this request`
  const reason = sentence`each resolver receives its own request, and a route kept from another one has the arguments and the locale of that one`
  return new RoutingException('invalid-resolver', `${what} ${made}; ${mend}: ${reason}`)
}

function readRefusal(error: unknown): Outcome {
  if (error instanceof NotFoundException) return null
  if (error instanceof MethodNotAllowedException)
    return { kind: 'refused', allowed: new Set(error.allowedMethods) }
  throw error
}
