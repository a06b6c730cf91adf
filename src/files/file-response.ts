import { open } from 'node:fs/promises'
import { HttpException } from '../http/index.ts'
import { type LightResponse, negotiateCoding, type Payload } from '../http/internal.ts'
import type { Asset } from './asset.ts'
import { type FileRequest, respondConditionally, type Sending } from './conditional-response.ts'
import { type FileContent, isUnchanged } from './file-content.ts'
import { readRange, streamPieces } from './file-stream.ts'

// Up to this length a response is written in one piece.
const MAX_BUFFERED_BYTES = 64 * 1024

interface Chosen {
  readonly content: FileContent
  readonly coding: string | null
}

/**
 * Answers a request for a public file, with its conditions, ranges and compressed variants.
 *
 * @param asset The file.
 * @param request The request.
 * @returns The response; undefined when the file has changed on the disk since it was read.
 * @throws {HttpException} If a precondition fails (412), no asked part exists (416) or no coding is accepted (406).
 */
export async function respondWithFile(
  asset: Asset,
  request: FileRequest,
): Promise<LightResponse | undefined> {
  const { content, coding } = choose(asset, request.header('accept-encoding'))
  // Each coding has bytes, and so a tag, of its own (RFC 9110 section 8.8.3.3).
  const etag = `"${content.digest.slice(0, 32)}${coding === null ? '' : `-${coding}`}"`
  const file = {
    size: content.size,
    type: asset.type,
    validators: { etag, modified: content.modified },
    lines: asset.variants.length > 0 ? ['vary', 'Accept-Encoding'] : [],
    contentLines: coding === null ? [] : ['content-encoding', coding],
    body: (sending: Sending): Promise<Payload | undefined> => read(content, sending),
  }
  return await respondConditionally(file, request)
}

function choose({ content, variants }: Asset, accepted: string | null): Chosen {
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

async function read(content: FileContent, { pieces, length, isHead }: Sending): Promise<Payload | undefined> {
  const file = await open(content.path, 'r').catch(() => undefined)
  if (file === undefined) return undefined
  let isStreamed = false
  try {
    if (!isUnchanged(content, await file.stat())) return undefined
    if (isHead) return null
    const [first] = pieces
    if (first === undefined) return new Uint8Array(0)
    if (pieces.length === 1 && !(first instanceof Uint8Array) && length <= MAX_BUFFERED_BYTES)
      return await readRange(file, first)
    isStreamed = true
    return streamPieces(file, pieces)
  } finally {
    if (!isStreamed) await file.close()
  }
}
