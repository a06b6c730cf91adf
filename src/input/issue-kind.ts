import type { ViolationParameters } from './violation.ts'

/** What an issue is about, in words that are the same for every library. */
export interface IssueKind {
  /** Code of the library: `too_small` of zod, `min_length` of valibot, `minLength` of arktype. */
  readonly code: string
  /** Identifier of the message: `too_short`. */
  readonly id: string
  /** Its parameters, not yet searched for submitted values. */
  readonly parameters: ViolationParameters
}

/** The members of an issue. */
export type IssueFields = Readonly<Record<string, unknown>>

/** What a limit is a limit of. */
export type Measured = 'text' | 'list' | 'number' | 'date' | 'file'

/** The code and the identifier for which nothing more is known. */
export const UNKNOWN = 'invalid'

const LIMITS: Readonly<Record<Measured, readonly [minimum: string, maximum: string, exact: string]>> = {
  text: ['too_short', 'too_long', 'wrong_length'],
  list: ['too_few', 'too_many', 'wrong_count'],
  number: ['too_low', 'too_high', 'not_an_option'],
  date: ['too_early', 'too_late', 'not_an_option'],
  file: ['file_too_small', 'file_too_large', 'wrong_length'],
}

const FORMATS: Readonly<Record<string, string>> = {
  email: 'invalid_email',
  rfc_email: 'invalid_email',
  url: 'invalid_url',
  date: 'invalid_date',
  iso_date: 'invalid_date',
  time: 'invalid_time',
  iso_time: 'invalid_time',
  iso_time_second: 'invalid_time',
  datetime: 'invalid_date_time',
  iso_date_time: 'invalid_date_time',
  iso_timestamp: 'invalid_date_time',
}

/**
 * @param bound Which limit: `minimum`, `maximum`, or `length` for both at once.
 * @param measured What it is a limit of.
 * @param limit The limit itself, and whether a value that equals it is refused too.
 * @returns Identifier and parameters.
 */
export function limitKind(
  bound: 'minimum' | 'maximum' | 'length',
  measured: Measured,
  { limit, isExclusive = false }: { readonly limit: unknown; readonly isExclusive?: boolean },
): Omit<IssueKind, 'code'> {
  const [low, high, exact] = LIMITS[measured]
  const parameters = { [bound]: measured === 'date' ? toDate(limit) : limit }
  const id = bound === 'minimum' ? low : bound === 'maximum' ? high : exact
  const strict = bound === 'minimum' ? 'not_above' : 'not_below'
  return { id: isExclusive && measured === 'number' ? strict : id, parameters: scalarsOf(parameters) }
}

/**
 * @param format Name that the library has for a format: `email`.
 * @returns Identifier and parameters.
 */
export function formatKind(format: string): Omit<IssueKind, 'code'> {
  const id = Object.hasOwn(FORMATS, format) ? FORMATS[format] : undefined
  return { id: id ?? 'invalid_format', parameters: { format } }
}

/**
 * @param values Values of any type.
 * @returns Those that a message can have as parameters; a bigint becomes a number.
 */
export function scalarsOf(values: IssueFields): ViolationParameters {
  const kept: Record<string, string | number | Date> = {}
  for (const [name, value] of Object.entries(values)) {
    if (typeof value === 'bigint') kept[name] = Number(value)
    else if (
      (typeof value === 'number' && Number.isFinite(value)) ||
      (typeof value === 'string' && value !== '')
    )
      kept[name] = value
    else if (value instanceof Date && !Number.isNaN(value.getTime())) kept[name] = value
  }
  return kept
}

/**
 * @param values The options of a schema.
 * @returns Them in one string.
 */
export function optionsOf(values: unknown): string {
  const options: readonly unknown[] = Array.isArray(values) ? values : [values]
  return options.filter((value) => typeof value === 'string' || typeof value === 'number').join(', ')
}

/**
 * @param value Any value.
 * @returns It as a string; empty for anything else.
 */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function toDate(limit: unknown): unknown {
  return typeof limit === 'number' || typeof limit === 'bigint' ? new Date(Number(limit)) : limit
}
