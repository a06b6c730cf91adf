import { open } from 'node:fs/promises'
import { randomBytes } from '../core/internal.ts'
import { HttpException } from '../http/index.ts'
import { LightResponse, negotiateCoding } from '../http/internal.ts'
import type { Asset } from './asset.ts'
import { type ByteRange, parseRanges } from './byte-range.ts'
import { type FileContent, isUnchanged } from './file-content.ts'
import { type Piece, readRange, streamPieces } from './file-stream.ts'
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

// Up to this length a response is written in one piece.
const MAX_BUFFERED_BYTES = 64 * 1024

interface Representation {
  readonly content: FileContent
  readonly coding: string | null
}

interface Sent {
  readonly content: FileContent
  readonly validators: Validators
  readonly type: string
  readonly lines: readonly string[]
}

/**
 * Answers a request for a file, with its conditions and ranges.
 *
 * @param asset The file.
 * @param request The request.
 * @returns The response; undefined when the file has changed on the disk since it was read.
 * @throws {HttpException} If a precondition fails (412), no asked part exists (416) or no coding is accepted (406).
 * @see RFC 9110 sections 13 and 14.
 */
export async function respondWithFile(
  asset: Asset,
  request: FileRequest,
): Promise<LightResponse | undefined> {
  const { content, coding } = choose(asset, request.header('accept-encoding'))
  // Each coding has bytes, and so a tag, of its own (RFC 9110 section 8.8.3.3).
  const etag = `"${content.digest.slice(0, 32)}${coding === null ? '' : `-${coding}`}"`
  const validators = { etag, modified: content.modified }
  const lines = ['etag', etag, 'last-modified', content.modified, 'cache-control', request.caching]
  if (asset.variants.length > 0) lines.push('vary', 'Accept-Encoding')
  const verdict = judgePreconditions(request.header, validators)
  if (verdict === 304) return new LightResponse(304, null, lines)
  if (verdict === 412)
    throw new HttpException(412, 'ERR_HTTP_PRECONDITION_FAILED', 'The file is not as the request expects it')
  lines.push('accept-ranges', 'bytes')
  if (coding !== null) lines.push('content-encoding', coding)
  return await send({ content, validators, type: asset.type, lines }, request)
}

function choose({ content, variants }: Asset, accepted: string | null): Representation {
  const smallest = variants.toSorted((one, other) => one.content.size - other.content.size)
  const best = negotiateCoding(
    accepted,
    smallest.map(({ coding }) => coding),
  )
  if (best === undefined)
    throw new HttpException(406, 'ERR_HTTP_NOT_ACCEPTABLE', 'The file does not exist in that encoding')
  const variant = variants.find(({ coding }) => coding === best)
  return variant === undefined ? { content, coding: null } : variant
}

async function send(sent: Sent, request: FileRequest): Promise<LightResponse | undefined> {
  const { size } = sent.content
  const range = request.method === 'GET' ? request.header('range') : null
  const isPartial = range !== null && allowsRange(request.header('if-range'), sent.validators, request.now)
  const ranges = isPartial ? parseRanges(range, size) : 'all'
  if (ranges === 'none') {
    const headers = { 'content-range': `bytes */${size}` }
    throw new HttpException(416, 'ERR_HTTP_RANGE_NOT_SATISFIABLE', 'The file is shorter', { headers })
  }
  const [first, ...more] = ranges === 'all' ? [] : ranges
  if (first === undefined) return await sendPieces(200, sent, { request, pieces: whole(size) })
  if (more.length > 0) return await sendParts(sent, request, [first, ...more])
  const lines = [...sent.lines, 'content-range', contentRange(first, size)]
  return await sendPieces(206, { ...sent, lines }, { request, pieces: [first] })
}

function whole(size: number): readonly Piece[] {
  return size === 0 ? [] : [{ first: 0, last: size - 1 }]
}

function contentRange({ first, last }: ByteRange, size: number): string {
  return `bytes ${first}-${last}/${size}`
}

// RFC 9110 section 14.6.
function sendParts(
  sent: Sent,
  request: FileRequest,
  ranges: readonly ByteRange[],
): Promise<LightResponse | undefined> {
  const boundary = randomBytes(18).toString('base64url')
  const { size } = sent.content
  const pieces = ranges.flatMap((range, index): Piece[] => {
    const head = [
      `--${boundary}`,
      `content-type: ${sent.type}`,
      `content-range: ${contentRange(range, size)}`,
    ]
    return [Buffer.from(`${index === 0 ? '' : '\r\n'}${head.join('\r\n')}\r\n\r\n`, 'latin1'), range]
  })
  pieces.push(Buffer.from(`\r\n--${boundary}--\r\n`, 'latin1'))
  const type = `multipart/byteranges; boundary=${boundary}`
  return sendPieces(206, { ...sent, type }, { request, pieces })
}

async function sendPieces(
  status: number,
  { content, type, lines: others }: Sent,
  { request, pieces }: { readonly request: FileRequest; readonly pieces: readonly Piece[] },
): Promise<LightResponse | undefined> {
  const length = pieces.reduce((sum, piece) => sum + lengthOf(piece), 0)
  const lines = [...others, 'content-type', type, 'content-length', String(length)]
  const file = await open(content.path, 'r').catch(() => undefined)
  if (file === undefined) return undefined
  let isStreamed = false
  try {
    if (!isUnchanged(content, await file.stat())) return undefined
    if (request.method === 'HEAD') return new LightResponse(status, null, lines)
    const [first] = pieces
    if (first === undefined) return new LightResponse(status, new Uint8Array(0), lines)
    if (pieces.length === 1 && !(first instanceof Uint8Array) && length <= MAX_BUFFERED_BYTES)
      return new LightResponse(status, await readRange(file, first), lines)
    isStreamed = true
    return new LightResponse(status, streamPieces(file, pieces), lines)
  } finally {
    if (!isStreamed) await file.close()
  }
}

function lengthOf(piece: Piece): number {
  return piece instanceof Uint8Array ? piece.byteLength : piece.last - piece.first + 1
}
