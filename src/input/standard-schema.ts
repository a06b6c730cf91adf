import type { StandardSchemaV1 } from '@standard-schema/spec'

/** Any schema of a library that follows Standard Schema, version 1. */
export type StandardSchema<Input = unknown, Output = Input> = StandardSchemaV1<Input, Output>

/** The type that a schema gives. */
export type SchemaOutput<S extends StandardSchema> = StandardSchemaV1.InferOutput<S>
