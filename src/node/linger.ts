import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { BodyClock } from './body-clock.ts'
import { stopReading } from './body-reading.ts'

/** What a client still sends after its request was answered. */
export interface RestOfBody {
  /** The message; its length is within the limit of its request. */
  readonly message: IncomingMessage
  /** How fast it must come, so that the connection is kept. */
  readonly bytesPerSecond: number
}

// Less than the second that a refused connection may last.
const LINGER_MILLISECONDS = 900
// How long a client may pause while the rest of its body is dropped, and how far it may stay behind the rate.
const SILENCE_MILLISECONDS = 5000
const closing = new WeakSet<Socket>()
const lingering = new WeakSet<Socket>()

/**
 * Half-closes the connection after the final response. Destroying it while the client is still sending would trigger a TCP
 * reset, and the client could lose the response. So our half is ended first, and the connection is destroyed after the client
 * has had time to read. Many clients, browsers among them, read only when they have sent everything: what is within the limit
 * of the request is read and dropped until then; else nothing more is read.
 *
 * @param socket The connection.
 * @param rest What of a body is read and dropped. Default: nothing.
 * @see RFC 9112 section 9.6.
 */
export function lingerAtClose(socket: Socket, rest: RestOfBody | null = null): void {
  closing.add(socket)
  const dropped = rest === null ? null : drop(rest)
  // Node calls this on a connection after its last response.
  socket.destroySoon = () => {
    if (lingering.has(socket)) return
    lingering.add(socket)
    socket.end()
    if (dropped === null) return destroySoon(socket)
    void dropped.then(() => destroySoon(socket))
  }
}

/**
 * @param socket A connection of a server.
 * @returns Whether our half has ended and the connection is about to be destroyed.
 */
export function isLingering(socket: Socket): boolean {
  return lingering.has(socket)
}

/**
 * @param socket A connection of a server.
 * @returns Whether the response that is being sent is the last one: what else the client asks for is not answered.
 */
export function isClosing(socket: Socket): boolean {
  return closing.has(socket)
}

function destroySoon(socket: Socket): void {
  const timer = setTimeout(() => socket.destroy(), LINGER_MILLISECONDS)
  socket.once('close', () => clearTimeout(timer))
  socket.pause()
}

// Resolves at the end of the message, or when the client is too slow.
function drop({ message, bytesPerSecond }: RestOfBody): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  if (message.destroyed) return Promise.resolve()
  const clock = new BodyClock(() => ({ milliseconds: SILENCE_MILLISECONDS, bytesPerSecond }))
  const stop = (): void => {
    clock.stop()
    message.off('data', count)
    if (!message.complete) stopReading(message)
    resolve()
  }
  const count = (piece: Buffer): void => clock.take(piece.length)
  clock.onOver = stop
  // Of a reader that has given up; Node notices it in the next tick.
  message.removeAllListeners('readable')
  message.on('data', count).once('end', stop).once('close', stop)
  process.nextTick(() => message.resume())
  clock.wait()
  return promise
}
