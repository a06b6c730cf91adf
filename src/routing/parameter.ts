import type { SchemaOutput, StandardSchema } from '../input/index.ts'

/** The types that a URL segment is read as. */
export type ParameterKind = 'string' | 'int' | 'float' | 'bool'

/** How a parameter of an action is filled: from one segment, from one that may be missing, from all that are left. */
export type ParameterRole = 'required' | 'optional' | 'rest'

/** A parameter of an action that is filled from the URL. Made by {@link param}. */
export class UrlParameter<T = unknown, R extends ParameterRole = ParameterRole> {
  /** Name, by which placeholders of a table route are bound. */
  readonly name: string
  /** Type of the value. */
  readonly kind: ParameterKind
  /** How it is filled. */
  readonly role: R
  /**
   * @param text A decoded segment.
   * @returns The value, or undefined when the text does not fit.
   */
  readonly parse: (text: string) => T | undefined

  /**
   * @param name Name of the parameter.
   * @param kind Type of the value.
   * @param shape `role`: how it is filled; `parse`: reads a segment.
   */
  constructor(
    name: string,
    kind: ParameterKind,
    shape: { readonly role: R; readonly parse: (text: string) => T | undefined },
  ) {
    this.name = name
    this.kind = kind
    this.role = shape.role
    this.parse = shape.parse
  }
}

/** A required parameter of an action; `optional()` makes it one that may be missing. */
export class RequiredParameter<T = unknown> extends UrlParameter<T, 'required'> {
  /**
   * @returns The same parameter, which may be missing at the end of the URL. Only trailing parameters may be.
   */
  optional(): UrlParameter<T, 'optional'> {
    return new UrlParameter(this.name, this.kind, { role: 'optional', parse: this.parse })
  }
}

/** The one parameter of an action that is filled from query and body. Made by {@link input}. */
export class InputParameter<T = unknown> {
  /** Tells it from the parameters that are filled from the URL. */
  readonly role = 'input'
  /** The schema that judges query and body. */
  readonly schema: StandardSchema<unknown, T>

  /**
   * @param schema Any Standard Schema.
   */
  constructor(schema: StandardSchema<unknown, T>) {
    this.schema = schema
  }
}

/** Anything that may stand in the signature of an action. */
export type ActionParameter = UrlParameter | InputParameter

const SIGN = 45
const ZERO = 48

/**
 * The parameters that an action takes from the URL, for its entry in `static actions`. A text that does not fit its
 * type is no match: the URL is not found.
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
   * @param parameter What each of the segments is.
   * @returns A parameter that takes all segments that are left, last in the signature: `...tags: string[]`.
   */
  rest<T>(parameter: RequiredParameter<T>): UrlParameter<T, 'rest'>
} = {
  string: (name) => new RequiredParameter(name, 'string', { role: 'required', parse: (text) => text }),
  int: (name) => new RequiredParameter(name, 'int', { role: 'required', parse: parseInteger }),
  float: (name) => new RequiredParameter(name, 'float', { role: 'required', parse: parseDecimal }),
  bool: (name) => new RequiredParameter(name, 'bool', { role: 'required', parse: parseBoolean }),
  rest: (parameter) =>
    new UrlParameter(parameter.name, parameter.kind, { role: 'rest', parse: parameter.parse }),
}

/**
 * The parameter that an action takes from query and body, last in its signature and at most once. It consumes no
 * segment of the URL.
 *
 * @param schema Any Standard Schema.
 * @returns The parameter.
 */
export function input<S extends StandardSchema>(schema: S): InputParameter<SchemaOutput<S>> {
  return new InputParameter(schema)
}

function parseInteger(text: string): number | undefined {
  const start = text.charCodeAt(0) === SIGN ? 1 : 0
  const digits = text.length - start
  // 9007199254740991 has sixteen digits.
  if (digits < 1 || digits > 16) return undefined
  if (text.charCodeAt(start) === ZERO && text.length > 1) return undefined
  let value = 0
  for (let at = start; at < text.length; at++) {
    const digit = text.charCodeAt(at) - ZERO
    if (digit < 0 || digit > 9) return undefined
    value = value * 10 + digit
  }
  if (value > Number.MAX_SAFE_INTEGER) return undefined
  return start === 1 ? -value : value
}

function parseDecimal(text: string): number | undefined {
  if (!/^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$/.test(text)) return undefined
  const value = Number(text)
  return Number.isFinite(value) && !Object.is(value, -0) ? value : undefined
}

function parseBoolean(text: string): boolean | undefined {
  if (text === 'true' || text === '1') return true
  if (text === 'false' || text === '0') return false
  return undefined
}
