/** Input of a client: schemas that validate it, and the violations they find. @module */
export { Form, type FormValue } from './form.ts'
export { InputException } from './input-exception.ts'
export type { StandardSchema } from './standard-schema.ts'
export { ValidationException } from './validation-exception.ts'
export { ValidationResult } from './validation-result.ts'
export { Violation } from './violation.ts'
