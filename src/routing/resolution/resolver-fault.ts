import { RoutingException, type RoutingErrorCode } from '../routing-exception.ts'

/** A resolver answers with what is no route of its request, or asks for a route in a way that cannot be. */
export class ResolverFault extends TypeError {}

const CODES: ReadonlySet<RoutingErrorCode> = new Set([
  'invalid-resolver',
  'invalid-action',
  'invalid-parameter',
])

/**
 * Whether an error says that the answer of a resolver is wrong, whatever the resolver works with: what it throws by itself may
 * be for want of a database.
 */
export function isResolverFault(error: unknown): boolean {
  return error instanceof ResolverFault || (error instanceof RoutingException && CODES.has(error.code))
}
