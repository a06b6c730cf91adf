/**
 * A PostgreSQL of the test's own: loopback only, a temporary folder, a password of its own.
 *
 * @module
 */
import { type ChildProcess, execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { chownSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { Client } from 'pg'
import { endProcess, freePort, signalTree, startListener } from './loopback.ts'

const program = process.env['SALLYPORT_POSTGRES'] ?? ''
// Where to keep an empty database for those who start hundreds of servers: copying it is far quicker than making one.
const template = process.env['SALLYPORT_POSTGRES_TEMPLATE']

/** Why tests with PostgreSQL are skipped; false when they run. */
export const withoutPostgres: string | false =
  program === '' && 'no PostgreSQL server: npm test says how to get it (Debian: apt-get install postgresql)'

/** A server that can be stopped, paused and started again on the same port, with its data. */
export class PostgresServer {
  readonly port: number
  readonly #parent = mkdtempSync(join(tmpdir(), 'sallyport-postgres-'))
  #password = ''
  readonly #user = unprivilegedUser()
  readonly #isDurable: boolean
  #process: ChildProcess | null = null

  private constructor(port: number, isDurable: boolean) {
    this.port = port
    this.#isDurable = isDurable
  }

  /** Makes an empty database and starts a server, which waits for the disk only if it is `durable`. */
  static async start({ durable = false }: { readonly durable?: boolean } = {}): Promise<PostgresServer> {
    const server = new PostgresServer(await freePort(), durable)
    server.#initialize()
    await server.start()
    return server
  }

  /** Address for a client. */
  get url(): string {
    return this.urlAt(this.port)
  }

  /** Address for a client that goes through a proxy. */
  urlAt(port: number): string {
    return `postgres://sallyport:${this.#password}@127.0.0.1:${port}/postgres`
  }

  /** Starts it again, with what it had written. */
  async start(): Promise<void> {
    const settings = {
      listen_addresses: '127.0.0.1',
      unix_socket_directories: '',
      shared_buffers: '16MB',
      fsync: this.#isDurable ? 'on' : 'off',
    }
    const options = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
    const command = [program, '-D', this.#directory, '-p', String(this.port), ...options]
    this.#process = await startListener(command, this.port, { cwd: this.#parent, ...this.#user })
    // It listens before it has read its log, and refuses clients until then.
    while (!(await this.#accepts())) await pause(20)
  }

  /** Stops it as an administrator does who does not wait for clients; or with `SIGKILL`, as a fault does. */
  async stop(signal: NodeJS.Signals = 'SIGINT'): Promise<void> {
    if (this.#process !== null) await endProcess(this.#process, signal)
  }

  /** Has it stand still with all its processes: connections stay, nothing is answered. */
  pause(): void {
    if (this.#process !== null) signalTree(this.#process, 'SIGSTOP')
  }

  /** Has it go on. */
  resume(): void {
    if (this.#process !== null) signalTree(this.#process, 'SIGCONT')
  }

  /** Stops it and removes its folder. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop()
    rmSync(this.#parent, { recursive: true, force: true })
  }

  get #directory(): string {
    return join(this.#parent, 'data')
  }

  async #accepts(): Promise<boolean> {
    const client = new Client({ connectionString: this.url })
    try {
      await client.connect()
      return true
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === '57P03') return false
      throw error
    } finally {
      await client.end()
    }
  }

  #initialize(): void {
    giveTo(this.#parent, this.#user)
    if (template === undefined) {
      makeDatabase(this.#parent, this.#user)
    } else {
      if (!existsSync(template)) {
        mkdirSync(template)
        makeDatabase(template, this.#user)
      }
      execFileSync('cp', ['-R', `${template}/.`, this.#parent], this.#user)
    }
    this.#password = readFileSync(join(this.#parent, 'password'), 'utf8')
  }
}

interface User {
  readonly uid?: number
  readonly gid?: number
}

function makeDatabase(folder: string, user: User): void {
  const passwordFile = join(folder, 'password')
  writeFileSync(passwordFile, randomUUID(), { mode: 0o600 })
  giveTo(folder, user)
  giveTo(passwordFile, user)
  const login = ['--username', 'sallyport', '--auth', 'scram-sha-256', '--pwfile', passwordFile]
  const options = ['--no-sync', '--encoding', 'UTF8', '--locale', 'C', '--pgdata', join(folder, 'data')]
  const initdb = join(dirname(program), 'initdb')
  execFileSync(initdb, [...login, ...options], { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'], ...user })
}

function giveTo(path: string, { uid, gid }: User): void {
  if (uid !== undefined && gid !== undefined) chownSync(path, uid, gid)
}

// PostgreSQL refuses to run as root: its own user is taken then, or else nobody.
function unprivilegedUser(): User {
  if (process.getuid?.() !== 0) return {}
  const lines = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
  const user = lines.find(([name]) => name === 'postgres') ?? lines.find(([name]) => name === 'nobody')
  return user === undefined ? {} : { uid: Number(user[2]), gid: Number(user[3]) }
}
