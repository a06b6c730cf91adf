import {
  formatKind,
  type IssueFields,
  type IssueKind,
  limitKind,
  optionsOf,
  scalarsOf,
  textOf,
  UNKNOWN,
} from './issue-kind.ts'

type Kind = Omit<IssueKind, 'code'>

const BOUNDS: Readonly<Record<string, 'minimum' | 'maximum' | 'length'>> = {
  minLength: 'minimum',
  maxLength: 'maximum',
  exactLength: 'length',
  min: 'minimum',
  max: 'maximum',
  after: 'minimum',
  before: 'maximum',
}

// How its keywords describe themselves; a pattern has no name.
const DESCRIBED: Readonly<Record<string, string>> = {
  'a number': 'not_a_number',
  'a numeric string': 'not_a_number',
  'a well-formed numeric string': 'not_a_number',
  'an integer': 'not_whole',
  'an integer string': 'not_whole',
  'a well-formed integer string': 'not_whole',
  'a Date': 'invalid_date',
  'a parsable date': 'invalid_date',
}

const FORMATS: readonly (readonly [start: string, format: string])[] = [
  ['an email address', 'email'],
  ['a URL string', 'url'],
  ['an ISO 8601', 'date'],
  ['a UUID', 'uuid'],
]

const CODES: ReadonlySet<string> = new Set([
  'required',
  'domain',
  'proto',
  'pattern',
  'divisor',
  'unit',
  'union',
  'intersection',
  'predicate',
  'sequence',
  'structure',
  ...Object.keys(BOUNDS),
])

/**
 * @param issue An issue of arktype.
 * @returns What it is about; undefined for a code that arktype does not have.
 */
export function arktypeKind(issue: IssueFields): IssueKind | undefined {
  const code = textOf(issue['code'])
  return CODES.has(code) ? { code, ...kindOf(code, issue) } : undefined
}

function kindOf(code: string, issue: IssueFields): Kind {
  const bound = Object.hasOwn(BOUNDS, code) ? BOUNDS[code] : undefined
  if (bound !== undefined) {
    const measured = code.endsWith('Length') ? (Array.isArray(issue['data']) ? 'list' : 'text') : 'number'
    return limitKind(bound, issue['rule'] instanceof Date ? 'date' : measured, {
      limit: issue['rule'],
      isExclusive: issue['exclusive'] === true,
    })
  }
  if (code === 'required') return { id: 'required', parameters: {} }
  if (code === 'divisor')
    return issue['rule'] === 1
      ? { id: 'not_whole', parameters: {} }
      : { id: 'not_multiple', parameters: scalarsOf({ divisor: issue['rule'] }) }
  if (code === 'unit') return chosen([issue])
  // What a union expected is worded with what was submitted.
  if (code === 'union') return chosen(Array.isArray(issue['errors']) ? issue['errors'] : [])
  return described(code, textOf(issue['expected']))
}

function described(code: string, expected: string): Kind {
  const id = Object.hasOwn(DESCRIBED, expected) ? DESCRIBED[expected] : undefined
  if (id !== undefined) return { id, parameters: {} }
  const [, format] = FORMATS.find(([start]) => expected.startsWith(start)) ?? []
  if (format !== undefined) return formatKind(format)
  if (code === 'pattern') return { id: 'invalid_format', parameters: scalarsOf({ expected }) }
  if (code === 'predicate')
    return { id: expected === 'removed' ? 'unknown_field' : UNKNOWN, parameters: scalarsOf({ expected }) }
  return { id: 'wrong_type', parameters: scalarsOf({ expected }) }
}

function chosen(errors: readonly unknown[]): Kind {
  const units = errors.map((error) => {
    const { code, unit } = Object(error) as IssueFields
    return code === 'unit' ? unit : undefined
  })
  if (units.length === 0 || units.includes(undefined)) return { id: 'wrong_type', parameters: {} }
  return { id: 'not_an_option', parameters: scalarsOf({ options: optionsOf(units) }) }
}
