import { whenReady } from '../core/internal.ts'
import type { RequestSource } from '../http/internal.ts'
import { assertReadable, mediaType } from './content-type.ts'
import { type Form, type FormValue, type InputLimits, parseUrlEncoded } from './form.ts'
import { InputException } from './input-exception.ts'
import { parseJson } from './json-body.ts'
import { schemaViolations } from './schema-violations.ts'
import type { StandardSchema } from './standard-schema.ts'
import { ValidationException } from './validation-exception.ts'

// Fields that belong to the framework and that no schema of the application has to know, and the one that would change
// the prototype of an object that the input is copied to.
const FRAMEWORK_FIELDS: ReadonlySet<string> = new Set(['_csrf', '_method', '__proto__'])

/** What a request brings as input. */
export interface InputParts {
  /** The request. */
  readonly source: RequestSource
  /** The query, without its question mark. */
  readonly query: string
  /** The form, when the body is one. */
  readonly form: Form | null
  /** Limits of what is parsed. */
  readonly limits: InputLimits
}

/**
 * Merges query and body. A name that comes several times gives a list.
 *
 * @param parts What the request brings.
 * @returns An object without a prototype; a JSON body that is no object is given as it is when there is no query. A
 * promise of it when the body is not here yet.
 * @throws {InputException} If the body cannot be read, or a name in query and body says two things.
 * @throws {PayloadTooLargeException} If the body or the number of fields is over its limit.
 * @throws {UnsupportedMediaTypeException} If a JSON body is compressed, or declared to be something else than UTF-8.
 */
export function readInput(parts: InputParts): unknown {
  return whenReady(readBody(parts), (body) => merge(parts, body))
}

/**
 * Validates an input by its schema.
 *
 * @param schema The application's schema.
 * @param value What the request brought.
 * @param submitted Reads it again, for a schema that changes what it validates. Default: gives the value.
 * @returns What the schema gives; a promise of it when the schema gives a promise.
 * @throws {ValidationException} If the schema refuses the value, also when it does not say why.
 * @throws {TypeError} If the schema answers what Standard Schema does not know.
 */
export function validateInput(
  schema: StandardSchema,
  value: unknown,
  submitted: () => unknown = () => value,
): unknown {
  const answer: unknown = schema['~standard'].validate(value)
  // A library may have promises of its own.
  if (typeof answer === 'object' && answer !== null && 'then' in answer) {
    return Promise.resolve(answer).then((later) => judge(later, schema, submitted))
  }
  return judge(answer, schema, submitted)
}

function merge(parts: InputParts, body: unknown): unknown {
  // What nearly every form comes to: nothing to merge it with.
  if (parts.query === '' && parts.form !== null && body !== undefined) return body
  const input = Object.create(null) as Record<string, unknown>
  if (parts.query !== '') {
    for (const [name, value] of parseUrlEncoded(parts.query, parts.limits))
      if (name !== '__proto__') add(input, name, value)
  }
  if (body === undefined) return input
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    if (parts.query === '') return body
    throw new InputException('The query cannot be merged with a body that is no object')
  }
  for (const [name, value] of Object.entries(body)) {
    if (name in input && !saysTheSame(input[name], value)) {
      throw new InputException(
        `The field ${JSON.stringify(name)} says one thing in the query and another in the body`,
      )
    }
    input[name] = value
  }
  return input
}

function judge(answer: unknown, schema: StandardSchema, submitted: () => unknown): unknown {
  if (typeof answer !== 'object' || answer === null) throw malformed(schema, 'gave no result')
  const { issues } = answer as { readonly issues?: unknown }
  if (issues === undefined) {
    if ('value' in answer) return answer.value
    throw malformed(schema, 'gave a result without a "value" and without "issues"')
  }
  if (!Array.isArray(issues)) throw malformed(schema, 'gave "issues" that are not an array')
  return whenReady(submitted(), (input) => {
    throw new ValidationException(schemaViolations(schema, issues, input))
  })
}

function malformed(schema: StandardSchema, what: string): TypeError {
  return new TypeError(`Cannot validate the input: a schema of "${schema['~standard'].vendor}" ${what}`)
}

function readBody(parts: InputParts): unknown {
  const { source, form, limits } = parts
  if (!takesBody(source)) return undefined
  if (form !== null) return formObject(form)
  return whenReady(source.bytes(), (bytes) => parseBody(source, bytes, limits))
}

function parseBody(source: RequestSource, bytes: Uint8Array, limits: InputLimits): unknown {
  if (bytes.byteLength === 0) return undefined
  const type = mediaType(source.header('content-type'))
  if (type === 'application/json' || type.endsWith('+json')) {
    assertReadable(source)
    return parseJson(bytes, limits)
  }
  throw new InputException(
    type === '' ? 'The body has no content type' : `A body of type ${type} cannot be read`,
  )
}

function takesBody({ method }: RequestSource): boolean {
  return method !== 'GET' && method !== 'HEAD'
}

function formObject(form: Form): Record<string, unknown> {
  const fields = Object.create(null) as Record<string, unknown>
  for (const [name, values] of form.entries()) {
    if (!FRAMEWORK_FIELDS.has(name)) fields[name] = values.length === 1 ? values[0] : [...values]
  }
  return fields
}

function add(input: Record<string, unknown>, name: string, value: FormValue): void {
  const before = input[name]
  if (before === undefined) input[name] = value
  else if (Array.isArray(before)) before.push(value)
  else input[name] = [before, value]
}

function saysTheSame(query: unknown, body: unknown): boolean {
  if (Array.isArray(query) && Array.isArray(body)) {
    return query.length === body.length && query.every((value, i) => saysTheSame(value, body[i]))
  }
  if (typeof body === 'number' || typeof body === 'boolean') return query === String(body)
  return query === body
}
