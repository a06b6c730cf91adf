import {
  formatKind,
  type IssueFields,
  type IssueKind,
  limitKind,
  type Measured,
  optionsOf,
  scalarsOf,
  textOf,
  UNKNOWN,
} from './issue-kind.ts'

type Kind = Omit<IssueKind, 'code'>

// By `origin`, which was `type` in version 3.
const MEASURED: Readonly<Record<string, Measured>> = {
  string: 'text',
  array: 'list',
  set: 'list',
  map: 'list',
  number: 'number',
  int: 'number',
  bigint: 'number',
  date: 'date',
  file: 'file',
}

const TYPES: Readonly<Record<string, string>> = {
  number: 'not_a_number',
  nan: 'not_a_number',
  bigint: 'not_a_number',
  int: 'not_whole',
  integer: 'not_whole',
  date: 'invalid_date',
}

const KINDS: Readonly<Record<string, (issue: IssueFields) => Kind>> = {
  invalid_type: ({ expected }) => ({
    id: TYPES[textOf(expected)] ?? 'wrong_type',
    parameters: scalarsOf({ expected }),
  }),
  too_small: (issue) => limit('minimum', issue),
  too_big: (issue) => limit('maximum', issue),
  invalid_format: ({ format }) => formatKind(textOf(format)),
  invalid_string: ({ validation }) => formatKind(typeof validation === 'string' ? validation : 'text'),
  not_multiple_of: (issue) => ({
    id: 'not_multiple',
    parameters: scalarsOf({ divisor: issue['divisor'] ?? issue['multipleOf'] }),
  }),
  invalid_value: ({ values }) => chosen(values),
  invalid_enum_value: ({ options }) => chosen(options),
  invalid_literal: ({ expected }) => chosen(expected),
  invalid_date: () => ({ id: 'invalid_date', parameters: {} }),
  unrecognized_keys: () => ({ id: 'unknown_field', parameters: {} }),
  invalid_union: () => ({ id: 'wrong_type', parameters: {} }),
  invalid_key: () => ({ id: UNKNOWN, parameters: {} }),
  invalid_element: () => ({ id: UNKNOWN, parameters: {} }),
  custom: ({ params }) => ({
    id: UNKNOWN,
    parameters: typeof params === 'object' && params !== null ? scalarsOf({ ...params }) : {},
  }),
}

/**
 * @param issue An issue of zod, version 3 or 4.
 * @returns What it is about; undefined for a code that zod does not have.
 */
export function zodKind(issue: IssueFields): IssueKind | undefined {
  const code = textOf(issue['code'])
  const kind = Object.hasOwn(KINDS, code) ? KINDS[code] : undefined
  return kind === undefined ? undefined : { code, ...kind(issue) }
}

function limit(bound: 'minimum' | 'maximum', issue: IssueFields): Kind {
  const measured = MEASURED[textOf(issue['origin'] ?? issue['type'])] ?? 'number'
  const isExact = issue['exact'] === true
  const isExclusive = issue['inclusive'] === false
  return limitKind(isExact ? 'length' : bound, measured, { limit: issue[bound], isExclusive })
}

function chosen(values: unknown): Kind {
  return { id: 'not_an_option', parameters: scalarsOf({ options: optionsOf(values) }) }
}
