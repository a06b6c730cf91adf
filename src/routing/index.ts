/** Which code a URL reaches: route tables, convention, mounts, claims, locales, URL generation. @module */
export type { ActionArguments } from './generation/action-arguments.ts'
export { type Actions } from './declaration/actions.ts'
export type { FindingCode, RouteAudit, RouteFinding } from '../inspection/audit/finding.ts'
export type { ActionTable, ControllerClass, Handler, MemberName } from './declaration/controller-class.ts'
export type { ModuleRouting, ModuleStep } from './declaration/module-routing.ts'
export {
  type ActionParameter,
  input,
  type InputParameter,
  param,
  type ParameterRole,
  type RequiredParameter,
  type UrlParameter,
} from './declaration/parameter.ts'
export { type ParameterType, parameterType, type ParameterTypeParts } from './declaration/parameter-type.ts'
export { PathPrefix, segmentsOf } from './resolution/path-prefix.ts'
export type {
  PlainRouteName,
  RegisteredLocales,
  RegisteredRoutes,
  RouteLocale,
  RouteName,
  RouteParams,
  UncheckedUrls,
} from './generation/registered-routes.ts'
export type { Resolver, ResolverClass } from './resolution/resolver.ts'
export { RouteRequest, type RouteOptions } from './resolution/route-request.ts'
export { BoundRoute, Route, type RouteMatch, RouteTarget } from './route.ts'
export {
  type ExplainedCandidate,
  type ExplainedResult,
  type ExplainedStep,
  type ExplanationStyle,
  RouteExplanation,
} from '../inspection/explanation.ts'
export type { ListedParameter, ListedRoute } from '../inspection/route-listing.ts'
export { Router, type RouterOptions } from './router.ts'
export { type LocalizedPath, RouteDeclaration } from './declaration/route-declaration.ts'
export { RouteGroup, Routes } from './declaration/routes.ts'
export { type RoutingErrorCode, RoutingException } from './routing-exception.ts'
export { TrailingSlash } from './trailing-slash.ts'
export type { UrlParams, UrlValue } from './generation/url-params.ts'
