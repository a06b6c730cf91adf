import type { UrlParams } from './url-params.ts'

/**
 * The named routes of the application with the values that each requires. It is empty until the application includes
 * the declaration file that `sallyport routes --types` writes; then the compiler checks every name and value.
 */
export interface RegisteredRoutes {}

/** The locales of the application, filled by the same file. */
export interface RegisteredLocales {}

/** Name of a route: one of those that are registered, or any text while none are. */
export type RouteName = keyof RegisteredRoutes extends never
  ? string
  : Extract<keyof RegisteredRoutes, string>

/** A locale: one of those that are registered, or any text while none are. */
export type RouteLocale = keyof RegisteredLocales extends never
  ? string
  : Extract<keyof RegisteredLocales, string>

/** Values for the URL of a route: those it requires, the others become the query. */
export type RouteParams<N extends string> = N extends keyof RegisteredRoutes
  ? RegisteredRoutes[N] & UrlParams
  : UrlParams

/**
 * What follows the name of a route in a call: its values, which may be left out when it requires none, then one more
 * optional argument.
 */
export type RouteArguments<N extends string, Last = RouteLocale> = N extends keyof RegisteredRoutes
  ? {} extends RegisteredRoutes[N]
    ? [params?: RouteParams<N> | undefined, last?: Last | undefined]
    : [params: RouteParams<N>, last?: Last | undefined]
  : [params?: UrlParams | undefined, last?: Last | undefined]
