/** What every other folder may use: the error root, the clock, casing, constant-time comparison, randomness. @module */
export { assertBoolean } from './assert-boolean.ts'
export { assertMilliseconds, MAX_TIMER_MILLISECONDS } from './assert-milliseconds.ts'
export { callSite, placeAbove, placeOf } from './call-site.ts'
export { decamelize, toAsciiLowerCase } from './casing.ts'
export { assertClock, Clock, presentOf, SystemClock } from './clock.ts'
export { isEqualConstantTime } from './constant-time.ts'
export {
  assertCallback,
  assertNoPromise,
  assertOptions,
  declarationError,
  inDeclaration,
  lateDeclaration,
} from './declaration-error.ts'
export { escapeHtml } from './escape.ts'
export { SallyportException } from './exception.ts'
export { discardPromise, ignoreFailure } from './ignore-failure.ts'
export { isPromiseLike } from './is-promise-like.ts'
export type { Json } from './json.ts'
export { randomIdentifier, randomOctets } from './random.ts'
export { Secret } from './secret.ts'
export { type SecurityEvents, tell } from './security-events.ts'
export { isClass, inOneLine, isDeferred, shown } from './shown.ts'
export { whenReady } from './when-ready.ts'
