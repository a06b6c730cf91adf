/**
 * Refuses what is no part of a body. The platform's class lets a stream of anything in, and finds out when it is read.
 *
 * @param chunk What a stream gave.
 * @throws {TypeError} If it is no `Uint8Array`, of this realm or another.
 */
export function assertBytes(chunk: unknown): asserts chunk is Uint8Array {
  const tag = chunk instanceof Uint8Array ? '' : Object.prototype.toString.call(chunk).slice(8, -1)
  if (tag !== '' && tag !== 'Uint8Array')
    throw new TypeError(`Cannot send a ${tag} as a part of a body: give a stream of Uint8Array`)
}

/**
 * Puts a listener before a stream that somebody else will read.
 *
 * @param stream The stream; it is locked from now on.
 * @param onFault Takes what the stream fails with, and a part that is no bytes, once.
 * @returns A stream of the same bytes.
 * @throws {TypeError} If somebody reads the stream already.
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
