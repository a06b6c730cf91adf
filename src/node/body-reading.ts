import type { IncomingMessage } from 'node:http'
import { BadRequestException } from '../http/index.ts'
import { type BodySink, requestTimeout } from '../http/internal.ts'
import type { BodyClock } from './body-clock.ts'

/**
 * Reads the body of a message to its end.
 *
 * @param message The message.
 * @param sink Receives the chunks.
 * @param clock Counts the time of the client.
 * @throws {BadRequestException} Rejects if the client disconnects.
 * @throws {HttpException} Rejects with a 408 if the client takes too long.
 * @throws {unknown} Rejects with the error of the sink.
 */
export function readBody(message: IncomingMessage, sink: BodySink, clock: BodyClock): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  // If the client disconnected before the body was requested, the events are over.
  if (message.destroyed) return Promise.reject(disconnected())
  const abandon = (error: unknown): void => {
    clock.stop()
    stopReading(message)
    message.removeAllListeners('data')
    reject(error)
  }
  clock.onOver = () => abandon(requestTimeout())
  message.on('data', (piece: Buffer) => {
    clock.take(piece.length)
    try {
      sink.add(piece)
    } catch (error) {
      abandon(error)
    }
  })
  message.on('end', () => {
    clock.stop()
    resolve()
  })
  // Also emitted after `end` and after an error, when it is too late to reject; no error is created then.
  message.on('close', () => {
    clock.stop()
    if (!message.readableEnded) reject(disconnected())
  })
  message.on('error', () => undefined)
  clock.wait()
  return promise
}

/**
 * Reads the body of a message as it arrives. Who stops reading may still answer on the same connection.
 *
 * @param message The message.
 * @param clock Counts the time of the client.
 * @returns The chunks.
 * @throws {BadRequestException} If the client disconnects.
 * @throws {HttpException} With a 408, if the client takes too long.
 */
export async function* piecesOf(
  message: IncomingMessage,
  clock: BodyClock,
): AsyncGenerator<Buffer, undefined> {
  let wake = (): void => undefined
  const onEvent = (): void => wake()
  clock.onOver = onEvent
  for (const event of EVENTS) message.on(event, onEvent)
  try {
    for (;;) {
      const piece: unknown = message.destroyed ? null : message.read()
      if (Buffer.isBuffer(piece)) {
        clock.take(piece.length)
        yield piece
      } else if (message.readableEnded) return
      else if (message.destroyed) throw disconnected()
      else if (clock.isOver) throw requestTimeout()
      else {
        clock.wait()
        await new Promise<void>((resolve) => (wake = resolve))
        clock.pause()
      }
    }
  } finally {
    clock.stop()
    for (const event of EVENTS) message.off(event, onEvent)
  }
}

const EVENTS = ['readable', 'end', 'close', 'error'] as const

/**
 * Stops reading a message, even if the client sends more. Pausing it is not enough: Node fills its buffer, and reads the rest
 * of a message that was answered. Both call `_read`, which resumes the connection.
 *
 * @param message The message.
 */
export function stopReading(message: IncomingMessage): void {
  message._read = () => undefined
  message.pause()
  message.socket.pause()
}

function disconnected(): BadRequestException {
  return new BadRequestException('The client disconnected')
}
