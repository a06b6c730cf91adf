import type { Socket } from 'node:net'

// Below the second that a refused connection may last.
const LINGER_MILLISECONDS = 900
const lingering = new WeakSet<Socket>()

/**
 * Half-closes a connection after its last answer. Destroying it while the client is still sending would trigger a TCP
 * reset, and the client could lose the answer. So our half ends first, nothing more is read, and the connection is
 * destroyed when the client has had the time to read.
 *
 * @param socket The connection.
 * @see RFC 9112 section 9.6.
 */
export function lingerAtClose(socket: Socket): void {
  // What node calls on a connection whose last answer has been handed over.
  socket.destroySoon = () => {
    if (lingering.has(socket)) return
    lingering.add(socket)
    const timer = setTimeout(() => socket.destroy(), LINGER_MILLISECONDS)
    socket.once('close', () => clearTimeout(timer))
    socket.end()
    socket.pause()
  }
}

/**
 * @param socket The connection.
 * @returns Whether our half has ended and the rest is about to.
 */
export function isLingering(socket: Socket): boolean {
  return lingering.has(socket)
}
