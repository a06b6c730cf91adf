/** What a client submits: forms, JSON, queries, schemas that judge them, and the violations they find. @module */
export { DEFAULT_INPUT_LIMITS, Form, type FormValue, type InputLimits, parseForm } from './form.ts'
export { InputException } from './input-exception.ts'
export { type InputParts, readInput, validateInput } from './request-input.ts'
export type { SchemaOutput, StandardSchema } from './standard-schema.ts'
export { ValidationException } from './validation-exception.ts'
export { ValidationResult } from './validation-result.ts'
export { Violation, type ViolationFields } from './violation.ts'
