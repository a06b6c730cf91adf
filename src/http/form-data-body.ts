const PlatformStream = globalThis.ReadableStream

// What Node's `fetch` writes for a `FormData`; other platforms feed theirs on demand.
const OF_NODE = /^multipart\/form-data; *boundary="?----formdata-undici-/i

/**
 * Makes the body of a `FormData` safe to leave. Node writes its parts into the stream whether anybody reads them or not,
 * and nothing catches what it throws at a part that comes after the stream was cancelled: the process would end. Such a
 * stream is not told that nobody reads it any more; its parts are let go when they have all been written.
 *
 * @param body The body of a request or response.
 * @param contentType Its `Content-Type`; null: it has none.
 * @returns The body, or a stream of the same bytes that may be cancelled at any time.
 */
export function leavable(
  body: ReadableStream<Uint8Array>,
  contentType: string | null,
): ReadableStream<Uint8Array> {
  if (contentType === null || !OF_NODE.test(contentType)) return body
  let reader: ReadableStreamDefaultReader<Uint8Array> | null = null
  return new PlatformStream<Uint8Array>(
    {
      async pull(controller) {
        reader ??= body.getReader()
        const { done, value } = await reader.read()
        if (done) controller.close()
        else controller.enqueue(value)
      },
    },
    { highWaterMark: 0 },
  )
}
