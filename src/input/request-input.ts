import { whenReady } from '../core/index.ts'
import type { RequestSource } from '../http/index.ts'
import { type Form, type FormValue, type InputLimits, mediaType, parseUrlEncoded } from './form.ts'
import { InputException } from './input-exception.ts'
import { parseJson } from './json-body.ts'
import type { SchemaResult, StandardSchema } from './standard-schema.ts'
import { ValidationException } from './validation-exception.ts'
import { Violation } from './violation.ts'

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
 */
export function readInput(parts: InputParts): unknown {
  return whenReady(readBody(parts), (body) => merge(parts, body))
}

/**
 * Validates an input by its schema.
 *
 * @param schema The application's schema.
 * @param value What the request brought.
 * @returns What the schema gives; a promise of it when the schema gives a promise.
 * @throws {ValidationException} If the schema refuses the value.
 */
export function validateInput(schema: StandardSchema, value: unknown): unknown {
  const result = schema['~standard'].validate(value)
  return 'then' in result ? Promise.resolve(result).then(accepted) : accepted(result)
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

function accepted(result: SchemaResult): unknown {
  if (result.issues === undefined) return result.value
  throw new ValidationException(
    result.issues.map((issue) => {
      const path = (issue.path ?? []).map((part) => String(typeof part === 'object' ? part.key : part))
      const field = path.length === 0 ? null : path.join('.')
      return new Violation({
        field,
        code: 'invalid',
        messageId: 'invalid',
        fallback: issue.message,
        domain: 'validation',
      })
    }),
  )
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
  if (type === 'application/json' || type.endsWith('+json')) return parseJson(bytes, limits)
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
