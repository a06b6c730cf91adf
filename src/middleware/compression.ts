import Negotiator from 'negotiator'
import type { HttpContext } from '../context/index.ts'
import { assertOptions, declarationError, shown } from '../core/internal.ts'
import type { OutgoingMiddleware } from '../http/index.ts'
import { addVary, LightResponse } from '../http/internal.ts'
import { compressPieces, compressWhole, CONTENT_CODINGS, type ContentCoding } from './content-codings.ts'

/** Options of {@link Compression}. */
export interface CompressionOptions {
  /** Smallest body that is compressed, in bytes. A body of unknown length always is. Default: 1024. */
  readonly minBytes?: number
  /** Codings to use, the preferred one first. Default: `zstd`, `br`, `gzip`. */
  readonly codings?: readonly ContentCoding[]
}

// The published types lack the option.
interface PreferringNegotiator {
  encoding(available: string[], options: { readonly preferred: string[] }): string | undefined
}

const MIN_BYTES = 1024
// A larger body is compressed piece by piece in other threads: this much takes up to half a millisecond of this one.
const MAX_WHOLE_BYTES = 65_536
const MAX_HEADER_LENGTH = 1024
// Types of text, and the few binary ones that are not compressed in themselves.
const COMPRESSIBLE =
  /^(?:text\/(?!event-stream)[^;,]+|[^;,]+\+(?:json|xml|text)|application\/(?:json|javascript|xml|manifest|wasm|x-ndjson|jsonl|graphql|sql|rtf|toml|yaml)|font\/(?:ttf|otf|collection)|application\/vnd\.ms-fontobject|image\/(?:bmp|vnd\.microsoft\.icon|x-icon))\s*(?:;|$)/i
// With parameters or without: a directive of `Cache-Control`.
const NO_TRANSFORM = /(?:^|[,\s])no-transform(?:[\s,]|$)/i
// They say something about the bytes as they were.
const DIGESTS: readonly string[] = ['content-digest', 'digest', 'content-md5']

/**
 * Compresses responses with zstd, Brotli or gzip, whichever the client prefers. It belongs to the outgoing band, after all
 * middlewares that read or change bodies.
 *
 * Left alone are bodies below 1024 bytes, types that are compressed in themselves, event streams, parts (206), and whatever
 * has a `Content-Encoding`, a digest or `Cache-Control: no-transform`. A strong `ETag` becomes a weak one, because the bytes
 * are others.
 *
 * @example
 * ```ts
 * import assert from 'node:assert/strict'
 * import { gunzipSync } from 'node:zlib'
 * import { App, Controller, defineModule } from 'sallyport'
 * import { Compression } from 'sallyport/middleware'
 * import { TestClient } from 'sallyport/testing'
 *
 * class StoryController extends Controller {
 *   static readonly actions = { index: [] }
 *   index() {
 *     return 'Once upon a time. '.repeat(1000)
 *   }
 * }
 * const app = App.default().modules(defineModule('Site', (module) => module.controllers(StoryController)))
 * app.middleware().outgoing(Compression)
 *
 * const headers = { 'accept-encoding': 'gzip' }
 * const response = await new TestClient(app).get('/site/story', { headers })
 * assert.equal(response.headers.get('content-encoding'), 'gzip')
 * assert.equal(gunzipSync(await response.arrayBuffer()).length, 18_000)
 * ```
 * @see RFC 9110 sections 8.4 and 12.5.3.
 */
export class Compression implements OutgoingMiddleware<HttpContext> {
  readonly #minBytes: number
  readonly #codings: readonly ContentCoding[]

  /**
   * @param options Size and codings.
   * @throws {TypeError} If an option is unknown, or a coding is not one of `zstd`, `br` and `gzip`.
   * @throws {RangeError} If the size is not an integer from 0 on.
   */
  constructor(options: CompressionOptions = {}) {
    assertOptions(options, ['minBytes', 'codings'], 'Compression')
    const { minBytes = MIN_BYTES, codings = ['zstd', 'br', 'gzip'] } = options
    if (!Number.isSafeInteger(minBytes) || minBytes < 0)
      throw declarationError(
        `Cannot use ${shown(minBytes)} as minBytes: it must be a whole number, 0 or more`,
        RangeError,
      )
    this.#minBytes = minBytes
    this.#codings = readCodings(codings)
  }

