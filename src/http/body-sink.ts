import { sentence } from '../core/internal.ts'
import { BadRequestException, PayloadTooLargeException } from './client-exceptions.ts'
import { HttpException } from './http-exception.ts'

const SMALLEST_BLOCK = 4096
const LARGEST_BLOCK = 65_536

/** Receives the chunks of a body. */
export interface BodySink {
  /**
   * @param piece The next bytes.
   * @throws {PayloadTooLargeException} If the body exceeds the limit.
   */
  add(piece: Uint8Array): void
}

/** Counts a body that is not read, and stores nothing of it. */
export class BodyCounter implements BodySink {
  readonly #limit: number
  #size = 0

  /**
   * @param limit Largest body in bytes.
   */
  constructor(limit: number) {
    this.#limit = limit
  }

  add(piece: Uint8Array): void {
    // The host of `fetch()` may pass a stream of any values.
    if (!(piece instanceof Uint8Array))
      throw new TypeError(sentence`Cannot read a body that is not made of bytes`)
    this.#size += piece.byteLength
    if (this.#size > this.#limit) throw new PayloadTooLargeException()
  }
}

/**
 * Stores a body. Chunks are copied into blocks, because every chunk costs some hundred bytes however small it is. A body
 * takes at most twice its size plus one block, and that only while its blocks are joined.
 */
export class BodyBuffer implements BodySink {
  readonly #counter: BodyCounter
  readonly #blocks: Uint8Array[] = []
  #first: Uint8Array | null = null
  #size = 0
  /** Free bytes at the end of the last block. */
  #free = 0

  /**
   * @param limit Largest body in bytes.
   */
  constructor(limit: number) {
    this.#counter = new BodyCounter(limit)
  }

  add(piece: Uint8Array): void {
    this.#counter.add(piece)
    if (piece.byteLength === 0) return
    // Most bodies arrive in one chunk, which is not copied.
    if (this.#size === 0) this.#first = piece
    else {
      if (this.#first !== null) this.#copy(this.#first)
      this.#first = null
      this.#copy(piece)
    }
    this.#size += piece.byteLength
  }

  /**
   * @returns The bytes of all chunks. Nothing can be added afterwards.
   */
  join(): Uint8Array {
    if (this.#first !== null) return this.#first
    // The unused bytes are at the end, beyond the size.
    return Buffer.concat(this.#blocks.splice(0), this.#size)
  }

  #copy(piece: Uint8Array): void {
    const last = this.#blocks.at(-1)
    const fitting = Math.min(this.#free, piece.byteLength)
    last?.set(piece.subarray(0, fitting), last.byteLength - this.#free)
    this.#free -= fitting
    if (fitting === piece.byteLength) return
    const rest = piece.subarray(fitting)
    const usual = Math.min(LARGEST_BLOCK, Math.max(SMALLEST_BLOCK, this.#size))
    const block = new Uint8Array(Math.max(usual, rest.byteLength))
    block.set(rest)
    this.#blocks.push(block)
    this.#free = block.byteLength - rest.byteLength
  }
}

/**
 * Counts the chunks of a body that is read as it arrives.
 *
 * @param pieces The chunks.
 * @param limit Gives the largest body in bytes, which may change until a route is found.
 * @returns The same chunks.
 * @throws {PayloadTooLargeException} If the body exceeds the limit.
 * @throws {BadRequestException} If reading fails, because the client has disconnected.
 * @throws {HttpException} What the chunks throw of that kind, such as a 408.
 */
export async function* counted(
  pieces: AsyncIterable<Uint8Array>,
  limit: () => number,
): AsyncGenerator<Uint8Array, undefined> {
  let size = 0
  try {
    for await (const piece of pieces) {
      size += piece.byteLength
      if (size > limit()) throw new PayloadTooLargeException()
      yield piece
    }
  } catch (cause) {
    if (cause instanceof HttpException) throw cause
    throw new BadRequestException('The client disconnected', { cause })
  }
}
