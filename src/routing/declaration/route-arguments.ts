import { declarationError, sentence, shown } from '../../core/internal.ts'
import type { LocalizedPath } from './route-collector.ts'

const TOKEN = /^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/
// No server and no fetch handler hands these to an application.
const UNREACHABLE: ReadonlySet<string> = new Set(['CONNECT', 'TRACE', 'TRACK'])
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS']
// Nearly every route has one method, so there is one list for each.
const SINGLE = new Map(METHODS.map((method) => [method, Object.freeze([method])]))

/**
 * The methods of a route, in upper case.
 *
 * @throws {TypeError} If it is no list of methods that reach an application.
 */
export function readMethods(methods: readonly string[]): readonly string[] {
  const given: unknown = methods
  if (!Array.isArray(given))
    throw declarationError(
      sentence`Cannot declare a route for ${shown(given)}: pass a list of methods, such as ["GET"]`,
    )
  const single = methods.length === 1 ? SINGLE.get(methods[0] ?? '') : undefined
  if (single !== undefined) return single
  if (given.length === 0)
    throw declarationError(
      sentence`Cannot declare a route without a method: name at least one, such as ["GET"]`,
    )
  for (const method of methods) {
    if (typeof method !== 'string' || !TOKEN.test(method))
      throw declarationError(
        sentence`Cannot declare a route for the method ${shown(method)}: name HTTP methods`,
      )
    if (UNREACHABLE.has(method.toUpperCase()))
      throw declarationError(
        sentence`Cannot declare a route for the method ${shown(method)}: no application receives such a request`,
      )
  }
  return Object.freeze([...new Set(methods.map((method) => method.toUpperCase()))])
}

/** Refuses what is neither a path nor an object of paths, with a `TypeError`. */
export function assertPath(path: unknown): void {
  const isMap = typeof path === 'object' && path !== null && !Array.isArray(path)
  const bad = (isMap ? Object.values(path) : [path]).filter((each) => typeof each !== 'string')
  if (bad.length === 0) return
  const mend = sentence`pass a path such as "/shop", or an object with one for each locale`
  throw declarationError(sentence`Cannot route ${shown(bad[0])}: ${mend}`)
}

/** A path behind the prefix of its groups. One that does not begin with a slash is left alone, to be refused later. */
export function prefixed(prefix: string, path: LocalizedPath): LocalizedPath {
  const join = (variant: string): string =>
    variant === '' || variant.startsWith('/') ? prefix + variant : variant
  if (typeof path === 'string') return join(path)
  return Object.fromEntries(Object.entries(path).map(([locale, variant]) => [locale, join(variant)]))
}
