import type { Server } from 'node:http'
import { Socket } from 'node:net'

const LOOK_MILLISECONDS = 1000

/** A connection, and how long it may be idle. */
interface Watched {
  readonly socket: Socket
  /** Milliseconds; 0 while a request is answered. */
  limit: number
  /** How often it was looked at since something last came in. */
  looks: number
  /** How many bytes had come in when it was last looked at. */
  bytesRead: number
}

/**
 * Closes connections that are idle for as long as the server allows, `keepAliveTimeout` and its buffer. Node sets a timer
 * of the connection with each answer and clears it with the next request, which a small answer feels; here one timer
 * looks at all connections. So it may take one look longer, and never less.
 *
 * @param server The server, before its first connection.
 */
export function watchIdleConnections(server: Server): void {
  const connections = new Set<Watched>()
  server.on('connection', (socket: Socket) => {
    const watched: Watched = { socket, limit: 0, looks: 0, bytesRead: 0 }
    connections.add(watched)
    // What node calls: with the limit when an answer is out, with 0 when the next request has come.
    socket.setTimeout = (milliseconds) => {
      if (socket.timeout !== undefined && socket.timeout > 0) limitStall(socket, 0)
      watched.limit = milliseconds
      return socket
    }
    socket.once('close', () => connections.delete(watched))
  })
  server.once('listening', () => {
    const timer = setInterval(() => {
      for (const watched of connections) look(watched)
    }, LOOK_MILLISECONDS)
    timer.unref()
    server.once('close', () => clearInterval(timer))
  })
}

/**
 * Has node cut a connection on which nothing moves: it looks twice, whether anything of what waits has gone out meanwhile.
 * With the end of the response this limit ends.
 *
 * @param socket The connection.
 * @param milliseconds From look to look; 0 ends the limit.
 */
export function limitStall(socket: Socket, milliseconds: number): void {
  // The socket's own method is replaced above.
  Socket.prototype.setTimeout.call(socket, milliseconds)
}

function look(watched: Watched): void {
  if (watched.limit === 0) return
  const { bytesRead } = watched.socket
  if (bytesRead !== watched.bytesRead) {
    // A request is on its way in, or came since.
    watched.bytesRead = bytesRead
    watched.looks = 0
    return
  }
  watched.looks++
  if (watched.looks * LOOK_MILLISECONDS >= watched.limit) watched.socket.emit('timeout')
}
