/** What other folders of the framework use of the input: parsing a body, validating it with a schema. @module */
export { DEFAULT_INPUT_LIMITS, type InputLimits, parseForm } from './form.ts'
export { readInput, validateInput } from './request-input.ts'
export { type FormOptions, SecretNames } from './secret-names.ts'
export { submitForm } from './submitted.ts'
export type { SchemaOutput } from './standard-schema.ts'
