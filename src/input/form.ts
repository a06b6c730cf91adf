import { MaxFilesExceededError, MaxPartsExceededError, parseFormData } from '@remix-run/form-data-parser'
import { whenReady } from '../core/index.ts'
import { PayloadTooLargeException, type RequestSource } from '../http/index.ts'
import { InputException } from './input-exception.ts'

/** Limits of what is parsed. */
export interface InputLimits {
  /** Most fields of a form, a query or one object of a JSON body. Default: 1000. */
  readonly fields: number
  /** Deepest nesting of JSON. Default: 64. */
  readonly jsonDepth: number
}

/** The limits that stand unless the application sets others. */
export const DEFAULT_INPUT_LIMITS: InputLimits = { fields: 1000, jsonDepth: 64 }

/** A value of a form: text, or an uploaded file. */
export type FormValue = string | File

/** The fields of a submitted form. A name may come several times. */
export class Form {
  readonly #fields: ReadonlyMap<string, readonly FormValue[]>

  /**
   * @param entries Names and values in the order of sending.
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
   * @returns Its text; undefined when it is missing, came several times or is a file.
   */
  text(name: string): string | undefined {
    const values = this.#fields.get(name)
    const value = values?.length === 1 ? values[0] : undefined
    return typeof value === 'string' ? value : undefined
  }

  /**
   * @param name Name of a field.
   * @returns All its values; none when it is missing.
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
 * Reads the body when it is an HTML form: urlencoded or multipart.
 *
 * @param source The request.
 * @param limits Limits of what is parsed.
 * @returns The form, null when the body is something else; a promise unless the body is urlencoded and here already.
 * @throws {PayloadTooLargeException} If the body or the number of fields is over its limit.
 * @throws {InputException} If a multipart body cannot be read.
 */
export function parseForm(source: RequestSource, limits: InputLimits): Form | null | Promise<Form | null> {
  const type = mediaType(source.header('content-type'))
  if (type === 'application/x-www-form-urlencoded') {
    return whenReady(source.bytes(), (bytes) => new Form(parsePairs(spacedText(bytes), limits)))
  }
  if (type === 'multipart/form-data') return parseMultipart(source, limits)
  return null
}

/**
 * @param text Pairs as `application/x-www-form-urlencoded` has them; only `&` separates.
 * @param limits Limits of what is parsed.
 * @returns The pairs, decoded.
 * @throws {PayloadTooLargeException} If there are more than allowed.
 * @see WHATWG URL, section 5.1: malformed escapes stay as they are, and octets that are no UTF-8 become U+FFFD.
 */
export function parseUrlEncoded(text: string, limits: InputLimits): readonly [string, string][] {
  return parsePairs(text.toWellFormed().replaceAll('+', ' '), limits)
}

// A plus is a space wherever it stands, so it is replaced in the octets, before there is a text: half the time of a
// replacement in each name and value. UTF-8 has its octet in no other character.
function spacedText(bytes: Uint8Array): string {
  const spaced = Buffer.from(bytes)
  for (let i = 0; i < spaced.length; i++) if (spaced[i] === 43) spaced[i] = 32
  return spaced.toString()
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

// The platform's `URLSearchParams` says the same in three times the time, so it is left what is malformed.
function percentDecoded(text: string): string {
  if (!text.includes('%')) return text
  try {
    return decodeURIComponent(text)
  } catch {
    return new URLSearchParams(`=${text}`).get('') ?? ''
  }
}

/**
 * @param contentType Value of a `Content-Type` header.
 * @returns The media type alone, in lower case; empty when there is none.
 */
export function mediaType(contentType: string | null): string {
  if (contentType === null) return ''
  const semicolon = contentType.indexOf(';')
  return (semicolon === -1 ? contentType : contentType.slice(0, semicolon)).trim().toLowerCase()
}

async function parseMultipart(source: RequestSource, limits: InputLimits): Promise<Form> {
  const bytes = await source.bytes()
  const headers = { 'content-type': source.header('content-type') ?? '' }
  // A request of its own over the bytes that were read, so that the application can still read its request.
  const request = new Request('http://localhost/', {
    method: 'POST',
    headers,
    body: bytes as Uint8Array<ArrayBuffer>,
  })
  const most = bytes.byteLength + 1
  try {
    return new Form(
      await parseFormData(request, {
        maxFileSize: most,
        maxTotalSize: most,
        maxFiles: limits.fields,
        maxParts: limits.fields,
      }),
    )
  } catch (cause) {
    if (cause instanceof MaxPartsExceededError || cause instanceof MaxFilesExceededError) {
      throw new PayloadTooLargeException(`There are more than ${limits.fields} fields`)
    }
    throw new InputException('The multipart form cannot be read', { cause })
  }
}
