import { Readable, pipeline } from 'node:stream'
import zlib from 'node:zlib'

/** A content coding that responses can be sent in. */
export type ContentCoding = 'zstd' | 'br' | 'gzip'

interface Codec {
  /** Compresses the whole at once. */
  readonly whole: (bytes: Uint8Array) => Uint8Array
  /** Compresses piece by piece; what was written leaves at once. */
  readonly pieces: () => zlib.Gzip | zlib.BrotliCompress | zlib.ZstdCompress
}

const { constants } = zlib
// For responses that are made for one request: a page of 30 KB takes 0.1 ms with zstd and 0.4 ms with the others. The
// highest quality of Brotli, the default of Node, takes 30 ms.
const GZIP: zlib.ZlibOptions = { level: 6 }
const BROTLI = { [constants.BROTLI_PARAM_QUALITY]: 4 }
const ZSTD = { [constants.ZSTD_c_compressionLevel]: 3 }

const CODECS: Readonly<Record<ContentCoding, Codec>> = {
  zstd: {
    whole: (bytes) => zlib.zstdCompressSync(bytes, { params: ZSTD }),
    pieces: () => zlib.createZstdCompress({ params: ZSTD, flush: constants.ZSTD_e_flush }),
  },
  br: {
    whole: (bytes) =>
      zlib.brotliCompressSync(bytes, {
        params: { ...BROTLI, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.byteLength },
      }),
    pieces: () => zlib.createBrotliCompress({ params: BROTLI, flush: constants.BROTLI_OPERATION_FLUSH }),
  },
  gzip: {
    whole: (bytes) => zlib.gzipSync(bytes, GZIP),
    pieces: () => zlib.createGzip({ ...GZIP, flush: constants.Z_SYNC_FLUSH }),
  },
}

/** The codings that this platform has, the best first. Older ones have no zstd. */
export const CONTENT_CODINGS: readonly ContentCoding[] = (['zstd', 'br', 'gzip'] as const).filter(
  (coding) => coding !== 'zstd' || typeof zlib.createZstdCompress === 'function',
)

/**
 * @param bytes A body.
 * @param coding The coding.
 * @returns The body in that coding.
 */
export function compressWhole(bytes: Uint8Array, coding: ContentCoding): Uint8Array {
  return CODECS[coding].whole(bytes)
}

/**
 * @param body A body.
 * @param coding The coding.
 * @returns The body in that coding. Each piece of the body can be decoded when it has been sent; a piece is taken when there
 * is room for it; an error passes through; to cancel it cancels the body.
 */
export function compressPieces(
  body: ReadableStream<Uint8Array>,
  coding: ContentCoding,
): ReadableStream<Uint8Array> {
  const compressor = CODECS[coding].pieces()
  const source = Readable.fromWeb(body)
  // Errors reach the reader of the compressor, and its end reaches the source.
  pipeline(source, compressor, () => undefined)
  return Readable.toWeb(compressor)
}
