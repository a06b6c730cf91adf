import type { ActionLimits } from '../context/internal.ts'
import { assertBoolean, assertOptions, declarationError, shown } from '../core/internal.ts'
import type { RequestLimits, ServedHostsOptions } from '../http/internal.ts'
import type { InputLimits } from '../input/internal.ts'
import { TrailingSlash } from '../routing/index.ts'
import type { ModuleDefinition } from './module.ts'

/** Options of an application. */
export interface AppOptions {
  /** BCP 47 tags of its languages, the first one the default. Default: none. */
  readonly locales?: readonly string[]
  /** Whether error pages may show stacks. Default: whether `NODE_ENV` is `development`. */
  readonly debug?: boolean
}

/** Limits of what an application reads from a client, and of the time of an action. */
export type AppLimits = RequestLimits & InputLimits & ActionLimits

/** How an application treats slashes and locales in URLs. */
export interface RoutingOptions {
  /** Default: as it was. */
  readonly trailingSlash?: TrailingSlash
  /** Whether localized modules answer under a locale prefix. Default: as it was. */
  readonly localePrefixes?: boolean
}

/** What a host knows of a request, beside the request itself. */
export interface FetchOptions extends ServedHostsOptions {
  /**
   * Address of the client. A host that has one must give it: without it `context.clientAddress()` is empty, and a limit
   * by client cannot tell one client from another. Default: unknown.
   */
  readonly clientAddress?: string
}

const POLICIES: readonly unknown[] = Object.values(TrailingSlash)

/**
 * @param options What `App.create()` or `App.default()` was given.
 * @throws {TypeError} If it is not what they take.
 */
export function assertAppOptions(options: AppOptions): void {
  assertOptions(options, ['locales', 'debug'], 'an application')
  if (options.locales !== undefined) assertLocales(options.locales)
  if (options.debug !== undefined) assertBoolean(options.debug, 'debug')
}

/**
 * @param locales What was given as language tags; whether they are tags is judged at boot.
 * @throws {TypeError} If it is no list of strings.
 */
export function assertLocales(locales: readonly string[]): void {
  const tags: unknown = locales
  if (Array.isArray(tags) && tags.every((tag) => typeof tag === 'string')) return
  const bad: unknown = Array.isArray(tags) ? tags.find((tag) => typeof tag !== 'string') : tags
  throw declarationError(`Cannot declare the locales by ${shown(bad)}: give a list such as ["fr", "en"]`)
}

/**
 * @param trailingSlash What `routing()` was given first: a policy, or parts by name.
 * @param localePrefixes What it was given second.
 * @returns The parts by name.
 * @throws {TypeError} If it is none.
 */
export function readRouting(
  trailingSlash: TrailingSlash | RoutingOptions,
  localePrefixes: boolean | undefined,
): RoutingOptions {
  const given: unknown = trailingSlash
  const options: RoutingOptions =
    typeof given === 'string' ? { trailingSlash: given as TrailingSlash } : (trailingSlash as RoutingOptions)
  assertOptions(options, ['trailingSlash', 'localePrefixes'], 'routing()')
  const policy = options.trailingSlash
  if (policy !== undefined && !POLICIES.includes(policy))
    throw declarationError(
      `Cannot treat trailing slashes by ${shown(policy)}: give TrailingSlash.Add, Remove or Preserve`,
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
 * @param modules What was listed as modules.
 * @throws {TypeError} If one of them was not made by `defineModule()`.
 */
export function assertModules(modules: readonly ModuleDefinition[]): void {
  for (const module of modules as readonly unknown[]) {
    const isObject = typeof module === 'object' && module !== null
    if (isObject && typeof Reflect.get(module, 'configure') === 'function' && Reflect.has(module, 'name'))
      continue
    throw declarationError(`Cannot add ${shown(module)} as a module: give what defineModule() returns`)
  }
}

/**
 * @param directory What was given as a folder of modules.
 * @throws {TypeError} If it is no file URL.
 */
export function assertDirectory(directory: URL): void {
  const given: unknown = directory
  if (given instanceof URL && given.protocol === 'file:') return
  throw declarationError(
    `Cannot read modules from ${shown(given)}: give a file URL, such as new URL('./modules/', import.meta.url)`,
  )
}

/**
 * @param limits Limits that were given.
 * @param known All limits.
 * @throws {TypeError} If there is no such limit.
 * @throws {RangeError} If one is no number above 0.
 */
export function assertLimits(limits: Partial<AppLimits>, known: AppLimits): void {
  assertOptions(limits, Object.keys(known), 'limits()')
  for (const [name, value] of Object.entries(limits) as [string, unknown][]) {
    if (typeof value === 'number' && value > 0) continue
    throw declarationError(
      `Cannot use ${shown(value)} as the limit ${name}: it must be a number above 0`,
      RangeError,
    )
  }
}

/**
 * @param template What was given as the template of error pages.
 * @throws {TypeError} If it is no name, or holds a control character, a line end or half a character.
 */
export function assertTemplate(template: string): void {
  if (typeof template === 'string' && /^[^\p{Cc}\p{Zl}\p{Zp}\p{Cs}]+$/u.test(template)) return
  const mend = 'give the name of a template, without control characters'
  throw declarationError(`Cannot render error pages by ${shown(template)}: ${mend}`)
}

/**
 * @param request What `fetch()` was given to answer.
 * @param options What it was told of it, origin and hosts aside.
 * @throws {TypeError} If the one is no request, or the other is malformed.
 */
export function assertFetch(request: Request, options: FetchOptions): void {
  const [given, known]: unknown[] = [request, options]
  // Its URL is written anew each time that it is asked for.
  if (typeof request?.method !== 'string' || !('url' in request))
    throw new TypeError(`Cannot answer ${shown(given)}: give fetch() a Request`)
  if (typeof options !== 'object' || options === null)
    throw new TypeError(`Cannot use ${shown(known)} as the options of fetch(): give an object`)
  const address: unknown = options.clientAddress
  if (address !== undefined && typeof address !== 'string')
    throw new TypeError(`Cannot use ${shown(address)} as the address of a client: give a string`)
}
