import type { Server as HttpServer } from 'node:http'
import type { Socket } from 'node:net'
import { currentAnswer } from './socket-refusal.ts'

/**
 * The connections of a server, from accept to close. Node forgets a connection that has left HTTP (CONNECT): it no longer
 * handles its errors, and `closeAllConnections()` skips it.
 */
export class Connections {
  readonly #sockets = new Set<Socket>()

  /**
   * @param server The server; its connections are tracked from now on.
   */
  constructor(server: HttpServer) {
    server.on('connection', (socket) => this.#add(socket))
    // Of TLS, both are there: one for the bytes on the wire, one for what they mean.
    server.on('secureConnection', (socket: Socket) => this.#add(socket))
  }

  /** Destroys every connection in any state. */
  destroyAll(): void {
    for (const socket of this.#sockets) socket.destroy()
  }

  /** Destroys connections that have not sent anything, such as those that browsers open in advance. */
  destroySilent(): void {
    // Bun does not count the bytes of a connection.
    for (const socket of this.#sockets)
      if (socket.bytesRead === 0 && currentAnswer(socket) === null) socket.destroy()
  }

  #add(socket: Socket): void {
    this.#sockets.add(socket)
    // Read while the connection is open, the address stays available afterwards.
    void socket.remoteAddress
    // A reset can happen on any connection; without a listener it would end the process.
    socket.on('error', ignore)
    socket.once('close', () => this.#sockets.delete(socket))
  }
}

function ignore(): void {
  // The connection closes, which is how its users learn of the error.
}
