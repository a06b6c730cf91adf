import { assertOptions, declarationError, shown } from '../core/internal.ts'
import { UnsupportedMediaTypeException } from '../http/index.ts'
import type { RequestSource } from '../http/internal.ts'
import { mediaType } from './media-type.ts'

/** Options of `input()`. */
export interface InputOptions {
  /**
   * Media types of bodies that are read: `application/json` or another type of JSON, such as
   * `application/merge-patch+json`, `application/x-www-form-urlencoded` and `multipart/form-data`. Default: all of them.
   */
  readonly types?: readonly string[]
}

/** The media types that are read where an action names none; others that end with `+json` are read too. */
export const READ_TYPES: readonly string[] = Object.freeze([
  'application/json',
  'application/x-www-form-urlencoded',
  'multipart/form-data',
])

const JSON_TYPE = /^application\/(?:[a-z0-9!#$&^_.-]+\+)?json$/

/** Whether a media type, in lower case, is JSON. */
export function isJson(type: string): boolean {
  return type === 'application/json' || type.endsWith('+json')
}

/**
 * @param options Options of `input()`.
 * @returns The media types that it takes; null when it names none.
 * @throws {TypeError} If an option is unknown, or the types are not a list of types that can be read.
 */
export function readBodyTypes(options: InputOptions): readonly string[] | null {
  assertOptions(options, ['types'], 'input()')
  const given: unknown = options.types
  if (given === undefined) return null
  const types: readonly unknown[] = Array.isArray(given) ? given : [given]
  const bad = types.find((type) => !isReadable(type))
  if (!Array.isArray(given) || bad !== undefined || types.length === 0)
    throw declarationError(
      `Cannot take bodies of the type ${shown(bad ?? given)}: pass a list of "application/json", "application/x-www-form-urlencoded" and "multipart/form-data"`,
    )
  return Object.freeze([...types] as string[])
}

/**
 * Refuses a body by its type alone, before it is read.
 *
 * @param source The request.
 * @param types The media types that the action takes.
 * @throws {UnsupportedMediaTypeException} If the request declares another one.
 */
export function assertBodyType(source: RequestSource, types: readonly string[]): void {
  const type = mediaType(source.header('content-type'))
  if (type !== '' && !types.includes(type)) throw unreadType(source, types)
}

/**
 * @param source The request.
 * @param types The media types that would have been read.
 * @returns The refusal of its body, which names them.
 * @see RFC 9110 section 15.5.16; `Accept-Patch` is RFC 5789 section 3.1, `Accept-Post` is of W3C Linked Data Platform.
 */
export function unreadType(source: RequestSource, types: readonly string[]): UnsupportedMediaTypeException {
  const type = mediaType(source.header('content-type'))
  const list = types.join(', ')
  const before = type === '' ? 'The body has no content type' : `A body of type ${type} is not read here`
  const lines = source.method === 'POST' ? 'accept-post' : source.method === 'PATCH' ? 'accept-patch' : null
  return new UnsupportedMediaTypeException(`${before}; send ${types.length === 1 ? '' : 'one of '}${list}`, {
    headers: { accept: list, ...(lines === null ? {} : { [lines]: list }) },
  })
}

function isReadable(type: unknown): boolean {
  return typeof type === 'string' && (READ_TYPES.includes(type) || JSON_TYPE.test(type))
}
