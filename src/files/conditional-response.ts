import { randomBytes } from '../core/internal.ts'
import { HttpException } from '../http/index.ts'
import { LightResponse, type Payload } from '../http/internal.ts'
import { type ByteRange, parseRanges } from './byte-range.ts'
import type { Piece } from './file-stream.ts'
import { allowsRange, type HeaderLookup, judgePreconditions, type Validators } from './precondition.ts'

/** A request for a file. */
export interface FileRequest {
  /** The method: GET or HEAD. */
  readonly method: string
  /** Its headers. */
  readonly header: HeaderLookup
  /** Value of `Cache-Control` of the response. */
  readonly caching: string
  /** The time in milliseconds. */
  readonly now: number
}

/** What a file is sent as. */
export interface Representation {
  /** Length in bytes. */
  readonly size: number
  /** Value of `Content-Type`. */
  readonly type: string
  /** By which a client knows it again. */
  readonly validators: Validators
  /** Alternating names and values of headers that a 304 has too. */
  readonly lines: readonly string[]
  /** The same for headers of a response with a body. */
  readonly contentLines: readonly string[]
  /**
   * @param sending What is sent.
   * @returns The body, null for HEAD; undefined when the file is no longer what it was.
   */
  body(sending: Sending): Promise<Payload | undefined>
}

/** What is sent of a file. */
export interface Sending {
  /** Parts of the file and what stands between them. */
  readonly pieces: readonly Piece[]
  /** Their length together in bytes. */
  readonly length: number
  /** Whether the body stays away: the request is a HEAD. */
  readonly isHead: boolean
}

/**
 * Answers a request for a file, with its conditions and ranges.
 *
 * @param file The file.
 * @param request The request.
 * @returns The response; undefined when the file is no longer what it was.
 * @throws {HttpException} If a precondition fails (412), or no asked part exists (416).
 * @see RFC 9110 sections 13 and 14.
 */
export async function respondConditionally(
  file: Representation,
  request: FileRequest,
): Promise<LightResponse | undefined> {
  const { etag, modified } = file.validators
  const lines = [
    ...(etag === null ? [] : ['etag', etag]),
    ...(modified === null ? [] : ['last-modified', modified]),
    'cache-control',
    request.caching,
    ...file.lines,
  ]
  const verdict = judgePreconditions(request.header, file.validators)
  if (verdict === 304) return new LightResponse(304, null, lines)
  if (verdict === 412)
    throw new HttpException(412, 'ERR_HTTP_PRECONDITION_FAILED', 'The file is not as the request expects it')
  lines.push('accept-ranges', 'bytes', ...file.contentLines)
  return await sendRanges({ ...file, lines }, file, request)
}

async function sendRanges(
  { lines, size, type }: Pick<Representation, 'lines' | 'size' | 'type'>,
  file: Representation,
  request: FileRequest,
): Promise<LightResponse | undefined> {
  const ranges = rangesOf(file, request)
  const [first, ...more] = ranges
  if (first === undefined) return await send(200, file, { request, type, lines, pieces: whole(size) })
  if (more.length > 0) return await sendParts(file, { request, lines, ranges })
  const partial = [...lines, 'content-range', contentRange(first, size)]
  return await send(206, file, { request, type, lines: partial, pieces: [first] })
}

// None: the whole file.
function rangesOf({ size, validators }: Representation, request: FileRequest): readonly ByteRange[] {
  const range = request.method === 'GET' ? request.header('range') : null
  if (range === null || !allowsRange(request.header('if-range'), validators, request.now)) return []
  const ranges = parseRanges(range, size)
  if (ranges === 'all') return []
  if (ranges !== 'none') return ranges
  const headers = { 'content-range': `bytes */${size}` }
  throw new HttpException(416, 'ERR_HTTP_RANGE_NOT_SATISFIABLE', 'The file is shorter', { headers })
}

function whole(size: number): readonly Piece[] {
  return size === 0 ? [] : [{ first: 0, last: size - 1 }]
}

function contentRange({ first, last }: ByteRange, size: number): string {
  return `bytes ${first}-${last}/${size}`
}

interface Parts {
  readonly request: FileRequest
  readonly lines: readonly string[]
  readonly ranges: readonly ByteRange[]
}

// RFC 9110 section 14.6.
function sendParts(
  file: Representation,
  { request, lines, ranges }: Parts,
): Promise<LightResponse | undefined> {
  const boundary = randomBytes(18).toString('base64url')
  const pieces = ranges.flatMap((range, index): Piece[] => {
    const head = [
      `--${boundary}`,
      `content-type: ${file.type}`,
      `content-range: ${contentRange(range, file.size)}`,
    ]
    return [Buffer.from(`${index === 0 ? '' : '\r\n'}${head.join('\r\n')}\r\n\r\n`, 'latin1'), range]
  })
  pieces.push(Buffer.from(`\r\n--${boundary}--\r\n`, 'latin1'))
  return send(206, file, { request, lines, type: `multipart/byteranges; boundary=${boundary}`, pieces })
}

interface Body {
  readonly request: FileRequest
  readonly lines: readonly string[]
  readonly type: string
  readonly pieces: readonly Piece[]
}

async function send(
  status: number,
  file: Representation,
  { request, lines, type, pieces }: Body,
): Promise<LightResponse | undefined> {
  const length = pieces.reduce((sum, piece) => sum + lengthOf(piece), 0)
  const body = await file.body({ pieces, length, isHead: request.method === 'HEAD' })
  if (body === undefined) return undefined
  return new LightResponse(status, body, [...lines, 'content-type', type, 'content-length', String(length)])
}

function lengthOf(piece: Piece): number {
  return piece instanceof Uint8Array ? piece.byteLength : piece.last - piece.first + 1
}
