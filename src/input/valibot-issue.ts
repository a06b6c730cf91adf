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

const BOUNDS: Readonly<Record<string, 'minimum' | 'maximum' | 'length'>> = {
  min_length: 'minimum',
  max_length: 'maximum',
  length: 'length',
  min_graphemes: 'minimum',
  max_graphemes: 'maximum',
  graphemes: 'length',
  min_size: 'minimum',
  max_size: 'maximum',
  size: 'length',
  min_value: 'minimum',
  max_value: 'maximum',
  gt_value: 'minimum',
  lt_value: 'maximum',
}

const IDS: Readonly<Record<string, string>> = {
  number: 'not_a_number',
  bigint: 'not_a_number',
  finite: 'not_a_number',
  nan: 'not_a_number',
  integer: 'not_whole',
  safe_integer: 'not_whole',
  date: 'invalid_date',
  picklist: 'not_an_option',
  enum: 'not_an_option',
  literal: 'not_an_option',
  check: UNKNOWN,
  check_items: UNKNOWN,
  custom: UNKNOWN,
  partial_check: UNKNOWN,
  raw_check: UNKNOWN,
  raw_transform: UNKNOWN,
  union: 'wrong_type',
  variant: 'wrong_type',
}

/**
 * @param issue An issue of valibot.
 * @returns What it is about; undefined when it has no type.
 */
export function valibotKind(issue: IssueFields): IssueKind | undefined {
  const code = textOf(issue['type'])
  return code === '' ? undefined : { code, ...kindOf(code, issue) }
}

function kindOf(type: string, issue: IssueFields): Kind {
  const { expected, input, requirement, kind } = issue
  const bound = Object.hasOwn(BOUNDS, type) ? BOUNDS[type] : undefined
  if (bound !== undefined) {
    const isExclusive = type.startsWith('gt') || type.startsWith('lt')
    return limitKind(bound, measured(type, issue), { limit: requirement, isExclusive })
  }
  if (type === 'non_empty')
    return limitKind('minimum', typeof input === 'string' ? 'text' : 'list', { limit: 1 })
  if (type === 'multiple_of') return { id: 'not_multiple', parameters: scalarsOf({ divisor: requirement }) }
  if (type === 'mime_type')
    return { id: 'wrong_file_type', parameters: scalarsOf({ options: optionsOf(requirement) }) }
  const id = Object.hasOwn(IDS, type) ? IDS[type] : undefined
  if (id === 'not_an_option') return { id, parameters: scalarsOf({ options: unquoted(expected) }) }
  if (id !== undefined) return { id, parameters: {} }
  if (expected === 'never') return { id: 'unknown_field', parameters: {} }
  if (kind === 'validation') return formatKind(type)
  // Of a missing key the library expects its name.
  const isMissing = issue['received'] === 'undefined'
  return { id: 'wrong_type', parameters: isMissing ? {} : scalarsOf({ expected }) }
}

function measured(type: string, { input, requirement }: IssueFields): Measured {
  if (type.endsWith('value')) return requirement instanceof Date ? 'date' : 'number'
  if (input instanceof Blob) return 'file'
  return typeof input === 'string' ? 'text' : 'list'
}

function unquoted(expected: unknown): string {
  return textOf(expected)
    .replaceAll(/^\(|\)$|"/g, '')
    .replaceAll(' | ', ', ')
}
