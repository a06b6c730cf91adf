/** A value that can stand in a URL. */
export type UrlValue = string | number | boolean | bigint

/**
 * Values for a URL: placeholders by name, the others become its query. A list repeats its key in the query, or gives
 * the segments of a placeholder that takes the rest; null and undefined are left out.
 */
export type UrlParams = Readonly<
  Record<string, UrlValue | null | undefined | readonly (UrlValue | null | undefined)[]>
>

/** The same before anything is judged: what a value may be, its parameter type says. */
export type GivenParams = Readonly<Record<string, unknown>>

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
export type UrlLocale = keyof RegisteredLocales extends never
  ? string
  : Extract<keyof RegisteredLocales, string>

/**
 * Values for the URL of a route: those it takes, the others become the query. A registered route may take objects, by a
 * parameter type of the application's own; in a query they are refused when the URL is made.
 */
export type RouteParams<N extends RouteName> = keyof RegisteredRoutes extends never
  ? UrlParams
  : WithQuery<RegisteredRoutes, N>

type WithQuery<R, N> = R[N & keyof R] & Readonly<Record<string, UrlParams[string] | object>>

/** Name of a route that requires no value. */
export type PlainRouteName = keyof RegisteredRoutes extends never ? string : PlainName<RegisteredRoutes>

// Once for all names, for a condition in each call costs the compiler far more.
type PlainName<R> = { [N in keyof R]: {} extends R[N] ? N : never }[Extract<keyof R, string>]

/**
 * What follows the name in `url()`: the values that the route requires, then the locale. `After` is what follows the values
 * elsewhere. A list of arguments instead of two signatures: the compiler then reports a missing value, not the name.
 */
export type RouteArguments<
  N extends RouteName,
  After extends readonly unknown[] = [locale?: UrlLocale],
> = keyof RegisteredRoutes extends never
  ? [params?: UrlParams, ...rest: After]
  : ArgumentsOf<RegisteredRoutes, N, After>

type ArgumentsOf<R, N, After extends readonly unknown[]> = {
  [K in keyof R]: {} extends R[K]
    ? [params?: WithQuery<R, K>, ...rest: After]
    : [params: WithQuery<R, K>, ...rest: After]
}[N & keyof R]

/**
 * `url()` as it is without the compiler's check, for names that are known at run time only: those of templates, those
 * that one method hands to another.
 */
export interface UncheckedUrls {
  /**
   * @param name Name of a route.
   * @param params Values of its placeholders; the others become the query.
   * @param locale The locale.
   * @returns The path and query.
   */
  url(name: string, params?: UrlParams, locale?: string): string
}
