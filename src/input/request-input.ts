import { late, sentence, whenReady } from '../core/internal.ts'
import type { RequestSource } from '../http/internal.ts'
import { isJson, READ_TYPES, unreadType } from './body-types.ts'
import { assertReadable } from './content-type.ts'
import { mediaType } from './media-type.ts'
import { Form, parseUrlEncoded } from './form.ts'
import type { InputLimits } from './input-limits.ts'
import { fieldsOf } from './form-fields.ts'
import { InputException } from './input-exception.ts'
import { parseJson } from './json-body.ts'
import { SecretNames } from './secret-names.ts'
import type { StandardSchema } from './standard-schema.ts'
import { ValidationException } from './validation-exception.ts'
import type { Violation } from './violation.ts'

// Fields of the framework, which a schema of the application need not know, and the name that would change the prototype of
// an object that the input is copied to.
const FRAMEWORK_FIELDS: ReadonlySet<string> = new Set(['_csrf', '_method', '__proto__'])
const PROTOTYPE: ReadonlySet<string> = new Set(['__proto__'])
// An action with `input()` declares no names of its own.
const SECRETS = new SecretNames({})

// Most inputs are accepted. What reads the issues of each library is loaded with the first refusal.
const refusal = late(() => import('./schema-violations.ts'))

/** The parts of a request that make up its input. */
export interface InputParts {
  /** The request. */
  readonly source: RequestSource
  /** The query, without its question mark. */
  readonly query: string
  /** The form, when the body is one. */
  readonly form: Form | null
  /** Limits of what is parsed. */
  readonly limits: InputLimits
  /** The media types that are read, for the message about another one. Default: all that can be. */
  readonly types?: readonly string[] | null
}

/**
 * Merges query and body. A name that occurs several times becomes a list; one that ends with `[]` is always one.
 *
 * @param parts The parts of the request.
 * @returns An object without a prototype. Without a query, a JSON body that is not an object is returned as it is. A
 * promise unless the body is already available.
 * @throws {InputException} If the body cannot be read, or query and body have different values for a name.
 * @throws {PayloadTooLargeException} If the body or the number of fields is over its limit.
 * @throws {UnsupportedMediaTypeException} If the body is of a type that is not read, or a JSON body is compressed or
 * declared to have another charset than UTF-8.
 */
export function readInput(parts: InputParts): unknown {
  return whenReady(readBody(parts), (body) => merge(parts, body))
}

/**
 * Validates an input with a schema.
 *
 * @param schema The application's schema.
 * @param value The input.
 * @param submitted Reads the input again, for a schema that modifies what it validates. Default: returns the value.
 * @returns The result of the schema; a promise of it when the schema is asynchronous, and
 * with the first refusal.
 * @throws {ValidationException} If the schema refuses the value, even when it reports no issue.
 * @throws {TypeError} If the result of the schema does not conform to Standard Schema.
 */
export function validateInput(schema: StandardSchema, value: unknown, submitted?: () => unknown): unknown {
  return whenReady(judgeInput(schema, value, { submitted, secrets: SECRETS }), (judged) => {
    if (judged.violations !== null) throw new ValidationException(judged.violations)
    return judged.value
  })
}

/** What a schema says of an input. */
export type Judged =
  | { readonly violations: null; readonly value: unknown }
  | { readonly violations: readonly Violation[] }

/** How an input is judged. */
export interface JudgeOptions {
  /** Reads the input again, for a schema that modifies what it validates. Default: returns the value. */
  readonly submitted?: (() => unknown) | undefined
  /** Names of secret fields. */
  readonly secrets: SecretNames
}

/**
 * Asks a schema about an input.
 *
 * @param schema The application's schema.
 * @param value The input.
 * @param options Names of secret fields, and the input once more.
 * @returns Its value or its violations, at least one; a promise of it when the schema is asynchronous, and with the first refusal.
 * @throws {TypeError} If the result of the schema does not conform to Standard Schema.
 */
export function judgeInput(
  schema: StandardSchema,
  value: unknown,
  { submitted = () => value, secrets }: JudgeOptions,
): Judged | Promise<Judged> {
  const answer: unknown = schema['~standard'].validate(value)
  // A library may use its own promise class.
  if (typeof answer === 'object' && answer !== null && 'then' in answer) {
    return Promise.resolve(answer).then((later) => judge(later, schema, { submitted, secrets }))
  }
  return judge(answer, schema, { submitted, secrets })
}

function merge(parts: InputParts, body: unknown): unknown {
  // Nearly every form: there is no query to merge it with.
  if (parts.query === '' && parts.form !== null && body !== undefined) return body
  const pairs = parts.query === '' ? [] : parseUrlEncoded(parts.query, parts.limits)
  const input = fieldsOf(new Form(pairs).entries(), PROTOTYPE)
  if (body === undefined) return input
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    if (parts.query === '') return body
    throw new InputException('The query cannot be merged with a body that is not an object')
  }
  for (const [name, value] of Object.entries(body)) {
    if (name in input && !saysTheSame(input[name], value)) {
      throw new InputException(
        `The field ${JSON.stringify(name)} has one value in the query and another in the body`,
      )
    }
    input[name] = value
  }
  return input
}

function judge(
  answer: unknown,
  schema: StandardSchema,
  { submitted, secrets }: Asked,
): Judged | Promise<Judged> {
  if (typeof answer !== 'object' || answer === null) throw malformed(schema, sentence`returned no result`)
  const issues = 'issues' in answer ? answer.issues : undefined
  if (issues === undefined) {
    if ('value' in answer) return { violations: null, value: answer.value }
    throw malformed(schema, sentence`returned a result without "value" and "issues"`)
  }
  if (!Array.isArray(issues)) throw malformed(schema, sentence`returned "issues" that are not an array`)
  const found: readonly unknown[] = issues
  const { vendor } = schema['~standard']
  return whenReady(refusal(), ({ schemaViolations }) =>
    whenReady(submitted(), (input) => ({
      violations: schemaViolations(found, { vendor, input, secrets }),
    })),
  )
}

interface Asked {
  readonly submitted: () => unknown
  readonly secrets: SecretNames
}

function malformed(schema: StandardSchema, what: string): TypeError {
  return new TypeError(
    sentence`Cannot validate the input: a schema of "${schema['~standard'].vendor}" ${what}`,
  )
}

function readBody(parts: InputParts): unknown {
  const { source, form } = parts
  if (!takesBody(source)) return undefined
  if (form !== null) return fieldsOf(form.entries(), FRAMEWORK_FIELDS)
  return whenReady(source.bytes(), (bytes) => parseBody(parts, bytes))
}

function parseBody({ source, limits, types }: InputParts, bytes: Uint8Array): unknown {
  if (bytes.byteLength === 0) return undefined
  if (!isJson(mediaType(source.header('content-type')))) throw unreadType(source, types ?? READ_TYPES)
  assertReadable(source)
  return parseJson(bytes, limits)
}

function takesBody({ method }: RequestSource): boolean {
  return method !== 'GET' && method !== 'HEAD'
}

function saysTheSame(query: unknown, body: unknown): boolean {
  if (Array.isArray(query) && Array.isArray(body)) {
    return query.length === body.length && query.every((value, i) => saysTheSame(value, body[i]))
  }
  if (typeof body === 'number' || typeof body === 'boolean') return query === String(body)
  return query === body
}
