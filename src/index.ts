/** The first imports of an application; other parts of the framework have their own subpaths. @module */
export {
  App,
  type AppOptions,
  type AssetSource,
  Controller,
  defineModule,
  eventStream,
  type ErrorRenderer,
  type ErrorRendererClass,
  type Failure,
  type FetchOptions,
  MiddlewareBands,
  Module,
  type ModuleDefinition,
  ProblemErrors,
  type ResponseEvent,
  SecurityHeaders,
  type StreamedEvent,
  toWho,
  under,
  type Visitor,
  type Who,
  type WhoOptions,
} from './app/index.ts'
export { Binding, binding, ContainerException, Definitions, inject, type Token } from './container/index.ts'
export { Flash, type FlashMessage, type FlashOptions, HttpContext } from './context/index.ts'
export {
  Clock,
  type Json,
  SafeHtml,
  SallyportException,
  Secret,
  type SecurityEvents,
  SystemClock,
} from './core/index.ts'
export type {
  Inspection,
  ListedRoute,
  RouteAudit,
  RouteExplanation,
  RouteFinding,
} from './inspection/index.ts'
