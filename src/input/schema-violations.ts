import { UNKNOWN } from './issue-kind.ts'
import { limitText, type SchemaConstants, schemaConstants } from './schema-constants.ts'
import { isOpenVendor, readIssue, type SchemaIssue } from './schema-issue.ts'
import type { StandardSchema } from './standard-schema.ts'
import { SubmittedValues } from './submitted-values.ts'
import { englishMessage, GENERIC_MESSAGE } from './validation-messages.ts'
import { Violation, type ViolationParameters } from './violation.ts'

// A list of a million wrong numbers has a million issues.
const MAX_VIOLATIONS = 1000
const MAX_NAME_LENGTH = 100
const FOREIGN_NAME = '*'

// About these a missing value says nothing.
const NEVER_REQUIRED: ReadonlySet<string> = new Set([UNKNOWN, 'unknown_field'])

/**
 * Converts the issues of a schema into violations. A library may quote submitted values in its messages, and a path may
 * contain names that the client chose. A message is kept when the schema contains it, or when no submitted value occurs in
 * it; so are codes and parameters. A name is kept when the schema declares it.
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
  const { vendor } = schema['~standard']
  const found = issues.slice(0, MAX_VIOLATIONS).map((issue) => readIssue(issue, vendor))
  const isOpen = isOpenVendor(vendor)
  const { strings, limits } = isOpen ? schemaConstants(schema) : namesOf(found)
  const judge = { strings, limits, isOpen, submitted: new SubmittedValues(input, { known: strings, isOpen }) }
  const violations = found.map((issue) => violation(issue, judge))
  return violations.length === 0 ? [NO_ISSUE] : violations
}

interface Judge extends SchemaConstants {
  readonly submitted: SubmittedValues
  readonly isOpen: boolean
}

const NO_ISSUE = new Violation({ field: null, code: UNKNOWN, fallback: GENERIC_MESSAGE })

// A schema that does not expose its names is trusted with those in its paths.
function namesOf(issues: readonly SchemaIssue[]): SchemaConstants {
  const names = issues.flatMap(({ path }) => path.filter((name) => typeof name === 'string'))
  return { strings: new Set(names), limits: new Set() }
}

function violation(issue: SchemaIssue, judge: Judge): Violation {
  const { path, kind, isKnown } = issue
  const names = path.map((_, i) => nameAt(path.slice(0, i + 1), judge))
  const field = names.length === 0 ? null : names.join('.')
  const code = isFree(kind.code, issue, judge) ? kind.code : UNKNOWN
  const isForeign = names.includes(FOREIGN_NAME)
  const canMiss = isKnown && !isForeign && !NEVER_REQUIRED.has(kind.id)
  const messageId =
    canMiss && judge.submitted.isMissing(path) ? 'required' : isKnown ? idOf(issue, judge) : code
  const kept = Object.entries(kind.parameters).filter(([, value]) => isFree(value, issue, judge))
  const parameters = Object.fromEntries(kept)
  const fallback = textOf(issue, { messageId, parameters, isForeign }, judge)
  return new Violation({ field, code, messageId, fallback, ...(kept.length > 0 && { parameters }) })
}

// zod has one code for the options of a field and for the types of a file.
function idOf({ kind, path }: SchemaIssue, { submitted }: Judge): string {
  return kind.id === 'not_an_option' && submitted.isFile(path) ? 'wrong_file_type' : kind.id
}

interface Read {
  readonly messageId: string
  readonly parameters: ViolationParameters
  /** Whether the path has a name that the client chose. */
  readonly isForeign: boolean
}

// The application's own message, else ours, else the library's.
function textOf(issue: SchemaIssue, { messageId, parameters, isForeign }: Read, judge: Judge): string {
  const { message, path, received, isLibraryMessage } = issue
  const { submitted, strings, isOpen } = judge
  if (isOpen && strings.has(message)) return message
  const own = englishMessage(messageId, parameters)
  if (isLibraryMessage && own !== undefined) return own
  const isKept =
    message !== '' &&
    !isForeign &&
    !(/["'`\d]/.test(received) && message.includes(received)) &&
    !submitted.occurAt(message, path) &&
    !submitted.occurIn(message)
  return isKept ? message : (own ?? GENERIC_MESSAGE)
}

// Codes and parameters are the schema's, unless the application has made an issue of what was submitted.
function isFree(
  value: ViolationParameters[string],
  { path, kind, isKnown }: SchemaIssue,
  { strings, limits, submitted, isOpen }: Judge,
): boolean {
  if (isKnown && value === kind.code) return true
  const text = limitText(value)
  if (isOpen && (strings.has(text) || limits.has(text))) return true
  return !submitted.occurAt(text, path) && !submitted.occurIn(text)
}

function nameAt(path: readonly PropertyKey[], { strings, submitted, isOpen }: Judge): string {
  const name = path.at(-1)
  if (typeof name !== 'string') return String(name)
  if (name.length > MAX_NAME_LENGTH) return FOREIGN_NAME
  if (!isOpen || strings.has(name) || submitted.isElement(path)) return name
  return submitted.hasName(path) || submitted.occurIn(name) ? FOREIGN_NAME : name
}
