/** Protection of cookie-authenticated requests: a secret in the session, a token in each form. @module */
export { Csrf } from './csrf.ts'
export { InvalidCsrfTokenException } from './invalid-csrf-token-exception.ts'
