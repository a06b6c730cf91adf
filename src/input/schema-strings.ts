import type { StandardSchema } from './standard-schema.ts'

// A schema of 200 fields has about 2000 parts.
const MAX_PARTS = 100_000
const MAX_LENGTH = 1000
// What zod and valibot keep as a function: a schema that holds itself, and a message. A message that needs no issue to be
// made is constant.
const CALLED: ReadonlySet<string> = new Set(['getter', 'error'])

const known = new WeakMap<StandardSchema, ReadonlySet<string>>()

/**
 * The strings that stand in a schema's own definition: names of fields, options, constant messages. What is among them
 * is the application's, whoever else may have sent it.
 *
 * @param schema The schema; it is searched once.
 * @returns Its strings. Those of a schema that keeps its definition in closures are missing.
 */
export function schemaStrings(schema: StandardSchema): ReadonlySet<string> {
  let strings = known.get(schema)
  if (strings === undefined) {
    strings = searchStrings(schema)
    known.set(schema, strings)
  }
  return strings
}

function searchStrings(schema: object): ReadonlySet<string> {
  const strings = new Set<string>()
  const seen = new Set<object>([definitionOf(schema)])
  // A set that grows while it is walked is walked to its end.
  for (const part of seen) {
    for (const [name, property] of entriesOf(part)) {
      if (!Array.isArray(part)) strings.add(name)
      const value = CALLED.has(name) ? called(property) : property
      if (typeof value === 'string' && value.length <= MAX_LENGTH) strings.add(value)
      if (isPart(value) && seen.size < MAX_PARTS) seen.add(definitionOf(value))
    }
  }
  return strings
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

// Zod and arktype keep far more beside the definition: compiled code, scopes, the whole of their keywords.
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
      // A getter of the library that cannot answer yet.
    }
    yield [name, value]
  }
}
