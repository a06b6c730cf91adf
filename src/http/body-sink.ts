import { PayloadTooLargeException } from './client-exceptions.ts'

const SMALLEST_BLOCK = 4096
const LARGEST_BLOCK = 65_536

/** Takes the pieces of a body as they come. */
export interface BodySink {
  /**
   * @param piece The next bytes.
   * @throws {PayloadTooLargeException} If they go beyond the limit.
   */
  add(piece: Uint8Array): void
}

/** Counts a body that nobody reads, and keeps nothing of it. */
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
    // The host of `fetch()` may give a stream of anything.
    if (!(piece instanceof Uint8Array)) throw new TypeError('Cannot read a body that is not made of bytes')
    this.#size += piece.byteLength
    if (this.#size > this.#limit) throw new PayloadTooLargeException()
  }
}

/**
 * Keeps a body. Pieces are copied into blocks, for a piece costs some hundred bytes however small it is: a body costs at
 * most twice its bytes and one block, and that only while its blocks are joined.
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
    // Most bodies come in one piece, which is not copied.
    if (this.#size === 0) this.#first = piece
    else {
      if (this.#first !== null) this.#copy(this.#first)
      this.#first = null
      this.#copy(piece)
    }
    this.#size += piece.byteLength
  }

  /**
   * @returns The bytes of all pieces; nothing can be added after that.
   */
  join(): Uint8Array {
    if (this.#first !== null) return this.#first
    // What is free stands at the end, beyond the size.
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
