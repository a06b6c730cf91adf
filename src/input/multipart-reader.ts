import { PayloadTooLargeException } from '../http/index.ts'
import type { RequestSource } from '../http/internal.ts'
import { assertReadable } from './content-type.ts'
import type { InputLimits } from './input-limits.ts'
import {
  delimiterOf,
  MAX_HEAD_BYTES,
  fileTypeOf,
  parsePartHead,
  type PartHead,
  unreadable,
} from './multipart-head.ts'
import { decodeUtf8 } from './utf8.ts'

/** Limits of a form that is read part by part. */
export interface PartLimits {
  /** Maximum number of parts. */
  readonly fields: number
  /** Largest length of all strings and names of fields together, in bytes. */
  readonly textBytes: number
}

const END_OF_HEAD = Buffer.from('\r\n\r\n')
const MAX_PADDING = 64
const NOTHING = Buffer.alloc(0)

/**
 * Reads a `multipart/form-data` body part by part as it arrives, with the rules of `parseMultipart()`. One chunk of the body
 * and one head are in memory.
 */
export class MultipartReader {
  readonly #chunks: AsyncIterator<Uint8Array>
  readonly #delimiter: Buffer
  readonly #limits: PartLimits
  readonly #leading: [string, string][] = []
  #held: Buffer = NOTHING
  #count = 0
  #textBytes = 0
  #state: 'new' | 'between' | 'inside' | 'over' = 'new'
  #file: PartHead | null = null

  /**
   * @param chunks The body.
   * @param contentType Value of `Content-Type`, with the boundary.
   * @param limits Limits of what is read.
   * @throws {InputException} If there is no boundary, or not exactly one.
   */
  constructor(chunks: AsyncIterable<Uint8Array>, contentType: string, limits: PartLimits) {
    this.#delimiter = delimiterOf(contentType)
    this.#limits = limits
    this.#chunks = chunks[Symbol.asyncIterator]()
  }

  /**
   * @param source A request whose body is a form in parts.
   * @param limits Limits of what is read.
   * @returns Its reader; nothing is read yet.
   * @throws {InputException} If there is no boundary, or not exactly one.
   * @throws {UnsupportedMediaTypeException} If the body is compressed, or declared to have another charset than UTF-8.
   */
  static of(source: RequestSource, { fields }: InputLimits): MultipartReader {
    assertReadable(source)
    const limits: PartLimits = {
      fields,
      // Strings are kept in memory. The limit may change until it is known which route answers.
      get textBytes() {
        return Math.min(source.bodyLimit, source.keptLimit ?? Infinity)
      },
    }
    return new MultipartReader(source.stream(), source.header('content-type') ?? '', limits)
  }

