import { type RoutingErrorCode, RoutingException } from '../routing-exception.ts'

/**
 * @param code The condition.
 * @param what What the URL is for, as messages name it.
 * @param reason Why it cannot be generated, and what to do.
 * @returns The error to throw.
 */
export function refuseUrl(code: RoutingErrorCode, what: string, reason: string): RoutingException {
  return new RoutingException(code, `Cannot generate a URL for ${what}: ${reason}`)
}
