/** A Redis or Valkey of the tests' own: on the loopback interface, in a temporary folder. @module */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { freePort } from './free-port.ts'
import { untilReady } from './until-ready.ts'

const PROGRAM = process.env['SALLYPORT_REDIS'] ?? ''
const SETTINGS = ['--bind', '127.0.0.1', '--save', '', '--appendonly', 'yes', '--appendfsync', 'always']

/** Why tests with Redis are skipped; false when they run. */
export const withoutRedis: string | false =
  PROGRAM === '' && 'SALLYPORT_REDIS does not name the program of Redis 7 or Valkey 8'

/** A server that can be stopped, killed and started again, with its data. */
export class RedisServer {
  /** Its address. */
  readonly url: string
  readonly #port: number
  readonly #folder = mkdtempSync(join(tmpdir(), 'sallyport-starter-redis-'))
  #process: ChildProcess | undefined

  private constructor(port: number) {
    this.#port = port
    this.url = `redis://127.0.0.1:${port}`
  }

  /** @returns An empty one. It ends with this process at the latest. */
  static async start(): Promise<RedisServer> {
    const server = new RedisServer(await freePort())
    process.once('exit', () => server.#remove())
    await server.start()
    return server
  }

  /** Its process. */
  get pid(): number | undefined {
    return this.#process?.pid
  }

  /** Starts it again, with what it had written. */
  async start(): Promise<void> {
    const args = ['--port', String(this.#port), '--dir', this.#folder, ...SETTINGS]
    this.#process = spawn(PROGRAM, args, { stdio: 'ignore' })
    // Tests end without asking it.
    this.#process.unref()
    await untilReady(
      this.#process,
      () => this.#listens(),
      () => 'Redis',
    )
  }

  /** @returns What it calls its version. */
  async version(): Promise<string> {
    const { stdout } = await promisify(execFile)(PROGRAM, ['--version'])
    return / v=(\S+)/.exec(stdout)?.[1] ?? ''
  }

  /** Ends it as a fault does. */
  async kill(): Promise<void> {
    const server = this.#process
    if (server === undefined) return
    // From now on somebody waits for it.
    server.ref()
    const ended = once(server, 'exit')
    server.kill('SIGKILL')
    await ended
  }

  async #listens(): Promise<boolean> {
    const socket = connect(this.#port, '127.0.0.1')
    try {
      await once(socket, 'connect')
      return true
    } catch {
      return false
    } finally {
      socket.destroy()
    }
  }

  #remove(): void {
    this.#process?.kill('SIGKILL')
    rmSync(this.#folder, { recursive: true, force: true })
  }
}
