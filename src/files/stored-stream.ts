import type { StoredFile } from '../input/index.ts'
import type { ByteRange } from './byte-range.ts'
import type { Piece } from './file-stream.ts'

/**
 * Reads parts of a stored file as they are sent.
 *
 * @param file The file.
 * @param pieces What is sent, in order.
 * @returns The stream. It fails when the file turns out to be shorter than the storage said.
 */
export function streamStored(file: StoredFile, pieces: readonly Piece[]): ReadableStream<Uint8Array> {
  return ReadableStream.from(read(file, pieces))
}

async function* read(file: StoredFile, pieces: readonly Piece[]): AsyncGenerator<Uint8Array, undefined> {
  for (const piece of pieces) {
    if (piece instanceof Uint8Array) yield piece
    else yield* readPart(file, piece)
  }
}

async function* readPart(
  file: StoredFile,
  { first, last }: ByteRange,
): AsyncGenerator<Uint8Array, undefined> {
  const isWhole = first === 0 && last === file.size - 1
  const part = isWhole ? undefined : file.part?.(first, last)
  let skipped = part === undefined ? first : 0
  let left = last - first + 1
  // Leaving the loop cancels the stream.
  for await (const chunk of part ?? file.stream()) {
    const bytes = chunk.subarray(skipped, skipped + left)
    skipped = Math.max(0, skipped - chunk.byteLength)
    left -= bytes.byteLength
    if (bytes.byteLength > 0) yield bytes
    if (left === 0) return
  }
  if (left > 0) throw new Error('Cannot send the file: it is shorter than its storage says')
}
