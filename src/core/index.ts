/** The parts of the foundation that applications name: the error root, the clock, secrets, JSON values, events. @module */
export { Clock, SystemClock } from './clock.ts'
export { SallyportException } from './exception.ts'
export type { Json } from './json.ts'
export { Secret } from './secret.ts'
export type { SecurityEvents } from './security-events.ts'
