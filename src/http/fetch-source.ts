import { sentence } from '../core/internal.ts'
import { belowBasePath } from './base-path.ts'
import { BodyBuffer, BodyCounter, type BodySink, counted } from './body-sink.ts'
import { BadRequestException, PayloadTooLargeException } from './client-exceptions.ts'
import { canonicalAddress } from './client-address.ts'
import { leavable } from './form-data-body.ts'
import { handedOut } from './handed-request.ts'
import { parseOrigin } from './origin.ts'
import type { RequestLimits, RequestSource } from './request-source.ts'

/** What a host knows about a request in addition to the request itself. */
export interface RequestOrigin {
  /** Address of the client. Default: unknown. */
  readonly clientAddress?: string
  /** Scheme and host that clients use. Default: those of the request's URL. */
  readonly origin?: string | null
  /** The path of the host that all URLs begin with, which a proxy may have stripped. Default: none. */
  readonly basePath?: string
}

/** A request source over the platform's `Request`. */
export class FetchSource implements RequestSource {
  readonly method: string
  readonly target: string
  readonly secure: boolean
  readonly clientAddress: string
  readonly bodyLength: number | null
  bodyLimit: number
  keptLimit: number = Infinity
  readonly #given: Request
  readonly #sent: string
  readonly #known: string | null
  // Whether the URL of the given request lacks the base path.
  readonly #isStripped: boolean
  #bytes: Promise<Uint8Array> | null = null
  #request: Request | null = null
  #finished: Promise<void> | null = null
  #isBodyGone = false
  #isStreamed = false
  #isReading = false
  #isWhole = false

  /**
   * @param request The request.
   * @param limits Limits of what is read.
   * @param known What the host knows. Default: nothing.
   */
  constructor(request: Request, limits: RequestLimits, known: RequestOrigin = {}) {
    const { url } = request
    const start = url.indexOf('/', url.indexOf('://') + 3)
    const fragment = url.indexOf('#')
    this.method = request.method
    const target = fragment === -1 ? url.slice(start) : url.slice(start, fragment)
    this.target = belowBasePath(target, known.basePath ?? '')
    this.#isStripped = this.target !== target
    this.#sent = url.slice(0, start)
    this.#known = known.origin ?? null
    this.secure = (this.#known ?? this.#sent).startsWith('https:')
    this.clientAddress = known.clientAddress === undefined ? '' : canonicalAddress(known.clientAddress)
    this.bodyLength = request.body === null ? 0 : announcedLength(request)
    this.#given = request
    this.bodyLimit = limits.bodyBytes
  }

  // A request of another implementation than the platform's may have its host as it was sent.
  get origin(): string {
    return this.#known ?? parseOrigin(this.#sent) ?? this.#sent
  }

  get signal(): AbortSignal {
    return this.#given.signal
  }

  get isGone(): boolean {
    return this.#given.signal.aborted
  }

  get awaitsBody(): boolean {
    return this.#isReading
  }

  get hasWholeBody(): boolean {
    return this.bodyLength === 0 || this.#isWhole
  }

  header(name: string): string | null {
    return this.#given.headers.get(name)
  }

  bytes(): Promise<Uint8Array> {
    this.#bytes ??= this.#isBodyGone ? Promise.reject(bodyIsGone()) : this.#keep()
    return this.#bytes
  }

  stream(): AsyncIterable<Uint8Array> {
    const { body } = this.#given
    if (this.#bytes !== null || body === null || this.#isBodyGone) return again(() => this.bytes())
    this.#isBodyGone = true
    this.#isStreamed = true
    const pieces = leavable(body as ReadableStream<Uint8Array>, this.header('content-type'))
    return counted(pieces, () => this.bodyLimit)
  }

  finishBody(): Promise<void> {
    this.#finished ??= this.#finish()
    return this.#finished
  }

  request(): Request {
    this.#request ??= this.#isHandedOn() ? this.#given : this.#derive()
    return this.#request
  }

  // A request whose method takes a body may come without one, and reading it as JSON or as a form then fails. Only a request
  // of our own keeps that failure from ending the process.
  #isHandedOn(): boolean {
    return (
      this.origin === this.#sent &&
      !this.#isStripped &&
      this.#given.body === null &&
      (this.method === 'GET' || this.method === 'HEAD')
    )
  }

  // Built from parts, because the request may come from another implementation than the constructor.
  #derive(): Request {
    const { method, headers, signal, body } = this.#given
    const url = this.origin + this.target
    const init = { method, headers, signal }
    if (body !== null) return withSharedBody(url, () => this.bytes(), init)
    return handedOut(new Request(url, init))
  }

  async #finish(): Promise<void> {
    // Its reader counts it.
    if (this.#isStreamed) return
    if (this.#bytes !== null || this.#request !== null) return void (await this.bytes())
    this.#isBodyGone = true
    await this.#read(new BodyCounter(this.bodyLimit), this.bodyLimit)
  }

  async #keep(): Promise<Uint8Array> {
    const limit = Math.min(this.bodyLimit, this.keptLimit)
    const buffer = new BodyBuffer(limit)
    this.#isReading = true
    await this.#read(buffer, limit)
    this.#isReading = false
    this.#isWhole = true
    return buffer.join()
  }

  async #read(sink: BodySink, limit: number): Promise<void> {
    const { body } = this.#given
    if (body === null) return
    if ((this.bodyLength ?? 0) > limit) throw new PayloadTooLargeException()
    try {
      const pieces = leavable(body as ReadableStream<Uint8Array>, this.header('content-type'))
      for await (const piece of pieces) sink.add(piece)
    } catch (cause) {
      if (cause instanceof PayloadTooLargeException) throw cause
      throw new BadRequestException('The body of the request could not be read', { cause })
    }
  }
}

async function* again(bytes: () => Promise<Uint8Array>): AsyncGenerator<Uint8Array, undefined> {
  yield await bytes()
}

/**
 * Creates the error for reading a body that was counted and discarded.
 *
 * @returns The error.
 */
export function bodyIsGone(): Error {
  return new Error(
    sentence`Cannot read the body: the response has been made, and nothing had begun to read the body before`,
  )
}

/**
 * Creates a request whose body is read from `bytes` on demand.
 *
 * @param url Its URL.
 * @param bytes Reads the body.
 * @param init Method and headers.
 * @returns A request of the platform.
 */
export function withSharedBody(
  url: string,
  bytes: () => Uint8Array | Promise<Uint8Array>,
  init: RequestInit,
): Request {
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        controller.enqueue(await bytes())
        controller.close()
      },
    },
    { highWaterMark: 0 },
  )
  return handedOut(new Request(url, { ...init, body, duplex: 'half' }))
}

function announcedLength(request: Request): number | null {
  const length = request.headers.get('content-length')
  return length !== null && /^[0-9]+$/.test(length) ? Number(length) : null
}
