import { PayloadTooLargeException, UnsupportedMediaTypeException } from '../http/index.ts'
import { assertCharset, mediaType, parametersOf } from './content-type.ts'
import { InputException } from './input-exception.ts'
import { decodeUtf8 } from './utf8.ts'

/** A field: its name, and its string or file. */
export type MultipartField = readonly [string, string | File]

// RFC 2046 section 5.1.1: 1 to 70 characters.
const BOUNDARY = /^[\w'()+,\-./:=? ]{0,69}[\w'()+,\-./:=?]$/
const MAX_HEAD_BYTES = 8192
const LINE_BREAK = Buffer.from('\r\n')
const END_OF_HEAD = Buffer.from('\r\n\r\n')
const TOKEN = /^[\w!#$%&'*+.^`|~-]+$/
// RFC 7578 section 4.2. Browsers escape a quote as %22 and leave a backslash alone; other clients write \".
const PARAMETER = /[ \t]*;[ \t]*([\w!#$%&'*+.^`|~-]+)=(?:"((?:[^"\\]|\\"?)*)"|([\w!#$%&'*+.^`|~-]+))/y
const CONTROL = /[\p{Cc}&&\p{ASCII}]/v
const PLAIN_TRANSFER: ReadonlySet<string> = new Set(['7bit', '8bit', 'binary'])

/**
 * Parses a `multipart/form-data` body. Anything that two parsers could read differently is refused: a part without a name
 * or with two, a repeated header, a control character in a header, a string that is not UTF-8.
 *
 * @param bytes The body.
 * @param contentType Value of `Content-Type`, with the boundary.
 * @param maxFields Maximum number of parts.
 * @returns The fields in the order they were sent.
 * @throws {InputException} If the body is malformed.
 * @throws {PayloadTooLargeException} If there are more parts than allowed.
 * @throws {UnsupportedMediaTypeException} If a part is declared to have another charset than UTF-8.
 * @see RFC 7578; RFC 2046 section 5.1.
 */
export function parseMultipart(bytes: Uint8Array, contentType: string, maxFields: number): MultipartField[] {
  const [boundary = '', ...more] = parametersOf(contentType, 'boundary')
  if (more.length > 0 || !BOUNDARY.test(boundary)) throw unreadable('it has no boundary')
  const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const delimiter = Buffer.from(`\r\n--${boundary}`, 'latin1')
  const opening = delimiter.subarray(LINE_BREAK.length)
  if (!body.subarray(0, opening.length).equals(opening))
    throw unreadable('it does not begin with its boundary')
  const fields: MultipartField[] = []
  for (let at = opening.length; ;) {
    const start = partStart(body, at)
    if (start === -1) return fields
    if (fields.length >= maxFields)
      throw new PayloadTooLargeException(`There are more than ${maxFields} fields`)
    const content = contentStart(body, start)
    const end = body.indexOf(delimiter, content)
    if (end === -1) throw unreadable('it has no end')
    const headers = parseHead(body.subarray(start, Math.max(start, content - END_OF_HEAD.length)))
    fields.push(parseField(headers, body.subarray(content, end)))
    at = end + delimiter.length
  }
}

// Where the head of the part begins that follows a delimiter; -1 after the last part.
function partStart(body: Buffer, delimiterEnd: number): number {
  let at = delimiterEnd
  if (body[at] === 45 && body[at + 1] === 45) return -1
  while (body[at] === 32 || body[at] === 9) at++
  if (body[at] !== 13 || body[at + 1] !== 10) throw unreadable('something follows a boundary')
  return at + LINE_BREAK.length
}

function contentStart(body: Buffer, headStart: number): number {
  // A part without a head: the line break of its delimiter is followed by the empty line.
  if (body[headStart] === 13 && body[headStart + 1] === 10) return headStart + LINE_BREAK.length
  const end = body.subarray(headStart, headStart + MAX_HEAD_BYTES).indexOf(END_OF_HEAD)
  if (end === -1) throw unreadable('a part has no head, or one that is too long')
  return headStart + end + END_OF_HEAD.length
}

function parseHead(head: Buffer): ReadonlyMap<string, string> {
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

function parseField(headers: ReadonlyMap<string, string>, content: Buffer): MultipartField {
  const { name, filename } = parseDisposition(headers.get('content-disposition') ?? '')
  if (name === undefined) throw unreadable('a part has no name')
  const type = headers.get('content-type') ?? ''
  const transfer = headers.get('content-transfer-encoding')?.toLowerCase() ?? 'binary'
  if (!PLAIN_TRANSFER.has(transfer) || (headers.get('content-encoding') ?? 'identity') !== 'identity')
    throw new UnsupportedMediaTypeException('The parts of the form must be sent as they are')
  if (filename !== undefined) {
    const options = { type: mediaType(type) || 'application/octet-stream' }
    return [name, new File([content], filename, options)]
  }
  assertCharset(type)
  return [name, decodeUtf8(content)]
}

function parseDisposition(value: string): { name?: string; filename?: string } {
  const found = new Map<string, string>()
  const [kind = ''] = /^[^;\s]*/.exec(value) ?? []
  if (kind.toLowerCase() !== 'form-data') return {}
  PARAMETER.lastIndex = kind.length
  while (PARAMETER.lastIndex < value.length) {
    const match = PARAMETER.exec(value)
    const name = match?.[1]?.toLowerCase() ?? ''
    if (match === null || found.has(name)) throw unreadable('a Content-Disposition is malformed')
    const text = (match[2] ?? match[3] ?? '').replaceAll('\\"', '"').replaceAll(/%22/g, '"')
    if (CONTROL.test(text)) throw unreadable(`the ${name} of a part has a control character`)
    found.set(name, text)
  }
  const name = found.get('name')?.replaceAll(/%0[ad]/gi, decodeURIComponent)
  if (name !== undefined && CONTROL.test(name)) throw unreadable('the name of a part has a line break')
  const filename = found.get('filename')
  return { ...(name === undefined ? {} : { name }), ...(filename === undefined ? {} : { filename }) }
}

function unreadable(reason: string): InputException {
  return new InputException(`The multipart form cannot be read: ${reason}`)
}
