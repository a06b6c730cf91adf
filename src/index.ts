/** What the author of an application needs first; the other parts have subpaths of their own. @module */
export {
  App,
  type AppLimits,
  type AppOptions,
  type BandOptions,
  type CloseOptions,
  Controller,
  defineModule,
  type FetchOptions,
  MiddlewareBands,
  Module,
  type ModuleDefinition,
  type OutgoingMiddlewareClass,
  type PerLocale,
  type RoutingOptions,
  SecurityHeaders,
  type SecurityHeadersOptions,
  type StrictTransportSecurity,
  under,
} from './app/index.ts'
export {
  Binding,
  binding,
  type Constructor,
  ContainerException,
  Definitions,
  inject,
  type Token,
} from './container/index.ts'
export { Flash, type FlashMessage, HttpContext } from './context/index.ts'
export {
  Clock,
  type Json,
  SallyportException,
  Secret,
  type SecurityEvents,
  SystemClock,
} from './core/index.ts'
