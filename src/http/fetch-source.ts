import { BadRequestException, PayloadTooLargeException } from './client-exceptions.ts'
import type { RequestLimits, RequestSource } from './request-source.ts'

/** A request source over the platform's `Request`. */
export class FetchSource implements RequestSource {
  readonly method: string
  readonly target: string
  readonly origin: string
  readonly secure: boolean
  readonly clientAddress: string
  readonly bodyLength: number | null
  readonly #given: Request
  readonly #limits: RequestLimits
  #bytes: Promise<Uint8Array> | null = null
  #request: Request | null = null

  /**
   * @param request The request.
   * @param limits Limits of what is read.
   * @param clientAddress Address of the client. Default: unknown.
   */
  constructor(request: Request, limits: RequestLimits, clientAddress = '') {
    const { url } = request
    const start = url.indexOf('/', url.indexOf('://') + 3)
    const fragment = url.indexOf('#')
    this.method = request.method
    this.target = fragment === -1 ? url.slice(start) : url.slice(start, fragment)
    this.origin = url.slice(0, start)
    this.secure = url.startsWith('https:')
    this.clientAddress = clientAddress
    this.bodyLength = request.body === null ? 0 : announcedLength(request)
    this.#given = request
    this.#limits = limits
  }

  get signal(): AbortSignal {
    return this.#given.signal
  }

  header(name: string): string | null {
    return this.#given.headers.get(name)
  }

  bytes(): Promise<Uint8Array> {
    this.#bytes ??= readLimited(this.#given, this.#limits.bodyBytes)
    return this.#bytes
  }

  request(): Request {
    this.#request ??=
      this.#given.body === null ? this.#given : withSharedBody(this.#given, () => this.bytes())
    return this.#request
  }
}

/**
 * Gives a request a body that is read from `bytes` on demand.
 *
 * @param request A URL or a request to take method, URL and headers from.
 * @param bytes Reads the body.
 * @param init Method and headers, when `request` is a URL. Default: those of the request.
 * @returns A request of the platform.
 */
export function withSharedBody(
  request: Request | string,
  bytes: () => Uint8Array | Promise<Uint8Array>,
  init?: RequestInit,
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
  return new Request(request, { ...init, body, duplex: 'half' })
}

function announcedLength(request: Request): number | null {
  const length = request.headers.get('content-length')
  return length !== null && /^[0-9]+$/.test(length) ? Number(length) : null
}

async function readLimited(request: Request, limit: number): Promise<Uint8Array> {
  if (request.body === null) return new Uint8Array(0)
  if ((announcedLength(request) ?? 0) > limit) throw new PayloadTooLargeException()
  const chunks: Uint8Array[] = []
  let size = 0
  try {
    for await (const chunk of request.body as ReadableStream<Uint8Array>) {
      size += chunk.byteLength
      if (size > limit) break
      chunks.push(chunk)
    }
  } catch (cause) {
    throw new BadRequestException('The body of the request could not be read', { cause })
  }
  if (size > limit) throw new PayloadTooLargeException()
  return chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks)
}
