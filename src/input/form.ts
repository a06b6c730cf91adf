import { late, whenReady } from '../core/internal.ts'
import { PayloadTooLargeException } from '../http/index.ts'
import type { RequestSource } from '../http/internal.ts'
import { assertReadable } from './content-type.ts'
import type { InputLimits } from './input-limits.ts'
import { mediaType } from './media-type.ts'
import { decodeUtf8 } from './utf8.ts'

// Most forms are urlencoded.
const multipart = late(() => import('./multipart.ts'))

/** A value of a form: a string or an uploaded file. */
export type FormValue = string | File

/** The fields of a submitted form. A name may occur several times. */
export class Form {
  readonly #fields: ReadonlyMap<string, readonly FormValue[]>

  /**
   * @param entries Names and values in the order they were sent.
   */
  constructor(entries: Iterable<readonly [string, FormValue]>) {
    const fields = new Map<string, FormValue[]>()
    for (const [name, value] of entries) {
      const values = fields.get(name)
      if (values === undefined) fields.set(name, [value])
      else values.push(value)
    }
    this.#fields = fields
  }

  /**
   * @param name Name of a field.
   * @returns Its string; undefined when it is missing, occurs several times or is a file.
   */
  text(name: string): string | undefined {
    const values = this.#fields.get(name)
    const value = values?.length === 1 ? values[0] : undefined
    return typeof value === 'string' ? value : undefined
  }

  /**
   * @param name Name of a field.
   * @returns All its values; empty when it is missing.
   */
  all(name: string): readonly FormValue[] {
    return this.#fields.get(name) ?? []
  }

  /**
   * @returns Each name with all its values.
   */
  entries(): Iterable<[string, readonly FormValue[]]> {
    return this.#fields.entries()
  }
}

/**
 * Parses the body when it is an HTML form, urlencoded or multipart.
 *
 * @param source The request.
 * @param limits Limits of what is parsed.
 * @returns The form; null when the body is something else. A promise unless the body is already available.
 * @throws {PayloadTooLargeException} If the body or the number of fields is over its limit.
 * @throws {InputException} If a multipart body is malformed, or a string is not valid UTF-8.
 * @throws {UnsupportedMediaTypeException} If the body is compressed, or declared to have another charset than UTF-8.
 */
export function parseForm(source: RequestSource, limits: InputLimits): Form | null | Promise<Form | null> {
  const contentType = source.header('content-type')
  const type = mediaType(contentType)
  const isMultipart = type === 'multipart/form-data'
  if (!isMultipart && type !== 'application/x-www-form-urlencoded') return null
  assertReadable(source)
  return whenReady(source.bytes(), (bytes): Form | Promise<Form> => {
    if (isMultipart)
      return whenReady(
        multipart(),
        ({ parseMultipart }) => new Form(parseMultipart(bytes, contentType ?? '', limits.fields)),
      )
    return new Form(parsePairs(spacedText(bytes), limits))
  })
}

/**
 * @param text Pairs in the form `application/x-www-form-urlencoded`; only `&` separates them.
 * @param limits Limits of what is parsed.
 * @returns The pairs, decoded.
 * @throws {PayloadTooLargeException} If there are more than allowed.
 * @throws {InputException} If a name or value is not valid UTF-8.
 * @see WHATWG URL, section 5.1: malformed escapes stay as they are. Invalid UTF-8 is refused instead of replaced by U+FFFD.
 */
export function parseUrlEncoded(text: string, limits: InputLimits): readonly [string, string][] {
  return parsePairs(text.toWellFormed().replaceAll('+', ' '), limits)
}

// Every plus is a space, so pluses are replaced in the bytes before decoding. This takes half the time of a replacement in
// each name and value. In UTF-8 no other character contains that byte.
function spacedText(bytes: Uint8Array): string {
  const spaced = Buffer.from(bytes)
  let isAscii = true
  for (let i = 0; i < spaced.length; i++) {
    const byte = spaced[i] ?? 0
    if (byte === 43) spaced[i] = 32
    else if (byte > 127) isAscii = false
  }
  return isAscii ? spaced.toString('latin1') : decodeUtf8(spaced)
}

function parsePairs(text: string, limits: InputLimits): readonly [string, string][] {
  const decode = text.includes('%') ? percentDecoded : asItIs
  const pairs: [string, string][] = []
  let count = 0
  for (let start = 0; start <= text.length;) {
    if (++count > limits.fields)
      throw new PayloadTooLargeException(`There are more than ${limits.fields} fields`)
    const ampersand = text.indexOf('&', start)
    const end = ampersand === -1 ? text.length : ampersand
    const pair = text.slice(start, end)
    start = end + 1
    if (pair === '') continue
    const equals = pair.indexOf('=')
    if (equals === -1) pairs.push([decode(pair), ''])
    else pairs.push([decode(pair.slice(0, equals)), decode(pair.slice(equals + 1))])
  }
  return pairs
}

function asItIs(text: string): string {
  return text
}

function percentDecoded(text: string): string {
  if (!text.includes('%')) return text
  try {
    return decodeURIComponent(text)
  } catch {
    return decodeUtf8(percentDecodedBytes(text))
  }
}

// Malformed escapes stay as they are; decoding decides later whether the bytes are UTF-8.
function percentDecodedBytes(text: string): Uint8Array {
  const bytes = Buffer.from(text)
  let length = 0
  for (let i = 0; i < bytes.length; i++) {
    const escaped = bytes[i] === 37 ? parseEscape(bytes.toString('latin1', i + 1, i + 3)) : -1
    bytes[length++] = escaped === -1 ? (bytes[i] ?? 0) : escaped
    if (escaped !== -1) i += 2
  }
  return bytes.subarray(0, length)
}

function parseEscape(digits: string): number {
  return /^[0-9a-f]{2}$/i.test(digits) ? Number.parseInt(digits, 16) : -1
}