  /**
   * Reads on to the next file, or to the end of the form.
   *
   * @returns Head of the file; null at the end.
   * @throws {InputException} If the form is malformed.
   * @throws {PayloadTooLargeException} If it has too many parts or too long strings.
   */
  async nextFile(): Promise<PartHead | null> {
    // What is left of the file before.
    while ((await this.read()) !== null) continue
    this.#file = null
    for (let head = await this.#nextHead(); head !== null; head = await this.#nextHead()) {
      if (head.filename !== undefined) return (this.#file = head)
      this.#countText(Buffer.byteLength(head.name))
      this.#leading.push([head.name, await this.#readText()])
    }
    return null
  }

  /**
   * Reads a piece of the current file.
   *
   * @returns Some bytes, not kept by the reader; null at the end of the file.
   * @throws {InputException} If the form ends within the file.
   */
  async read(): Promise<Uint8Array | null> {
    while (this.#state === 'inside') {
      const end = this.#held.indexOf(this.#delimiter)
      // The last bytes may be the beginning of the delimiter.
      const length = end === -1 ? this.#held.length - this.#delimiter.length + 1 : end
      if (end !== -1) this.#state = 'between'
      if (length > 0) return this.#take(length)
      if (end === -1 && !(await this.#fill())) throw unreadable('it has no end')
    }
    return null
  }

  /**
   * Reads the whole form into memory, for an action that takes it so.
   *
   * @returns Its fields: the strings, then the files.
   * @throws {InputException} If the form is malformed.
   * @throws {PayloadTooLargeException} If it has too many parts or too long strings.
   */
  async whole(): Promise<readonly (readonly [string, string | File])[]> {
    const files: [string, File][] = []
    for (let head = this.#file ?? (await this.nextFile()); head !== null; head = await this.nextFile()) {
      const content = Buffer.concat(await this.#readAll())
      files.push([head.name, new File([content], head.filename ?? '', { type: fileTypeOf(head) })])
    }
    return [...this.#leading, ...files]
  }

  /** The head of the file that is being read; null before the first and after the last one. */
  get file(): PartHead | null {
    return this.#file
  }

  /** The strings that were read so far, in the order they were sent. */
  get fields(): readonly (readonly [string, string])[] {
    return this.#leading
  }

  async #nextHead(): Promise<PartHead | null> {
    if (this.#state === 'over') return null
    await this.#passDelimiter()
    await this.#holds(2)
    if (this.#held.subarray(0, 2).equals(Buffer.from('--'))) {
      this.#state = 'over'
      // The rest means nothing, but the connection can be used again only behind it.
      do this.#held = NOTHING
      while (await this.#fill())
      return null
    }
    if (++this.#count > this.#limits.fields)
      throw new PayloadTooLargeException(`There are more than ${this.#limits.fields} fields`)
    await this.#passLineBreak()
    const head = parsePartHead(await this.#readHead())
    this.#state = 'inside'
    return head
  }

  async #passDelimiter(): Promise<void> {
    // The first delimiter has no line break before it.
    const delimiter = this.#state === 'new' ? this.#delimiter.subarray(2) : this.#delimiter
    await this.#holds(delimiter.length)
    if (!this.#take(delimiter.length).equals(delimiter))
      throw unreadable('it does not begin with its boundary')
  }

  async #passLineBreak(): Promise<void> {
    for (let padding = 0; ; padding++) {
      await this.#holds(2)
      const [first, second] = this.#held
      if (first === 13 && second === 10) return void this.#take(2)
      if ((first !== 32 && first !== 9) || padding > MAX_PADDING)
        throw unreadable('something follows a boundary')
      this.#take(1)
    }
  }

  async #readHead(): Promise<Buffer> {
    await this.#holds(2)
    if (this.#held[0] === 13 && this.#held[1] === 10) {
      this.#take(2)
      return NOTHING
    }
    for (;;) {
      const end = this.#held.subarray(0, MAX_HEAD_BYTES).indexOf(END_OF_HEAD)
      if (end !== -1) {
        const head = this.#take(end)
        this.#take(END_OF_HEAD.length)
        return head
      }
      if (this.#held.length >= MAX_HEAD_BYTES || !(await this.#fill()))
        throw unreadable('a part has no head, or one that is too long')
    }
  }

  async #readAll(): Promise<Uint8Array[]> {
    const pieces: Uint8Array[] = []
    for (let piece = await this.read(); piece !== null; piece = await this.read()) pieces.push(piece)
    return pieces
  }

  async #readText(): Promise<string> {
    const pieces: Uint8Array[] = []
    for (let piece = await this.read(); piece !== null; piece = await this.read()) {
      this.#countText(piece.length)
      pieces.push(piece)
    }
    return decodeUtf8(Buffer.concat(pieces))
  }

  #countText(bytes: number): void {
    this.#textBytes += bytes
    if (this.#textBytes > this.#limits.textBytes)
      throw new PayloadTooLargeException('The text of the form is too long')
  }

  async #holds(length: number): Promise<void> {
    while (this.#held.length < length) if (!(await this.#fill())) throw unreadable('it has no end')
  }

  #take(length: number): Buffer {
    const taken = this.#held.subarray(0, length)
    this.#held = this.#held.subarray(length)
    return taken
  }

  async #fill(): Promise<boolean> {
    const next: IteratorResult<Uint8Array, unknown> = await this.#chunks.next()
    if (next.done === true) return false
    const { value } = next
    const chunk = Buffer.from(value.buffer, value.byteOffset, value.byteLength)
    this.#held = this.#held.length === 0 ? chunk : Buffer.concat([this.#held, chunk])
    return true
  }
}
