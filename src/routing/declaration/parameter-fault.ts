import type { UrlParameter } from './parameter.ts'
import { RoutingException } from '../routing-exception.ts'

/**
 * Says whose parameter it is that cannot be read or written: the functions of its type know neither.
 *
 * @param parameter The parameter.
 * @param owner The route or action that it is of, as messages name it.
 * @param cause What its type threw.
 * @returns The error to throw.
 */
export function parameterFault(
  parameter: UrlParameter | undefined,
  owner: string,
  cause: unknown,
): RoutingException {
  const reason = cause instanceof Error ? cause.message : 'its type threw'
  const message = `Cannot use the parameter "${parameter?.name}" of ${owner}: ${reason}`
  return new RoutingException('invalid-parameter', message, { cause })
}
