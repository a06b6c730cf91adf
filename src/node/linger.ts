import type { Socket } from 'node:net'

const LINGER_MILLISECONDS = 1000

/**
 * Has a connection close in two steps after its last answer. To close it whole while the client still sends makes the
 * system reset it, and on a reset the client may lose the answer that it was to read. So our half ends first, nothing
 * more is read, and the rest follows when the client has had the time to see it.
 *
 * @param socket The connection.
 * @see RFC 9112 section 9.6.
 */
export function lingerAtClose(socket: Socket): void {
  // What node calls on a connection whose last answer has been handed over.
  socket.destroySoon = () => {
    const timer = setTimeout(() => socket.destroy(), LINGER_MILLISECONDS)
    socket.once('close', () => clearTimeout(timer))
    socket.end()
    socket.pause()
  }
}
