import type { Json } from '../core/index.ts'
import type { SecretNames } from './secret-names.ts'

/** What was typed, by name of the field: a string, or a list for several values. A JSON body may hold other values. */
export type TypedFields = Readonly<Record<string, Json>>

/**
 * @param fields The fields as they were read.
 * @param secrets Names whose values are left out at every depth.
 * @returns What may be shown again, without secrets and files. It has no prototype.
 */
export function typedFields(fields: unknown, secrets: SecretNames): TypedFields {
  return isRecord(fields) ? typedRecord(fields, secrets) : Object.freeze({ __proto__: null })
}

function typedRecord(fields: object, secrets: SecretNames): TypedFields {
  const typed: Record<string, Json> = { __proto__: null }
  for (const [name, value] of Object.entries(fields)) {
    if (name === '__proto__' || secrets.has(name)) continue
    const kept = typedValue(value, secrets)
    if (kept !== undefined) typed[name] = kept
  }
  return Object.freeze(typed)
}

function typedValue(value: unknown, secrets: SecretNames): Json | undefined {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value
  if (value === null) return value
  if (Array.isArray(value)) {
    const kept = value.map((item: unknown) => typedValue(item, secrets)).filter((item) => item !== undefined)
    return kept.length === 0 && value.length > 0 ? undefined : kept
  }
  return isRecord(value) ? typedRecord(value, secrets) : undefined
}

function isRecord(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Blob)
}
