import { declarationError, sentence, shown } from '../../core/internal.ts'
import type { FormParameter } from './form-parameter.ts'
import type { InputParameter } from './input-parameter.ts'
import { BOOL, FLOAT, INT, STRING } from './built-in-types.ts'
import { ParameterType } from './parameter-type.ts'
import { RoutingException } from '../routing-exception.ts'

/** How a parameter of an action is filled: from one segment, from one that may be missing, from all that are left. */
export type ParameterRole = 'required' | 'optional' | 'rest'

/** A parameter of an action that is filled from the URL. Made by {@link param}. */
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

/** A required parameter of an action; `optional()` makes it one that may be missing. */
export class RequiredParameter<T = unknown> extends UrlParameter<T, 'required'> {
  /**
   * @returns The same parameter, which may be missing at the end of the URL. Only trailing parameters may be.
   */
  optional(): UrlParameter<T, 'optional'> {
    return new UrlParameter(this.name, this.type, 'optional')
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

/**
 * The parameters that an action takes from the URL, for its entry in `static actions`. A text that does not fit its
 * type is no match: the URL is not found.
 *
 * @example
 * ```ts
 * import assert from 'node:assert/strict'
 * import { App, Controller, defineModule } from 'sallyport'
 * import { type Actions, param } from 'sallyport/routing'
 * import { TestClient } from 'sallyport/testing'
 *
 * class ArchiveController extends Controller {
 *   static readonly actions = {
 *     index: [param.int('year'), param.int('month').optional()],
 *     tags: [param.rest(param.string('tag'))],
 *   } satisfies Actions<ArchiveController>
 *
 *   index(year: number, month?: number) {
 *     return { year, month: month ?? null }
 *   }
 *
 *   tags(...tags: string[]) {
 *     return { tags }
 *   }
 * }
 * const client = new TestClient(
 *   App.default().modules(defineModule('Blog', (module) => module.controllers(ArchiveController))),
 * )
 *
 * assert.deepEqual(await (await client.get('/blog/archive/2026')).json(), { year: 2026, month: null })
 * assert.deepEqual(await (await client.get('/blog/archive/tags/tea/green')).json(), {
 *   tags: ['tea', 'green'],
 * })
 * assert.equal((await client.get('/blog/archive/tea')).status, 404)
 * ```
 */
export const param: {
  /**
   * @param name Name of the parameter.
   * @returns A parameter that takes any segment.
   */
  string(name: string): RequiredParameter<string>
  /**
   * @param name Name of the parameter.
   * @returns A parameter that takes `-?(0|[1-9][0-9]*)` within the safe integers, without `-0`.
   */
  int(name: string): RequiredParameter<number>
  /**
   * @param name Name of the parameter.
   * @returns A parameter that takes an integer with an optional fraction and exponent, finite, without `-0`.
   */
  float(name: string): RequiredParameter<number>
  /**
   * @param name Name of the parameter.
   * @returns A parameter that takes `true`, `false`, `1` and `0`.
   */
  bool(name: string): RequiredParameter<boolean>
  /**
   * @param type A type of the application's own, made by `parameterType()`.
   * @param name Name of the parameter.
   * @returns A parameter that takes what the type does.
   * @throws {TypeError} If the type was made otherwise.
   */
  of<T>(type: ParameterType<T>, name: string): RequiredParameter<T>
  /**
   * @param parameter What each of the segments is.
   * @returns A parameter that takes all segments that are left, last in the signature: `...tags: string[]`.
   * @throws {TypeError} If it is no required parameter.
   */
  rest<T>(parameter: RequiredParameter<T>): UrlParameter<T, 'rest'>
} = Object.freeze({
  string: (name) => new RequiredParameter(name, STRING, 'required'),
  int: (name) => new RequiredParameter(name, INT, 'required'),
  float: (name) => new RequiredParameter(name, FLOAT, 'required'),
  bool: (name) => new RequiredParameter(name, BOOL, 'required'),
  of: (type, name) => {
    if (type instanceof ParameterType) return new RequiredParameter(name, type, 'required')
    throw declarationError(
      sentence`Cannot make the parameter ${shown(name)} of ${shown(type)}: pass a type made by parameterType()`,
    )
  },
  rest: (parameter) => {
    if (parameter instanceof RequiredParameter)
      return new UrlParameter(parameter.name, parameter.type, 'rest')
    throw declarationError(
      sentence`Cannot take the rest of a URL as ${shown(parameter)}: pass a parameter such as param.string('tag')`,
    )
  },
})
