import { leavable } from './form-data-body.ts'

/**
 * The platform's `Response` as it was when the framework was loaded. Hosts replace the global one while they serve, and
 * then `instanceof Response` would refuse the framework's own answers.
 */
export const PlatformResponse: typeof Response = globalThis.Response

const PlatformStream = globalThis.ReadableStream

/**
 * Recognizes a response of any implementation: the platform's, a light one, one of an npm package or of another realm.
 *
 * @param value Anything.
 * @returns Whether it is a response.
 */
export function isResponse(value: unknown): value is Response {
  return value instanceof PlatformResponse || isForeignResponse(value)
}

/**
 * @param response A response of any implementation.
 * @returns Its body as a stream of the platform; null when it has none. Nothing is read yet.
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

// The tag is the one thing that implementations share: nothing that came from a client as JSON can have it.
function isForeignResponse(value: unknown): boolean {
  if (Object.prototype.toString.call(value) !== '[object Response]') return false
  const { status, headers } = value as { status?: unknown; headers?: unknown }
  return typeof status === 'number' && typeof headers === 'object' && headers !== null
}

// A stream of Node, a stream of another implementation, or nothing that can be read piece by piece.
async function* foreignChunks(response: Response, body: unknown): AsyncGenerator<Uint8Array, void> {
  if (isAsyncIterable(body)) yield* body
  else yield new Uint8Array(await response.arrayBuffer())
}

function isAsyncIterable(body: unknown): body is AsyncIterable<Uint8Array> {
  return typeof body === 'object' && body !== null && Symbol.asyncIterator in body
}
