/** Which code a URL reaches: route tables, convention, mounts, claims, locales, URL generation. @module */
export { type Actions } from './declaration/actions.ts'
export type { ControllerClass } from './declaration/controller-class.ts'
export { form, type FormParameter } from './declaration/form-parameter.ts'
export { input, type InputParameter } from './declaration/input-parameter.ts'
export { param, type RequiredParameter } from './declaration/param.ts'
export type { UrlParameter } from './declaration/parameter.ts'
export { parameterType } from './declaration/own-type.ts'
export type { ParameterType } from './declaration/parameter-type.ts'
export { RouteDeclaration } from './declaration/route-declaration.ts'
export type { Limits, RouteLimits } from './declaration/route-limits.ts'
export { RouteGroup, Routes } from './declaration/routes.ts'
export type {
  PlainRouteName,
  RegisteredLocales,
  RegisteredRoutes,
  RouteArguments,
  UrlLocale,
  RouteName,
  RouteParams,
  UrlParams,
} from './generation/url-params.ts'
export type { Resolver, ResolverClass } from './resolution/resolver.ts'
export { type RouteOptions, RouteRequest } from './resolution/route-request.ts'
export { Route, type RouteMatch } from './route.ts'
export { Router } from './router.ts'
export { type RoutingErrorCode, RoutingException } from './routing-exception.ts'
export { TrailingSlash } from './spelling.ts'
export { upload } from './declaration/upload-parameter.ts'
