/** Foundations that applications name: the root of all exceptions, the clock, secrets, JSON values, safe markup, security events. @module */
export { Clock, SystemClock } from './clock.ts'
export { SallyportException } from './exception.ts'
export type { Json } from './json.ts'
export { SafeHtml } from './safe-html.ts'
export { Secret } from './secret.ts'
export type { SecurityEvents } from './security-events.ts'
