import { UnsupportedMediaTypeException } from '../http/index.ts'
import { assertCharset, parametersOf } from './content-type.ts'
import { mediaType } from './media-type.ts'
import { decodeExtended, decodeWords } from './encoded-text.ts'
import { InputException } from './input-exception.ts'
import { decodeUtf8 } from './utf8.ts'

// RFC 2046 section 5.1.1: 1 to 70 characters.
const BOUNDARY = /^[\w'()+,\-./:=? ]{0,69}[\w'()+,\-./:=?]$/
const NO_MORE = /[ \t]*;?[ \t]*$/y
const TOKEN = /^[\w!#$%&'*+.^`|~-]+$/
// RFC 7578 section 4.2. Browsers escape a quote as %22 and leave a backslash alone; other clients write \".
const PARAMETER = /[ \t]*;[ \t]*([\w!#$%&'*+.^`|~-]+)=(?:"((?:[^"\\]|\\"?)*)"|([\w!#$%&'*+.^`|~-]+))/y
const CONTROL = /[\p{Cc}&&\p{ASCII}]/v
const PLAIN_TRANSFER: ReadonlySet<string> = new Set(['7bit', '8bit', 'binary'])

/** Largest head of a part in bytes. */
export const MAX_HEAD_BYTES = 8192

/** What the head of a part says. */
export interface PartHead {
  /** Name of the field. */
  readonly name: string
  /** Name of the file as the client gives it; undefined for a string. */
  readonly filename: string | undefined
  /** Value of `Content-Type`; empty when there is none. */
  readonly type: string
}

/**
 * @param contentType Value of `Content-Type` of the form.
 * @returns The line that separates parts, with its line break.
 * @throws {InputException} If there is no boundary, or not exactly one.
 */
export function delimiterOf(contentType: string): Buffer {
  const [boundary = '', ...more] = parametersOf(contentType, 'boundary')
  if (more.length > 0 || !BOUNDARY.test(boundary)) throw unreadable('it has no boundary')
  return Buffer.from(`\r\n--${boundary}`, 'latin1')
}

/**
 * @param head Head of a file.
 * @returns Media type that the client claims.
 */
export function fileTypeOf({ type }: PartHead): string {
  return mediaType(type) || 'application/octet-stream'
}

/**
 * @param head The head of a part, without the empty line behind it.
 * @returns What it says.
 * @throws {InputException} If it is malformed, or has no name or two.
 * @throws {UnsupportedMediaTypeException} If the part is encoded, or its string has another charset than UTF-8.
 */
export function parsePartHead(head: Buffer): PartHead {
  const headers = parseHeaders(head)
  const { name, filename } = parseDisposition(headers.get('content-disposition') ?? '')
  if (name === undefined) throw unreadable('a part has no name')
  const type = headers.get('content-type') ?? ''
  const transfer = headers.get('content-transfer-encoding')?.toLowerCase() ?? 'binary'
  if (!PLAIN_TRANSFER.has(transfer) || (headers.get('content-encoding') ?? 'identity') !== 'identity')
    throw new UnsupportedMediaTypeException('The parts of the form must be sent as they are')
  if (filename === undefined) assertCharset(type)
  return { name, filename, type }
}

function parseHeaders(head: Buffer): ReadonlyMap<string, string> {
  const headers = new Map<string, string>()
  if (head.length === 0) return headers
  for (const line of decodeUtf8(head).split('\r\n')) {
    const colon = line.indexOf(':')
    const key = line.slice(0, Math.max(0, colon)).toLowerCase()
    const value = line
      .slice(colon + 1)
      .replaceAll('\t', ' ')
      .trim()
    if (!TOKEN.test(key) || CONTROL.test(value)) throw unreadable('a header of a part is malformed')
    if (headers.has(key)) throw unreadable(`a part has two headers ${key}`)
    headers.set(key, value)
  }
  return headers
}

function parseDisposition(value: string): { name?: string; filename?: string } {
  const found = new Map<string, string>()
  const [kind = ''] = /^[^;\s]*/.exec(value) ?? []
  if (kind.toLowerCase() !== 'form-data') return {}
  for (let at = kind.length; !isOver(value, at); at = PARAMETER.lastIndex) {
    PARAMETER.lastIndex = at
    const match = PARAMETER.exec(value)
    const name = match?.[1]?.toLowerCase() ?? ''
    if (match === null || found.has(name)) throw unreadable('a Content-Disposition is malformed')
    const text = readParameter(name, match[2] ?? match[3] ?? '')
    if (text === undefined) throw unreadable(`the ${name} of a part is encoded in a way that is not read`)
    if (CONTROL.test(text)) throw unreadable(`the ${name} of a part has a control character`)
    found.set(name, text)
  }
  const name = found.get('name')?.replaceAll(/%0[ad]/gi, decodeURIComponent)
  if (name !== undefined && CONTROL.test(name)) throw unreadable('the name of a part has a line break')
  // RFC 6266 section 4.3: the extended form counts. Some clients send it alone.
  const filename = found.get('filename*') ?? found.get('filename')
  return { ...(name === undefined ? {} : { name }), ...(filename === undefined ? {} : { filename }) }
}

// Old clients end the line with a semicolon.
function isOver(value: string, at: number): boolean {
  NO_MORE.lastIndex = at
  return NO_MORE.test(value)
}

// A part that names its file in any other way, such as `filename*0`, must not become a text.
function readParameter(name: string, text: string): string | undefined {
  if (name === 'filename*') return decodeExtended(text)
  if (name.startsWith('filename*')) return undefined
  const written = text.replaceAll('\\"', '"').replaceAll(/%22/g, '"')
  return name === 'name' || name === 'filename' ? decodeWords(written) : written
}

/**
 * @param reason What is wrong.
 * @returns The refusal of a multipart form.
 */
export function unreadable(reason: string): InputException {
  return new InputException(`The multipart form cannot be read: ${reason}`)
}
