import type { StandardSchema } from './standard-schema.ts'

// A schema of 200 fields has about 2000 parts.
const MAX_PARTS = 100_000
const MAX_LENGTH = 1000
// Functions that zod and valibot keep in a definition: a recursive schema and a message. A message that is built without an
// issue is constant.
const CALLED: ReadonlySet<string> = new Set(['getter', 'error'])

/** What a schema says of itself. */
export interface SchemaConstants {
  /** Field names, options, constant messages. */
  readonly strings: ReadonlySet<string>
  /** Numbers and dates, such as limits, as strings. */
  readonly limits: ReadonlySet<string>
}

const known = new WeakMap<StandardSchema, SchemaConstants>()

/**
 * Collects the constants in a schema's own definition. They come from the application, even if a client has sent the same
 * strings.
 *
 * @param schema The schema; it is searched once.
 * @returns Its constants. Those of a schema that keeps its definition in closures are missing.
 */
export function schemaConstants(schema: StandardSchema): SchemaConstants {
  let constants = known.get(schema)
  if (constants === undefined) {
    constants = searchConstants(schema)
    known.set(schema, constants)
  }
  return constants
}

function searchConstants(schema: object): SchemaConstants {
  const strings = new Set<string>()
  const limits = new Set<string>()
  const seen = new Set<object>([definitionOf(schema)])
  // Iterating a set visits elements that are added on the way.
  for (const part of seen) {
    for (const [name, property] of entriesOf(part)) {
      if (!Array.isArray(part)) strings.add(name)
      const value = CALLED.has(name) ? called(property) : property
      if (typeof value === 'string' && value.length <= MAX_LENGTH) strings.add(value)
      if (isLimit(value)) limits.add(limitText(value))
      if (isPart(value) && seen.size < MAX_PARTS) seen.add(definitionOf(value))
    }
  }
  return { strings, limits }
}

/**
 * @param limit A limit of a schema.
 * @returns It as {@link SchemaConstants} holds it.
 */
export function limitText(limit: string | number | bigint | Date): string {
  return limit instanceof Date ? limit.toISOString() : String(limit)
}

function isLimit(value: unknown): value is number | bigint | Date {
  if (value instanceof Date) return !Number.isNaN(value.getTime())
  return typeof value === 'number' || typeof value === 'bigint'
}

function isPart(value: unknown): value is object {
  if (typeof value === 'function') return Object.keys(value).length > 0
  return typeof value === 'object' && value !== null
}

function called(property: unknown): unknown {
  if (typeof property !== 'function') return property
  try {
    return Reflect.apply(property, undefined, [{}])
  } catch {
    return undefined
  }
}

// Zod and arktype store far more than the definition: compiled code, scopes, all of their keywords.
function definitionOf(part: object): object {
  const inner: unknown = Reflect.get(part, '_zod')
  const definition: unknown =
    typeof inner === 'object' && inner !== null ? Reflect.get(inner, 'def') : undefined
  if (typeof definition === 'object' && definition !== null) return definition
  const json: unknown = ' arkKind' in part ? Reflect.get(part, 'json') : undefined
  return typeof json === 'object' && json !== null ? json : part
}

function* entriesOf(part: object): Iterable<[string, unknown]> {
  for (const name of Object.keys(part)) {
    let value: unknown
    try {
      value = Reflect.get(part, name)
    } catch {
      // A getter of the library that is not ready yet.
    }
    yield [name, value]
  }
}
