import type { StandardSchemaV1 } from '@standard-schema/spec'

/** A schema of any library that implements Standard Schema, version 1. */
export type StandardSchema<Input = unknown, Output = Input> = StandardSchemaV1<Input, Output>

/** The type of the values that a schema returns. */
export type SchemaOutput<S extends StandardSchema> = StandardSchemaV1.InferOutput<S>
