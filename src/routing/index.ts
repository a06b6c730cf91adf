/** Which code a URL reaches: route tables, convention, mounts, claims, locales, URL generation. @module */
export type { ActionArguments } from './action-arguments.ts'
export { type Actions } from './actions.ts'
export type { FindingCode, RouteAudit, RouteFinding } from './audit/finding.ts'
export type { ActionTable, ControllerClass, Handler, MemberName } from './controller-class.ts'
export type { ModuleRouting, ModuleStep } from './module-routing.ts'
export {
  type ActionParameter,
  input,
  type InputParameter,
  param,
  type ParameterRole,
  type RequiredParameter,
  type UrlParameter,
} from './parameter.ts'
export { type ParameterType, parameterType, type ParameterTypeParts } from './parameter-type.ts'
export { PathPrefix, segmentsOf } from './path-prefix.ts'
export type {
  PlainRouteName,
  RegisteredLocales,
  RegisteredRoutes,
  RouteLocale,
  RouteName,
  RouteParams,
  UncheckedUrls,
} from './registered-routes.ts'
export type { Resolver, ResolverClass } from './resolver.ts'
export { RouteRequest, type RouteOptions } from './route-request.ts'
export { BoundRoute, Route, type RouteMatch, RouteTarget } from './route.ts'
export {
  type ExplainedCandidate,
  type ExplainedResult,
  type ExplainedStep,
  type ExplanationStyle,
  RouteExplanation,
} from './explanation.ts'
export type { ListedParameter, ListedRoute } from './route-listing.ts'
export { Router, type RouterOptions } from './router.ts'
export { type LocalizedPath, RouteDeclaration } from './route-declaration.ts'
export { RouteGroup, Routes } from './routes.ts'
export { type RoutingErrorCode, RoutingException } from './routing-exception.ts'
export { TrailingSlash } from './trailing-slash.ts'
export type { UrlParams, UrlValue } from './url-params.ts'
