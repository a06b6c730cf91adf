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

/** The server that the tests start. */
export const redis: string = process.env['SALLYPORT_REDIS'] ?? ''

/** A Valkey to test beside the server of `SALLYPORT_REDIS`; empty when there is none. */
export const valkey: string = process.env['SALLYPORT_VALKEY'] ?? ''

/** Why tests with Redis are skipped; false when they run. */
export const withoutRedis: string | false =
  redis === '' &&
  'no Redis or Valkey server: npm test says how to get it (Debian: apt-get install redis-server)'

/** A server that can be stopped, paused and started again on the same port, with its data. */
export class RedisServer {
  readonly port: number
  readonly #directory = mkdtempSync(join(tmpdir(), 'sallyport-redis-'))
  #process: ChildProcess | null = null

  readonly #options: readonly string[]

  readonly #program: string

  private constructor(port: number, options: readonly string[], serverProgram: string) {
    this.port = port
    this.#options = options
    this.#program = serverProgram
  }

  /** Starts a server, with more options of its command line. */
  static start(...options: string[]): Promise<RedisServer> {
    return RedisServer.startProgram(redis, ...options)
  }

  /** Starts a server that could join a cluster. Its own choice for the bus, 10,000 ports higher, may be taken. */
  static async startForCluster(): Promise<RedisServer> {
    return RedisServer.start('--cluster-enabled', 'yes', '--cluster-port', String(await freePort()))
  }

  /** Starts the server of a program. */
  static async startProgram(serverProgram: string, ...options: string[]): Promise<RedisServer> {
    const server = new RedisServer(await freePort(), options, serverProgram)
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
      // With `everysec` a write that has been answered may wait while the disk is busy, and be lost when the process is
      // killed; with `no` the kernel has each before its answer.
      '--appendfsync',
      'no',
      '--save',
      '',
      '--maxmemory-policy',
      'noeviction',
      '--dir',
      this.#directory,
    ]
    const command = [
      this.#program,
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
