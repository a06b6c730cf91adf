/** A server in front of another one, whose connections can be made to fail. @module */
import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'
import type { Scope } from './scope.ts'

/**
 * What it does with connections, new ones and those that are open. `silent`: it takes them, and nothing ever comes back. `slow`: every
 * answer comes late. `dead`: it ends them, and takes no more.
 */
export type Flaw = 'none' | 'silent' | 'slow' | 'dead'

/** What passes everything on, or has a flaw. */
export class FlawedProxy {
  readonly #server: Server
  readonly #target: URL
  readonly #open = new Set<Socket>()
  #flaw: Flaw = 'none'
  #lateMilliseconds = 0
  #port = 0

  private constructor(target: URL) {
    this.#target = target
    this.#server = createServer((socket) => this.#serve(socket))
  }

  /**
   * Starts one.
   *
   * @param scope What it ends with.
   * @param address Address of the server behind it.
   * @returns The proxy, on a port of the loopback interface.
   */
  static async start(scope: Scope, address: string): Promise<FlawedProxy> {
    const proxy = new FlawedProxy(new URL(address))
    await proxy.#listen()
    scope.after(() => proxy.#end())
    return proxy
  }

  /** Address of the same server, through this one. */
  get url(): string {
    const url = new URL(this.#target)
    url.port = String(this.#port)
    return url.href
  }

  /**
   * Gives it a flaw. A connection that has met one never recovers: with `none`, new ones do.
   *
   * @param flaw Which.
   * @param lateMilliseconds How late an answer of a slow one comes. Default: 0.
   */
  async have(flaw: Flaw, lateMilliseconds = 0): Promise<void> {
    const wasDead = this.#flaw === 'dead'
    this.#flaw = flaw
    this.#lateMilliseconds = lateMilliseconds
    if (flaw === 'dead') await this.#end()
    else if (wasDead) await this.#listen()
  }

  #serve(socket: Socket): void {
    const server = connect(Number(this.#target.port), this.#target.hostname)
    let isSilent = false
    for (const [from, to] of [
      [socket, server],
      [server, socket],
    ] as const) {
      this.#open.add(from)
      from.on('error', () => undefined)
      from.on('close', () => {
        this.#open.delete(from)
        to.destroy()
      })
      from.on('data', (bytes) => {
        isSilent ||= this.#flaw === 'silent'
        if (isSilent) return
        if (this.#flaw === 'slow' && from === server)
          setTimeout(() => to.write(bytes), this.#lateMilliseconds).unref()
        else to.write(bytes)
      })
    }
  }

  async #listen(): Promise<void> {
    this.#server.listen(this.#port, '127.0.0.1')
    await once(this.#server, 'listening')
    const address = this.#server.address()
    if (typeof address === 'object' && address !== null) this.#port = address.port
  }

  async #end(): Promise<void> {
    if (!this.#server.listening) return
    const closed = once(this.#server, 'close')
    this.#server.close()
    for (const socket of this.#open) socket.destroy()
    await closed
  }
}
