import { sentence } from '../../core/internal.ts'
import type { FormParameter } from './form-parameter.ts'
import type { InputParameter } from './input-parameter.ts'
import type { ParameterType } from './parameter-type.ts'
import { RoutingException } from '../routing-exception.ts'

/** How a parameter of an action is filled: from one segment, from one that may be missing, from all that are left. */
export type ParameterRole = 'required' | 'optional' | 'rest'

/** A parameter of an action that is filled from the URL. Made by `param`. */
export class UrlParameter<T = unknown, R extends ParameterRole = ParameterRole> {
  /** Name, by which placeholders of a table route are bound. */
  readonly name: string
  /** What its segments are read as. */
  readonly type: ParameterType<T>
  /** How it is filled. */
  readonly role: R
  /**
   * @param text A decoded segment.
   * @returns The value, or undefined when the text does not fit.
   */
  readonly parse: (text: string) => T | undefined

  /**
   * @param name Name of the parameter.
   * @param type What its segments are read as.
   * @param role How it is filled.
   */
  constructor(name: string, type: ParameterType<T>, role: R) {
    this.name = name
    this.type = type
    this.role = role
    this.parse = type.parse
    Object.freeze(this)
  }
}

/** Anything that may stand in the signature of an action. */
export type ActionParameter = UrlParameter | InputParameter | FormParameter

/** Says whose parameter it is that cannot be read or written, of a route or action: the functions of its type know neither. */
export function parameterFault(
  parameter: UrlParameter | undefined,
  owner: string,
  cause: unknown,
): RoutingException {
  const reason = cause instanceof Error ? cause.message : sentence`its type threw`
  const message = sentence`Cannot use the parameter "${parameter?.name}" of ${owner}: ${reason}`
  return new RoutingException('invalid-parameter', message, { cause })
}
