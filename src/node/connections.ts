import type { Server as HttpServer } from 'node:http'
import type { Socket } from 'node:net'

/**
 * The connections of a server from accept to close. Node forgets a connection that has left HTTP (CONNECT): it no longer
 * listens to its errors, and `closeAllConnections()` passes it over.
 */
export class Connections {
  readonly #sockets = new Set<Socket>()

  /**
   * @param server Its connections are kept from now on.
   */
  constructor(server: HttpServer) {
    server.on('connection', (socket) => this.#add(socket))
  }

  /** Destroys every connection, in whatever state it is. */
  destroyAll(): void {
    for (const socket of this.#sockets) socket.destroy()
  }

  /** Destroys connections over which nothing has come, such as those that browsers open in advance. */
  destroySilent(): void {
    for (const socket of this.#sockets) if (socket.bytesRead === 0) socket.destroy()
  }

  #add(socket: Socket): void {
    this.#sockets.add(socket)
    // Asked while the connection stands, the address is known for as long as anybody may ask.
    void socket.remoteAddress
    // A reset is an event of every connection; without a listener it ends the process.
    socket.on('error', ignore)
    socket.once('close', () => this.#sockets.delete(socket))
  }
}

function ignore(): void {
  // The connection closes, and whoever waits for it learns so by that.
}
