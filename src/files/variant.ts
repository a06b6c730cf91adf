import { readFileSync } from 'node:fs'
import { createHash } from 'node:crypto'
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib'
import { declarationError } from '../core/internal.ts'
import { type FileContent, readContent } from './file-content.ts'

/** A content coding that files may be compressed with beforehand. */
export type Coding = 'br' | 'gzip' | 'zstd'

/** The same file, compressed. */
export interface Variant {
  /** Value of `Content-Encoding`. */
  readonly coding: Coding
  /** The compressed bytes. */
  readonly content: FileContent
}

const DECOMPRESS = { br: brotliDecompressSync, zstd: zstdDecompressSync, gzip: gunzipSync } as const

/** The codings and the endings of their files. Between codings that a client likes alike, the smaller file decides. */
export const CODINGS: readonly { readonly coding: Coding; readonly ending: string }[] = [
  { coding: 'br', ending: '.br' },
  { coding: 'zstd', ending: '.zst' },
  { coding: 'gzip', ending: '.gz' },
]

/**
 * Reads the compressed form of a file, and checks that it holds the same: a file that was compressed before the last change
 * would be served for years.
 *
 * @param original What the file holds.
 * @param found The coding, and path of the compressed file.
 * @returns The variant; null when it saves nothing.
 * @throws {RangeError} If it cannot be decompressed or holds something else.
 */
export function readVariant(
  original: FileContent,
  { coding, path }: { readonly coding: Coding; readonly path: string },
): Variant | null {
  const content = readContent(path)
  if (digestOf(path, coding, original.size) !== original.digest)
    throw declarationError(
      `Cannot serve ${JSON.stringify(path)}: it does not decompress to the content of ${JSON.stringify(original.path)}; compress that file again, or delete this one`,
      RangeError,
    )
  return content.size < original.size ? { coding, content } : null
}

function digestOf(path: string, coding: Coding, size: number): string | null {
  try {
    // A limit of one byte more is enough to see that it is longer.
    const bytes = DECOMPRESS[coding](readFileSync(path), { maxOutputLength: size + 1 })
    return createHash('sha256').update(bytes).digest('hex')
  } catch {
    return null
  }
}
