/** What every other folder may use: the error root, the clock, casing, constant-time comparison, randomness. @module */
export { decamelize } from './casing.ts'
export { Clock, SystemClock } from './clock.ts'
export { isEqualConstantTime } from './constant-time.ts'
export { escapeHtml } from './escape.ts'
export { SallyportException } from './exception.ts'
export type { Json } from './json.ts'
export { randomIdentifier, randomOctets } from './random.ts'
export { Secret } from './secret.ts'
