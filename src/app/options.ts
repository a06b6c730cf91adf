import type { ActionLimits } from '../context/internal.ts'
import { assertBoolean, assertOptions, declarationError, sentence, shown } from '../core/internal.ts'
import { assertBasePath, type RequestLimits, type ServedHostsOptions } from '../http/internal.ts'
import type { InputLimits } from '../input/internal.ts'
import { TrailingSlash } from '../routing/index.ts'
import type { ModuleDefinition } from './module.ts'

/** Options of an application. */
export interface AppOptions {
  /** BCP 47 tags of its languages; the first one is the default. Default: none. */
  readonly locales?: readonly string[]
  /** Whether error pages may show stacks. Default: true only if `NODE_ENV` is `development`. */
  readonly debug?: boolean
  /**
   * The path of the host below which the application is, such as `/accounts`: segments of a to z, 0 to 9 and single hyphens.
   * Modules do not name it; every URL begins with it. A proxy may pass it on or strip it. Default: none.
   */
  readonly basePath?: string
}

/** Limits of what an application reads from a client, and the time limit of an action. */
export type AppLimits = RequestLimits & InputLimits & ActionLimits

/** Routing profile: slashes and locales in URLs. */
export interface RoutingOptions {
  /** How trailing slashes are treated. Default: unchanged. */
  readonly trailingSlash?: TrailingSlash
  /** Whether localized modules have a locale prefix. Default: unchanged. */
  readonly localePrefixes?: boolean
}

/** What a host knows about a request in addition to the request itself. */
export interface FetchOptions extends ServedHostsOptions {
  /**
   * Address of the client. A host that knows it must pass it: without it `context.clientAddress()` is empty, and limits by
   * client cannot tell clients apart. Default: unknown.
   */
  readonly clientAddress?: string
}

const POLICIES: readonly unknown[] = Object.values(TrailingSlash)

/**
 * @param options Argument of `App.create()` or `App.default()`.
 * @throws {TypeError} If an option has the wrong type or is unknown.
 */
export function assertAppOptions(options: AppOptions): void {
  assertOptions(options, ['locales', 'debug', 'basePath'], 'an application')
  if (options.locales !== undefined) assertLocales(options.locales)
  if (options.debug !== undefined) assertBoolean(options.debug, 'debug')
  if (options.basePath !== undefined) assertBasePath(options.basePath)
}

/**
 * @param locales The language tags as passed; their syntax is checked at boot.
 * @throws {TypeError} If it is not a list of strings.
 */
export function assertLocales(locales: readonly string[]): void {
  const tags: unknown = locales
  if (Array.isArray(tags) && tags.every((tag) => typeof tag === 'string')) return
  const bad: unknown = Array.isArray(tags) ? tags.find((tag) => typeof tag !== 'string') : tags
  throw declarationError(
    sentence`Cannot declare the locales with ${shown(bad)}: pass a list such as ["fr", "en"]`,
  )
}

/**
 * @param trailingSlash First argument of `routing()`: a policy, or parts by name.
 * @param localePrefixes Second argument.
 * @returns The parts by name.
 * @throws {TypeError} If an argument is invalid.
 */
export function readRouting(
  trailingSlash: TrailingSlash | RoutingOptions,
  localePrefixes: boolean | undefined,
): RoutingOptions {
  const options: RoutingOptions = typeof trailingSlash === 'string' ? { trailingSlash } : trailingSlash
  assertOptions(options, ['trailingSlash', 'localePrefixes'], 'routing()')
  const policy = options.trailingSlash
  if (policy !== undefined && !POLICIES.includes(policy))
    throw declarationError(
      sentence`Cannot use ${shown(policy)} for trailing slashes: use TrailingSlash.Add, Remove or Preserve`,
    )
  const prefixes = localePrefixes ?? options.localePrefixes
  if (localePrefixes !== undefined) assertBoolean(localePrefixes, 'localePrefixes')
  if (options.localePrefixes !== undefined) assertBoolean(options.localePrefixes, 'localePrefixes')
  return {
    ...(policy === undefined ? {} : { trailingSlash: policy }),
    ...(prefixes === undefined ? {} : { localePrefixes: prefixes }),
  }
}

/**
 * @param modules The modules as passed.
 * @throws {TypeError} If one was not created by `defineModule()`.
 */
export function assertModules(modules: readonly ModuleDefinition[]): void {
  const given: readonly unknown[] = modules
  for (const module of given) {
    const isObject = typeof module === 'object' && module !== null
    if (isObject && typeof Reflect.get(module, 'configure') === 'function' && Reflect.has(module, 'name'))
      continue
    throw declarationError(
      sentence`Cannot add ${shown(module)} as a module: pass what defineModule() returns`,
    )
  }
}

/**
 * @param directory The folder of modules as passed.
 * @throws {TypeError} If it is not a file URL.
 */
export function assertDirectory(directory: URL): void {
  const given: unknown = directory
  if (given instanceof URL && given.protocol === 'file:') return
  throw declarationError(
    sentence`Cannot read modules from ${shown(given)}: pass a file URL, such as new URL('./modules/', import.meta.url)`,
  )
}

/**
 * @param limits The limits as passed.
 * @param known All limits.
 * @throws {TypeError} If a limit is unknown.
 * @throws {RangeError} If one is not a number above 0.
 */
export function assertLimits(limits: Partial<AppLimits>, known: AppLimits): void {
  assertOptions(limits, Object.keys(known), 'limits()')
  const given: [string, unknown][] = Object.entries(limits)
  for (const [name, value] of given) {
    if (typeof value === 'number' && value > 0) continue
    throw declarationError(
      sentence`Cannot use ${shown(value)} as the limit ${name}: it must be a number above 0`,
      RangeError,
    )
  }
}

/**
 * @param template The template of error pages as passed.
 * @throws {TypeError} If it is not a valid name, or has a control character, a line break or a lone surrogate.
 */
export function assertTemplate(template: string): void {
  if (typeof template === 'string' && /^[^\p{Cc}\p{Zl}\p{Zp}\p{Cs}]+$/u.test(template)) return
  const advice = sentence`pass the name of a template, without control characters`
  throw declarationError(sentence`Cannot render error pages with ${shown(template)}: ${advice}`)
}

/**
 * @param request First argument of `fetch()`.
 * @param options Second argument; origin and hosts are checked elsewhere.
 * @throws {TypeError} If the request is not a `Request`, or an option is malformed.
 */
export function assertFetch(request: Request, options: FetchOptions): void {
  const [given, known]: unknown[] = [request, options]
  // Only looks for `url`: reading it would serialize the URL each time.
  if (typeof request?.method !== 'string' || !('url' in request))
    throw new TypeError(sentence`Cannot handle ${shown(given)}: pass a Request to fetch()`)
  if (typeof options !== 'object' || options === null)
    throw new TypeError(sentence`Cannot use ${shown(known)} as the options of fetch(): pass an object`)
  const address: unknown = options.clientAddress
  if (address !== undefined && typeof address !== 'string')
    throw new TypeError(sentence`Cannot use ${shown(address)} as the address of a client: pass a string`)
}
