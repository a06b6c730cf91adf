/**
 * A Redis or Valkey of the test's own: loopback only, a temporary folder, writes kept across a restart.
 *
 * @module
 */
import type { ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { endProcess, freePort, signalTree, startListener } from './loopback.ts'

const program = process.env['SALLYPORT_REDIS'] ?? ''

/** Why tests with Redis are skipped; false when they run. */
export const withoutRedis: string | false =
  program === '' &&
  'no Redis or Valkey server: npm test says how to get it (Debian: apt-get install redis-server)'

/** A server that can be stopped, paused and started again on the same port, with its data. */
export class RedisServer {
  readonly port: number
  readonly #directory = mkdtempSync(join(tmpdir(), 'sallyport-redis-'))
  #process: ChildProcess | null = null

  readonly #options: readonly string[]

  private constructor(port: number, options: readonly string[]) {
    this.port = port
    this.#options = options
  }

  /** Starts a server, with more options of its command line. */
  static async start(...options: string[]): Promise<RedisServer> {
    const server = new RedisServer(await freePort(), options)
    await server.start()
    return server
  }

  /** Address for a client. */
  get url(): string {
    return `redis://127.0.0.1:${this.port}`
  }

  /** Starts it again, with what it had written. */
  async start(): Promise<void> {
    const options = [
      '--appendonly',
      'yes',
      '--save',
      '',
      '--maxmemory-policy',
      'noeviction',
      '--dir',
      this.#directory,
    ]
    const command = [
      program,
      '--port',
      String(this.port),
      '--bind',
      '127.0.0.1',
      ...options,
      ...this.#options,
    ]
    this.#process = await startListener(command, this.port)
  }

  /** Stops it as an administrator does; or with `SIGKILL`, as a fault does. */
  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    if (this.#process !== null) await endProcess(this.#process, signal)
  }

  /** Has it stand still: connections stay, nothing is answered. */
  pause(): void {
    if (this.#process !== null) signalTree(this.#process, 'SIGSTOP')
  }

  /** Has it go on. */
  resume(): void {
    if (this.#process !== null) signalTree(this.#process, 'SIGCONT')
  }

  /** Stops it and removes its folder. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop('SIGKILL')
    rmSync(this.#directory, { recursive: true, force: true })
  }
}
