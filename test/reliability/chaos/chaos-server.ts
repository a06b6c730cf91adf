import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

/** What the process holds, after a full collection. */
export interface Stats {
  readonly heap: number
  readonly rss: number
  readonly sockets: number
  /** Bytes that were read of the connections that are open. */
  readonly read: number
  readonly handled: number
  readonly faults: readonly string[]
}

/** A process of `server.ts`. */
export class ChaosServer {
  readonly port: number
  /** What it wrote to its error output. */
  readonly said: string[]
  readonly #child: ChildProcess

  private constructor(child: ChildProcess, port: number, said: string[]) {
    this.#child = child
    this.port = port
    this.said = said
  }

  /** Starts a process. */
  static async start(): Promise<ChaosServer> {
    const program = fileURLToPath(new URL('server.ts', import.meta.url))
    const child = spawn(process.execPath, ['--conditions=sallyport-source', program], {
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const said: string[] = []
    child.stderr.on('data', (piece: Buffer) => said.push(piece.toString()))
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
    const { value }: IteratorResult<string, undefined> = await lines.next()
    if (value === undefined) throw new Error(`Cannot start the server: ${said.join('')}`)
    return new ChaosServer(child, Number(value), said)
  }

  /** Whether it still runs. */
  get isAlive(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null
  }

  /** What it holds now. */
  async stats(): Promise<Stats> {
    const headers = { connection: 'close' }
    return (await (await fetch(`http://127.0.0.1:${this.port}/stats`, { headers })).json()) as Stats
  }

  /** Ends it by SIGTERM; gives its exit code. */
  async end(): Promise<number | null> {
    if (this.isAlive) {
      const ended = once(this.#child, 'exit')
      this.#child.kill('SIGTERM')
      await ended
    }
    return this.#child.exitCode
  }
}
