import { sentence } from '../core/internal.ts'

/**
 * Checks a chunk of a body. The platform's class accepts a stream of any values and fails only when it is read.
 *
 * @param chunk A chunk of a stream.
 * @throws {TypeError} If it is not a `Uint8Array`, of this realm or another.
 */
export function assertBytes(chunk: unknown): asserts chunk is Uint8Array {
  const tag = chunk instanceof Uint8Array ? '' : Object.prototype.toString.call(chunk).slice(8, -1)
  if (tag !== '' && tag !== 'Uint8Array')
    throw new TypeError(sentence`Cannot send a ${tag} as a chunk of a body: pass a stream of Uint8Array`)
}

/** Learns what becomes of a body that other code reads. */
export interface BodyListener {
  /** Receives the error of the stream, or of a chunk that is not bytes, once. */
  readonly onFault?: (fault: unknown) => void
  /** Receives the size of each chunk in bytes. */
  readonly onChunk?: (bytes: number) => void
  /** Called once: whether the body was read to its end. If not, it has failed, or its reader has cancelled it. */
  readonly onEnd?: (isWhole: boolean) => void
}

/**
 * Observes a stream that other code reads.
 *
 * @param stream The stream; it is locked from now on.
 * @param listener Learns what becomes of it.
 * @returns A stream of the same bytes.
 * @throws {TypeError} If the stream is already locked.
 */
export function watchBody(
  stream: ReadableStream<Uint8Array>,
  { onFault, onChunk, onEnd }: BodyListener,
): ReadableStream<Uint8Array> {
  const reader = stream.getReader()
  let isOver = false
  const end = (isWhole: boolean): void => {
    isOver = true
    onEnd?.(isWhole)
  }
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await reader.read()
          // Cancelling ends a read that is under way; nothing more is of interest then.
          if (isOver) return
          if (done) {
            end(true)
            return controller.close()
          }
          assertBytes(value)
          onChunk?.(value.byteLength)
          controller.enqueue(value)
        } catch (fault) {
          if (isOver) return
          onFault?.(fault)
          end(false)
          controller.error(fault)
          reader.cancel(fault).catch(() => undefined)
        }
      },
      cancel(reason) {
        end(false)
        return reader.cancel(reason)
      },
    },
    { highWaterMark: 0 },
  )
}
