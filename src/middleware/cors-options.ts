import { assertBoolean, assertOptions, declarationError, shown } from '../core/internal.ts'
import { parseOrigin } from '../http/internal.ts'

/** Options of {@link Cors}. */
export interface CorsOptions {
  /**
   * Origins whose pages may read the responses, such as `https://shop.example`, without a path. Or `*` for
   * all. Or a synchronous function that returns whether a page of an origin may; it never sees the opaque origin `null`,
   * which every sandboxed frame has.
   */
  readonly origins: readonly string[] | '*' | ((origin: string) => boolean)
  /** Whether pages may send cookies and read what they get for them. Not with `*` in any option. Default: false. */
  readonly credentials?: boolean
  /** Methods that pages may use. Default: GET, HEAD, POST, PUT, PATCH and DELETE. */
  readonly methods?: readonly string[]
  /** Request headers that pages may set beside the harmless ones. Default: `content-type`. */
  readonly headers?: readonly string[]
  /** Response headers that pages may read beside the harmless ones. Default: none. */
  readonly exposedHeaders?: readonly string[]
  /** Whole seconds for which a browser keeps what a preflight said. Default: 600. */
  readonly maxAgeSeconds?: number
}

/** Checked options. */
export interface CorsRules {
  /** Who may read. */
  readonly origins: ReadonlySet<string> | '*' | ((origin: string) => boolean)
  /** Whether credentials may be sent. */
  readonly credentials: boolean
  /** Value of `Access-Control-Expose-Headers`; null for none. */
  readonly exposed: string | null
  /** Header lines of a preflight from an origin that may read. */
  readonly preflightLines: readonly (readonly [name: string, value: string])[]
}

const NAMES: readonly string[] = [
  'origins',
  'credentials',
  'methods',
  'headers',
  'exposedHeaders',
  'maxAgeSeconds',
]
const METHODS: readonly string[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']
const MAX_AGE_SECONDS = 600
// RFC 9110 section 5.6.2.
const TOKEN = /^[\w!#$%&'*+.^`|~-]+$/
// RFC 6454 section 6.2: scheme, host and port, without a path.
const ORIGIN = /^[a-z][a-z0-9+.-]*:\/\/[a-z0-9._~[\]:-]+$/

/**
 * @param options The options as passed.
 * @returns What they mean.
 * @throws {TypeError} If one is unknown, missing or has the wrong type, or `*` is combined with credentials.
 * @throws {RangeError} If the age is not an integer from 0 on.
 */
export function readCorsOptions(options: CorsOptions): CorsRules {
  assertOptions(options, NAMES, 'Cors')
  const { credentials = false, methods = METHODS, headers = ['content-type'], exposedHeaders = [] } = options
  const { maxAgeSeconds = MAX_AGE_SECONDS } = options
  assertBoolean(credentials, 'credentials')
  const origins = readOrigins(options.origins)
  const lists = { methods, headers, exposedHeaders }
  for (const [name, list] of Object.entries(lists)) assertTokens(list, name)
  if (credentials) assertNoWildcard({ ...lists, origins })
  if (!Number.isSafeInteger(maxAgeSeconds) || maxAgeSeconds < 0)
    throw declarationError(
      `Cannot use ${shown(maxAgeSeconds)} as maxAgeSeconds: it must be a whole number, 0 or more`,
      RangeError,
    )
  const lines = [
    ['access-control-allow-methods', methods.join(', ')],
    ['access-control-allow-headers', headers.join(', ')],
    ['access-control-max-age', String(maxAgeSeconds)],
  ] as const
  return {
    origins,
    credentials,
    exposed: exposedHeaders.length === 0 ? null : exposedHeaders.join(', '),
    preflightLines: lines.filter(([, value]) => value !== ''),
  }
}

/**
 * @param text Value of `Origin`, or an origin of the options.
 * @returns The origin as browsers write it; undefined if it is the opaque one or none.
 */
export function readOrigin(text: string): string | undefined {
  const origin = /^https?:/i.test(text) ? parseOrigin(text) : text
  return origin !== undefined && ORIGIN.test(origin) ? origin : undefined
}

function readOrigins(given: unknown): CorsRules['origins'] {
  if (given === '*') return given
  if (typeof given === 'function') return given as (origin: string) => boolean
  if (!Array.isArray(given) || given.length === 0)
    throw declarationError(
      `Cannot use ${shown(given)} as origins: pass a list such as ["https://shop.example"], a function, or "*"`,
    )
  const origins: readonly unknown[] = given
  return new Set(origins.map(checkedOrigin))
}

function checkedOrigin(given: unknown): string {
  const origin = typeof given === 'string' ? readOrigin(given) : undefined
  if (origin !== undefined) return origin
  if (given === '*')
    throw declarationError(`Cannot list the origin "*" among others: set origins to "*" instead`)
  const right = typeof given === 'string' ? URL.parse(given)?.origin : undefined
  const advice =
    right === undefined || right === 'null'
      ? 'write it as browsers do, such as "https://shop.example"'
      : `write ${shown(right)}`
  throw declarationError(`Cannot allow the origin ${shown(given)}: ${advice}`)
}

function assertTokens(list: unknown, name: string): void {
  const items: readonly unknown[] = Array.isArray(list) ? list : [list]
  const bad = items.find((item) => typeof item !== 'string' || !TOKEN.test(item))
  if (Array.isArray(list) && bad === undefined && !items.includes(undefined)) return
  throw declarationError(
    `Cannot use ${shown(Array.isArray(list) ? bad : list)} in ${name}: pass a list of names`,
  )
}

// Browsers refuse the first, and take the others literally. To reflect instead whatever a client sends would open every
// account to every page.
function assertNoWildcard(given: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(given)) {
    if (value !== '*' && !(Array.isArray(value) && value.includes('*'))) continue
    throw declarationError(
      `Cannot allow credentials with "*" in ${name}: any page could act with the accounts of its visitors; name each of them`,
    )
  }
}
