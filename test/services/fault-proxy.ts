/**
 * A proxy between a client and a server, for faults of the network that no server makes on its own.
 *
 * @module
 */
import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'

/**
 * What it does: `pass` everything; `delay` both directions; `cut` the connection in the middle of each reply;
 * `swallow` everything without closing; `refuse` connections.
 */
export type Fault = 'pass' | 'delay' | 'cut' | 'swallow' | 'refuse'

/** Listens on a loopback port of its own. */
export class FaultProxy {
  /** How long a delayed piece takes, in milliseconds. */
  delayMilliseconds: number = 3000
  /** After how many cut replies it passes everything again. */
  cuts: number = Number.POSITIVE_INFINITY
  #fault: Fault = 'pass'
  readonly #server: Server
  readonly #pairs = new Set<readonly [Socket, Socket]>()

  private constructor(targetPort: number) {
    this.#server = createServer((client) => this.#accept(client, targetPort))
  }

  /** Starts a proxy that passes everything. */
  static async start(targetPort: number): Promise<FaultProxy> {
    const proxy = new FaultProxy(targetPort)
    proxy.#server.listen(0, '127.0.0.1')
    await once(proxy.#server, 'listening')
    return proxy
  }

  /** Its port. */
  get port(): number {
    const address = this.#server.address()
    if (address === null || typeof address === 'string') throw new Error('The proxy does not listen')
    return address.port
  }

  /** Begins a fault, or ends it with `pass`; connections stay but for `refuse`. */
  begin(fault: Fault): void {
    this.#fault = fault
    if (fault === 'refuse') this.#dropAll()
  }

  /** Closes it with all connections. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#dropAll()
    this.#server.close()
    await once(this.#server, 'close')
  }

  #accept(client: Socket, targetPort: number): void {
    if (this.#fault === 'refuse') {
      client.destroy()
      return
    }
    const server = connect(targetPort, '127.0.0.1')
    const pair = [client, server] as const
    this.#pairs.add(pair)
    for (const socket of pair) {
      // The other side hears of it by the end of its own connection.
      socket.on('error', () => undefined)
      socket.on('close', () => this.#drop(pair))
    }
    client.on('data', (chunk) => this.#forward(chunk, server))
    server.on('data', (chunk) => {
      if (this.#fault !== 'cut') {
        this.#forward(chunk, client)
        return
      }
      this.cuts -= 1
      if (this.cuts <= 0) this.#fault = 'pass'
      client.end(chunk.subarray(0, chunk.length >> 1), () => this.#drop(pair))
    })
  }

  #forward(chunk: Buffer, to: Socket): void {
    if (this.#fault === 'swallow') return
    if (this.#fault === 'delay') setTimeout(() => to.write(chunk), this.delayMilliseconds)
    else to.write(chunk)
  }

  #drop(pair: readonly [Socket, Socket]): void {
    this.#pairs.delete(pair)
    for (const socket of pair) socket.destroy()
  }

  #dropAll(): void {
    for (const pair of this.#pairs) this.#drop(pair)
  }
}
