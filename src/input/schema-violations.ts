import { UNKNOWN } from './issue-kind.ts'
import { readIssue, type SchemaIssue } from './schema-issue.ts'
import type { SecretNames } from './secret-names.ts'
import { SubmittedInput } from './submitted-input.ts'
import { englishMessage, GENERIC_MESSAGE } from './validation-messages.ts'
import { Violation } from './violation.ts'

// A list of a million wrong numbers has a million issues.
const MAX_VIOLATIONS = 1000
const MAX_NAME_LENGTH = 100
// A library may quote a whole body in each message.
const MAX_MESSAGE_LENGTH = 1000
const LONG_NAME = '*'

// About these a missing value says nothing.
const NEVER_REQUIRED: ReadonlySet<string> = new Set([UNKNOWN, 'unknown_field'])

const NO_ISSUE = new Violation({ field: null, code: UNKNOWN, fallback: GENERIC_MESSAGE })

/** What a schema refused. */
export interface RefusedInput {
  /** Name of the schema's library. */
  readonly vendor: string
  /** The submitted input, as it was before the schema saw it. */
  readonly input: unknown
  /** Names of secret fields. */
  readonly secrets: SecretNames
}

/**
 * Converts the issues of a schema into violations. A library may quote submitted values in its messages. So what is about a
 * secret field, or about something that holds one, has our own text by the kind of issue.
 *
 * @param issues Issues of a schema, not yet checked.
 * @param refused What the schema refused.
 * @returns The violations: at least one, at most 1000.
 */
export function schemaViolations(
  issues: readonly unknown[],
  { vendor, input, secrets }: RefusedInput,
): readonly Violation[] {
  const submitted = new SubmittedInput(input, secrets)
  const violations = issues
    .slice(0, MAX_VIOLATIONS)
    .map((issue) => violation(readIssue(issue, vendor), submitted))
  return violations.length === 0 ? [NO_ISSUE] : violations
}

function violation(issue: SchemaIssue, submitted: SubmittedInput): Violation {
  const { path, kind } = issue
  const isSecret = submitted.isSecret(path)
  // Of a rule that the application wrote, the parameters are the application's, too.
  const parameters = isSecret && kind.id === UNKNOWN ? {} : kind.parameters
  const messageId = idOf(issue, submitted)
  const own = englishMessage(messageId, parameters)
  return new Violation({
    field: path.length === 0 ? null : path.map(shownName).join('.'),
    code: kind.code,
    messageId,
    fallback: (isSecret ? own : textOf(issue, own)) ?? GENERIC_MESSAGE,
    ...(Object.keys(parameters).length > 0 && { parameters }),
  })
}

function idOf({ kind, path, isKnown }: SchemaIssue, submitted: SubmittedInput): string {
  if (isKnown && !NEVER_REQUIRED.has(kind.id) && submitted.isMissing(path)) return 'required'
  // zod has one code for the options of a field and for the types of a file.
  return kind.id === 'not_an_option' && submitted.isFile(path) ? 'wrong_file_type' : kind.id
}

// The application's message, else ours, else the library's.
function textOf({ message, isLibraryMessage }: SchemaIssue, own: string | undefined): string | undefined {
  if (isLibraryMessage && own !== undefined) return own
  return message === '' || message.length > MAX_MESSAGE_LENGTH ? own : message
}

function shownName(name: PropertyKey): string {
  const text = String(name)
  return text.length > MAX_NAME_LENGTH ? LONG_NAME : text
}
