import { leavable } from './form-data-body.ts'

/**
 * The platform's `Response` at the time the framework was loaded. Some hosts replace the global while they serve;
 * `instanceof Response` would then reject the framework's own responses.
 */
export const PlatformResponse: typeof Response = globalThis.Response

const PlatformStream = globalThis.ReadableStream

/**
 * Recognizes a response of any implementation: the platform's, a light one, one of an npm package or of another realm.
 *
 * @param value Any value.
 * @returns Whether it is a response.
 */
export function isResponse(value: unknown): value is Response {
  return value instanceof PlatformResponse || isForeignResponse(value)
}

/**
 * @param response A response of any implementation.
 * @returns Its body as a stream of the platform; null when it has none. Reading starts with the stream.
 */
export function bodyStream(response: Response): ReadableStream<Uint8Array> | null {
  const body: unknown = response.body
  if (body === null || body === undefined) return null
  if (body instanceof PlatformStream)
    return leavable(body as ReadableStream<Uint8Array>, response.headers.get('content-type'))
  const chunks = foreignChunks(response, body)
  return new PlatformStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await chunks.next()
        if (done === true) controller.close()
        else controller.enqueue(value)
      },
      async cancel() {
        await chunks.return()
      },
    },
    { highWaterMark: 0 },
  )
}

// Implementations share only the tag, which no value parsed from a client's JSON can have.
function isForeignResponse(value: unknown): boolean {
  if (Object.prototype.toString.call(value) !== '[object Response]') return false
  if (typeof value !== 'object' || value === null || !('status' in value && 'headers' in value)) return false
  const { status, headers } = value
  return typeof status === 'number' && typeof headers === 'object' && headers !== null
}

// A stream of Node, a stream of another implementation, or a body without a readable stream.
async function* foreignChunks(response: Response, body: unknown): AsyncGenerator<Uint8Array, void> {
  if (isAsyncIterable(body)) yield* body
  else yield new Uint8Array(await response.arrayBuffer())
}

function isAsyncIterable(body: unknown): body is AsyncIterable<Uint8Array> {
  return typeof body === 'object' && body !== null && Symbol.asyncIterator in body
}