  /**
   * @param response Any response.
   * @param context Context of the request.
   * @returns The response in a coding that the client accepts, or as it was.
   */
  process(response: Response, context: HttpContext): Response {
    const light = LightResponse.from(response)
    if (light.status === 304) {
      // As for the response that the client has stored, whose type is not known here.
      addVary(light, 'Accept-Encoding')
      return light
    }
    if (!this.#isSuitable(light, context)) return light
    addVary(light, 'Accept-Encoding')
    const coding = this.#codingFor(context)
    return coding === null ? light : encoded(light, coding)
  }

  #isSuitable(response: LightResponse, context: HttpContext): boolean {
    const { status } = response
    if (status === 204 || status === 205 || status === 206) return false
    if (response.header('content-encoding') !== null || response.header('content-range') !== null)
      return false
    if (!COMPRESSIBLE.test(response.header('content-type') ?? '')) return false
    // All lines with that name.
    const caching = response.header('cache-control') === null ? null : response.headers.get('cache-control')
    if (NO_TRANSFORM.test(caching ?? '')) return false
    if (DIGESTS.some((name) => response.header(name) !== null)) return false
    if (response.payload === null && context.sentMethod() !== 'HEAD') return false
    return (lengthOf(response) ?? Infinity) >= this.#minBytes
  }

  #codingFor(context: HttpContext): ContentCoding | null {
    const accepted = context.received().header('accept-encoding')
    if (accepted === null || accepted.length > MAX_HEADER_LENGTH) return null
    const available = [...this.#codings, 'identity']
    const negotiator: PreferringNegotiator = new Negotiator({ headers: { 'accept-encoding': accepted } })
    const best = negotiator.encoding(available, { preferred: available })
    return this.#codings.find((coding) => coding === best) ?? null
  }
}

// Null when it is unknown. A response to HEAD says how long its body would be.
function lengthOf(response: LightResponse): number | null {
  const { payload } = response
  if (typeof payload === 'string') return Buffer.byteLength(payload)
  if (payload instanceof Uint8Array) return payload.byteLength
  const announced = response.header('content-length')
  return announced === null ? null : Number(announced)
}

function encoded(response: LightResponse, coding: ContentCoding): LightResponse {
  const { payload } = response
  const body = payload === null ? null : compressed(payload, coding)
  const made = response.detached(body)
  const { headers } = made
  headers.set('content-encoding', coding)
  if (body instanceof Uint8Array) headers.set('content-length', String(body.byteLength))
  else headers.delete('content-length')
  // A range of these bytes cannot be asked for.
  headers.delete('accept-ranges')
  const etag = headers.get('etag')
  if (etag !== null && !etag.startsWith('W/')) headers.set('etag', `W/${etag}`)
  return made
}

function compressed(
  payload: string | Uint8Array | ReadableStream<Uint8Array>,
  coding: ContentCoding,
): Uint8Array | ReadableStream<Uint8Array> {
  if (payload instanceof ReadableStream) return compressPieces(payload, coding)
  const bytes = typeof payload === 'string' ? Buffer.from(payload) : payload
  if (bytes.byteLength <= MAX_WHOLE_BYTES) return compressWhole(bytes, coding)
  return compressPieces(inPieces(bytes), coding)
}

function inPieces(bytes: Uint8Array): ReadableStream<Uint8Array> {
  let at = 0
  return new ReadableStream<Uint8Array>({
    pull(controller) {
      controller.enqueue(bytes.subarray(at, at + MAX_WHOLE_BYTES))
      at += MAX_WHOLE_BYTES
      if (at >= bytes.byteLength) controller.close()
    },
  })
}

function readCodings(given: unknown): readonly ContentCoding[] {
  const items: readonly unknown[] = Array.isArray(given) ? given : []
  const known: readonly unknown[] = ['zstd', 'br', 'gzip']
  const bad = items.find((item) => !known.includes(item))
  if (items.length === 0 || bad !== undefined || items.includes(undefined))
    throw declarationError(
      `Cannot compress with ${shown(items.length === 0 ? given : bad)}: pass a list of "zstd", "br" and "gzip"`,
    )
  // Those that the platform has.
  return CONTENT_CODINGS.filter((coding) => items.includes(coding)).toSorted(
    (one, other) => items.indexOf(one) - items.indexOf(other),
  )
}
