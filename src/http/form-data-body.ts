const PlatformStream = globalThis.ReadableStream

// The content type that Node's `fetch` writes for a `FormData`; other platforms produce its stream on demand.
const OF_NODE = /^multipart\/form-data; *boundary="?----formdata-undici-/i

/**
 * Makes the body of a `FormData` safe to cancel. Node writes the parts into the stream even when nobody reads them. A part
 * written after the stream was cancelled throws an error that nothing catches, and the process would end. Such a stream is
 * never cancelled; its remaining parts are discarded as they are written.
 *
 * @param body The body of a request or response.
 * @param contentType Its `Content-Type`; null when it has none.
 * @returns The body itself, or a stream of the same bytes that can be cancelled at any time.
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
