import { schemaStrings } from './schema-strings.ts'
import type { StandardSchema } from './standard-schema.ts'
import { SubmittedValues } from './submitted-values.ts'
import { Violation } from './violation.ts'

// A list of a million wrong numbers has a million issues.
const MAX_VIOLATIONS = 1000
const MAX_NAME_LENGTH = 100
const FOREIGN_NAME = '*'
const GENERIC_MESSAGE = 'Invalid value'

// Their schemas expose each declared name, so any other name came from the client.
const OPEN_VENDORS: ReadonlySet<string> = new Set(['arktype', 'valibot', 'zod'])

/**
 * Converts the issues of a schema into violations. A library may quote submitted values in its messages, and a path may
 * contain names that the client chose. A message is kept when the schema contains it, or when no submitted value occurs in
 * it; a name is kept when the schema declares it.
 *
 * @param schema The schema.
 * @param issues Its issues, not yet checked.
 * @param input The submitted input.
 * @returns The violations: at least one, at most 1000.
 */
export function schemaViolations(
  schema: StandardSchema,
  issues: readonly unknown[],
  input: unknown,
): readonly Violation[] {
  const found = issues.slice(0, MAX_VIOLATIONS).map(readIssue)
  const isOpen = OPEN_VENDORS.has(schema['~standard'].vendor)
  const known = isOpen ? schemaStrings(schema) : new Set(found.flatMap(({ path }) => path.filter(isString)))
  const judge = { known, isOpen, submitted: new SubmittedValues(input, { known, isOpen }) }
  const violations = found.map((issue) => violation(issue, judge))
  return violations.length === 0 ? [refused(null, GENERIC_MESSAGE)] : violations
}

interface Issue {
  readonly message: string
  readonly path: readonly PropertyKey[]
  /** The received value as the library describes it; valibot and arktype do. */
  readonly received: string
}

interface Judge {
  /** Strings of the schema; names in paths when the schema does not expose its own. */
  readonly known: ReadonlySet<string>
  readonly submitted: SubmittedValues
  readonly isOpen: boolean
}

function violation({ message, path, received }: Issue, judge: Judge): Violation {
  const names = path.map((_, i) => nameAt(path.slice(0, i + 1), judge))
  const field = names.length === 0 ? null : names.join('.')
  if (judge.isOpen && judge.known.has(message)) return refused(field, message)
  const isForeign = names.includes(FOREIGN_NAME)
  const isFree =
    message !== '' &&
    !isForeign &&
    !(/["'`\d]/.test(received) && message.includes(received)) &&
    !judge.submitted.occurAt(message, path) &&
    !judge.submitted.occurIn(message)
  return refused(field, isFree ? message : GENERIC_MESSAGE)
}

function nameAt(path: readonly PropertyKey[], { known, submitted, isOpen }: Judge): string {
  const name = path.at(-1)
  if (typeof name !== 'string') return String(name)
  if (name.length > MAX_NAME_LENGTH) return FOREIGN_NAME
  if (!isOpen || known.has(name) || submitted.isElement(path)) return name
  return submitted.hasName(path) || submitted.occurIn(name) ? FOREIGN_NAME : name
}

function readIssue(issue: unknown): Issue {
  const { message, path, received, actual } = Object(issue) as Readonly<Record<string, unknown>>
  return {
    message: isString(message) ? message : '',
    path: Array.isArray(path) ? Array.from(path, readName) : [],
    received: [received, actual].find(isString) ?? '',
  }
}

function readName(part: unknown): PropertyKey {
  const name: unknown = typeof part === 'object' && part !== null && 'key' in part ? part.key : part
  return isString(name) || typeof name === 'number' || typeof name === 'symbol' ? name : FOREIGN_NAME
}

function isString(value: unknown): value is string {
  return typeof value === 'string'
}

function refused(field: string | null, fallback: string): Violation {
  return new Violation({ field, code: 'invalid', messageId: 'invalid', fallback, domain: 'validation' })
}
