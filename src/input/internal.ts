/** What other folders of the framework need of the input: reading a body, judging it by a schema. @module */
export { DEFAULT_INPUT_LIMITS, type InputLimits, parseForm } from './form.ts'
export { readInput, validateInput } from './request-input.ts'
export type { SchemaOutput } from './standard-schema.ts'
