import type { Socket } from 'node:net'

// Less than the second that a refused connection may last.
const LINGER_MILLISECONDS = 900
const lingering = new WeakSet<Socket>()

/**
 * Half-closes the connection after the final response. Destroying it while the client is still sending would trigger a TCP
 * reset, and the client could lose the response. So our half is ended first, nothing more is read, and the connection is
 * destroyed after the client has had time to read.
 *
 * @param socket The connection.
 * @see RFC 9112 section 9.6.
 */
export function lingerAtClose(socket: Socket): void {
  // Node calls this on a connection after its last response.
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
 * @returns Whether our half has ended and the connection is about to be destroyed.
 */
export function isLingering(socket: Socket): boolean {
  return lingering.has(socket)
}
