import { PayloadTooLargeException } from '../http/index.ts'
import {
  delimiterOf,
  fileTypeOf,
  MAX_HEAD_BYTES,
  parsePartHead,
  type PartHead,
  unreadable,
} from './multipart-head.ts'
import { decodeUtf8 } from './utf8.ts'

/** A field: its name, and its string or file. */
export type MultipartField = readonly [string, string | File]

const LINE_BREAK = Buffer.from('\r\n')
const END_OF_HEAD = Buffer.from('\r\n\r\n')

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
  const delimiter = delimiterOf(contentType)
  const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
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
    const head = parsePartHead(body.subarray(start, Math.max(start, content - END_OF_HEAD.length)))
    fields.push(fieldOf(head, body.subarray(content, end)))
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

function fieldOf(head: PartHead, content: Buffer): MultipartField {
  const { name, filename } = head
  if (filename === undefined) return [name, decodeUtf8(content)]
  return [name, new File([content], filename, { type: fileTypeOf(head) })]
}
