/** The application: modules, bands, controllers, and the cycle of a request. @module */
export { App } from './app.ts'
export type { CloseOptions } from './close-hooks.ts'
export { Controller } from './controller.ts'
export { type BandOptions, MiddlewareBands, type OutgoingMiddlewareClass } from './middleware-bands.ts'
export { defineModule, Module, type ModuleDefinition, type PerLocale } from './module.ts'
export type { AppLimits, AppOptions, FetchOptions, RoutingOptions } from './options.ts'
export { MISDIRECTED, type Refusal, refusal, refusalOf } from './refusal.ts'
export { reportFault } from './report-fault.ts'
export {
  SecurityHeaders,
  type SecurityHeadersOptions,
  type StrictTransportSecurity,
} from './security-headers.ts'
export { under } from './under.ts'
