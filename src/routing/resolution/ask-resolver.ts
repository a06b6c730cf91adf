import { inOneLine, isPromiseLike, shown } from '../../core/internal.ts'
import { MethodNotAllowedException, NotFoundException } from '../../http/index.ts'
import { isRoute, type Route } from '../route.ts'
import type { Step } from '../routed-module.ts'
import { RoutingException } from '../routing-exception.ts'
import { plain } from '../url-path.ts'
import type { Candidate, MaybePromise, Outcome } from './candidate.ts'
import { resolverName } from './resolver.ts'
import { ResolverFault } from './resolver-fault.ts'
import { RouteRequest } from './route-request.ts'

type ResolverStep = Step & { kind: 'resolver' }

/**
 * Asks a resolver for a URL.
 *
 * @param step The resolver.
 * @param candidate The URL, read from an entry point of its module.
 * @returns What it says; a promise when it gives one.
 * @throws {TypeError | RoutingException} If it answers with what is not a route of this request; whatever it throws.
 */
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
    return { kind: 'found', route, canonical: rest, isRule: false }
  }
  try {
    const answer = step.resolver.resolve(request)
    // A query builder may have a promise of its own.
    return isPromiseLike(answer) ? Promise.resolve(answer).then(read).catch(readRefusal) : read(answer)
  } catch (error) {
    return readRefusal(error)
  }
}

function refusedAnswer({ resolver }: ResolverStep, { point }: Candidate, answer: unknown): Error {
  const name = resolverName(resolver)
  const who = name === '' || name === 'Object' ? 'a resolver' : name
  const what = `Cannot use the answer of ${who} in ${point.module.label}: it is`
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
