/**
 * Checks a chunk of a body. The platform's class accepts a stream of any values and fails only when it is read.
 *
 * @param chunk A chunk of a stream.
 * @throws {TypeError} If it is not a `Uint8Array`, of this realm or another.
 */
export function assertBytes(chunk: unknown): asserts chunk is Uint8Array {
  const tag = chunk instanceof Uint8Array ? '' : Object.prototype.toString.call(chunk).slice(8, -1)
  if (tag !== '' && tag !== 'Uint8Array')
    throw new TypeError(`Cannot send a ${tag} as a part of a body: give a stream of Uint8Array`)
}

/**
 * Observes the failure of a stream that other code reads.
 *
 * @param stream The stream; it is locked from now on.
 * @param onFault Receives the error of the stream, or of a chunk that is not bytes, once.
 * @returns A stream of the same bytes.
 * @throws {TypeError} If the stream is already locked.
 */
export function watchBody(
  stream: ReadableStream<Uint8Array>,
  onFault: (fault: unknown) => void,
): ReadableStream<Uint8Array> {
  const reader = stream.getReader()
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await reader.read()
          if (done) return controller.close()
          assertBytes(value)
          controller.enqueue(value)
        } catch (fault) {
          onFault(fault)
          controller.error(fault)
          reader.cancel(fault).catch(() => undefined)
        }
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  )
}
