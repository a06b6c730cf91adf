import { BadRequestException, PayloadTooLargeException } from './client-exceptions.ts'
import { canonicalAddress } from './client-address.ts'
import type { RequestLimits, RequestSource } from './request-source.ts'

/** What a host knows of a request, beside the request itself. */
export interface RequestOrigin {
  /** Address of the client. Default: unknown. */
  readonly clientAddress?: string
  /** Scheme and host that clients use. Default: those of the request's URL. */
  readonly origin?: string | null
}

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
  readonly #isAsSent: boolean
  #bytes: Promise<Uint8Array> | null = null
  #request: Request | null = null

  /**
   * @param request The request.
   * @param limits Limits of what is read.
   * @param known What its host knows. Default: nothing.
   */
  constructor(request: Request, limits: RequestLimits, known: RequestOrigin = {}) {
    const { url } = request
    const start = url.indexOf('/', url.indexOf('://') + 3)
    const fragment = url.indexOf('#')
    this.method = request.method
    this.target = fragment === -1 ? url.slice(start) : url.slice(start, fragment)
    const sent = url.slice(0, start)
    this.origin = known.origin ?? sent
    this.secure = this.origin.startsWith('https:')
    this.clientAddress = known.clientAddress === undefined ? '' : canonicalAddress(known.clientAddress)
    this.#isAsSent = this.origin === sent
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
    this.#request ??= this.#isAsSent && this.#given.body === null ? this.#given : this.#derive()
    return this.#request
  }

  // Made of parts, for the request may be of another implementation than the constructor.
  #derive(): Request {
    const { method, headers, signal, body } = this.#given
    const url = this.origin + this.target
    const init = { method, headers, signal }
    return body === null ? new Request(url, init) : withSharedBody(url, () => this.bytes(), init)
  }
}

/**
 * Gives a request a body that is read from `bytes` on demand.
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
  return new Request(url, { ...init, body, duplex: 'half' })
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
