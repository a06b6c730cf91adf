import type { FileHandle } from 'node:fs/promises'
import type { ByteRange } from './byte-range.ts'

/** A part of a body: bytes as they are, or a part of a file. */
export type Piece = Uint8Array | ByteRange

const BLOCK_BYTES = 64 * 1024

/**
 * Reads parts of an open file as they are sent: one block is in memory. The file is closed at the end, when the stream is
 * cancelled and when reading fails.
 *
 * @param file The open file.
 * @param pieces What is sent, in order.
 * @returns The stream.
 */
export function streamPieces(file: FileHandle, pieces: readonly Piece[]): ReadableStream<Uint8Array> {
  const blocks = readPieces(file, pieces)
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await blocks.next()
        if (done === true) controller.close()
        else controller.enqueue(value)
      },
      async cancel() {
        await blocks.return(undefined)
        // A generator that never began does not run its `finally`.
        await file.close()
      },
    },
    { highWaterMark: 0 },
  )
}

/**
 * @param file An open file.
 * @param range The part to read.
 * @returns Its bytes.
 * @throws {Error} If the file is shorter, or reading fails.
 */
export async function readRange(file: FileHandle, { first, last }: ByteRange): Promise<Uint8Array> {
  const bytes = Buffer.allocUnsafe(last - first + 1)
  for (let at = 0; at < bytes.length;) {
    const { bytesRead } = await file.read(bytes, at, bytes.length - at, first + at)
    if (bytesRead === 0) throw new Error('Cannot send the file: it has become shorter')
    at += bytesRead
  }
  return bytes
}

async function* readPieces(
  file: FileHandle,
  pieces: readonly Piece[],
): AsyncGenerator<Uint8Array, undefined> {
  try {
    for (const piece of pieces) {
      if (piece instanceof Uint8Array) yield piece
      else
        for (let first = piece.first; first <= piece.last; first += BLOCK_BYTES)
          yield await readRange(file, { first, last: Math.min(piece.last, first + BLOCK_BYTES - 1) })
    }
  } finally {
    await file.close()
  }
}
