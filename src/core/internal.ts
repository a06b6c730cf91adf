/** What other folders of the framework may use: argument checks, casing, randomness, promises. @module */
export { assertBoolean } from './assert-boolean.ts'
export { assertMilliseconds, MAX_TIMER_MILLISECONDS } from './assert-milliseconds.ts'
export {
  callSite,
  placeAbove,
  placedMessage,
  placeOf,
  tellingPlace,
  tellsPlace,
  withPlace,
} from './call-site.ts'
export { decamelize, toAsciiLowerCase } from './casing.ts'
export { assertClock, readClock } from './clock.ts'
export { isEqualConstantTime } from './constant-time.ts'
export {
  assertCallback,
  assertNoPromise,
  assertOptions,
  declarationError,
  inDeclaration,
  lateDeclaration,
} from './declaration-error.ts'
export { Ending } from './ending.ts'
export { asEscapes, escapeHtml } from './escape.ts'
export { following } from './following.ts'
export { discardPromise, ignoreFailure } from './ignore-failure.ts'
export { isPromiseLike } from './is-promise-like.ts'
export { late, loadLateParts } from './late.ts'
export { nearest } from './nearest.ts'
export { randomIdentifier, randomBytes } from './random.ts'
export { SafeHtml } from './safe-html.ts'
export { publish } from './security-events.ts'
export { completeMessage, readSentences, sentence } from './sentence.ts'
export { inOneLine, isClass, isDeferred, shown } from './shown.ts'
export { whenReady } from './when-ready.ts'
