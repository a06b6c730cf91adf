/** A PostgreSQL of the tests' own: on the loopback interface, in a temporary folder, with a password of its own. @module */
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { chownSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { Client } from 'pg'
import { freePort } from './free-port.ts'
import { untilReady } from './until-ready.ts'

const PROGRAM = process.env['SALLYPORT_POSTGRES'] ?? ''
const SETTINGS = ['unix_socket_directories=', 'fsync=off', 'shared_buffers=32MB', 'max_connections=400']

/** Why tests with PostgreSQL are skipped; false when they run. */
export const withoutPostgres: string | false =
  PROGRAM === '' && 'SALLYPORT_POSTGRES does not name the program "postgres" of PostgreSQL 15 or newer'

/** A server that can be stopped, killed and started again, with its data. */
export class PostgresServer {
  readonly #folder = mkdtempSync(join(tmpdir(), 'sallyport-starter-postgres-'))
  readonly #user = unprivilegedUser()
  readonly #password = randomUUID()
  readonly #port: number
  readonly #settings: readonly string[]
  #process: ChildProcess | undefined

  private constructor(port: number, settings: readonly string[]) {
    this.#port = port
    this.#settings = [...SETTINGS, ...settings]
  }

  /**
   * @param settings More of them, as `name=value`; the last of a name counts. Default: none.
   * @returns An empty one. It ends with this process at the latest.
   */
  static async start(settings: readonly string[] = []): Promise<PostgresServer> {
    const server = new PostgresServer(await freePort(), settings)
    process.once('exit', () => server.#remove())
    server.#initialize()
    await server.start()
    return server
  }

  /**
   * Names one of its databases.
   *
   * @param database Its name. Default: `postgres`, which is there from the beginning.
   * @returns Its address, with user and password.
   */
  url(database = 'postgres'): string {
    return `postgres://sallyport:${this.#password}@127.0.0.1:${this.#port}/${database}`
  }

  /** Its process, the parent of those that serve connections; undefined while it is stopped. */
  get pid(): number | undefined {
    return this.#process?.pid
  }

  /** Starts it again, with what it had written. */
  async start(): Promise<void> {
    const options = ['listen_addresses=127.0.0.1', `port=${this.#port}`, ...this.#settings]
    const args = ['-D', this.#data, ...options.flatMap((option) => ['-c', option])]
    this.#process = spawn(PROGRAM, args, { cwd: this.#folder, stdio: 'ignore', ...this.#user })
    // Tests end without asking it.
    this.#process.unref()
    await untilReady(
      this.#process,
      () => this.#answers(),
      () => 'PostgreSQL',
    )
  }

  /**
   * Stops it: as an administrator does who waits for no client, or with `SIGQUIT` as a fault does, without writing down what is open.
   * After a SIGKILL, processes that serve connections would go on for a moment.
   *
   * @param signal How. Default: `SIGINT`.
   */
  async stop(signal: 'SIGINT' | 'SIGQUIT' = 'SIGINT'): Promise<void> {
    const server = this.#process
    this.#process = undefined
    if (server === undefined) return
    // From now on somebody waits for it.
    server.ref()
    const ended = once(server, 'exit')
    server.kill(signal)
    await ended
  }

  /**
   * Runs a statement as its administrator.
   *
   * @param text The statement.
   * @returns Its rows.
   */
  async run<Row extends object>(text: string): Promise<readonly Row[]> {
    const client = new Client({ connectionString: this.url() })
    await client.connect()
    try {
      return (await client.query<Row>(text)).rows
    } finally {
      await client.end()
    }
  }

  get #data(): string {
    return join(this.#folder, 'data')
  }

  async #answers(): Promise<boolean> {
    return this.run('SELECT 1').then(
      () => true,
      () => false,
    )
  }

  #initialize(): void {
    const passwordFile = join(this.#folder, 'password')
    writeFileSync(passwordFile, this.#password, { mode: 0o600 })
    const { uid, gid } = this.#user
    if (uid !== undefined && gid !== undefined)
      for (const path of [this.#folder, passwordFile]) chownSync(path, uid, gid)
    const login = ['--username', 'sallyport', '--auth', 'scram-sha-256', '--pwfile', passwordFile]
    // With the order of a language, which texts of the application must not follow.
    const options = ['--no-sync', '--encoding', 'UTF8', '--locale', 'C.UTF-8', '--pgdata', this.#data]
    const initdb = join(dirname(PROGRAM), 'initdb')
    execFileSync(initdb, [...login, ...options], { cwd: this.#folder, stdio: 'ignore', ...this.#user })
  }

  #remove(): void {
    // It waits until all processes of the server have ended: they would write into the folder while it is removed.
    const stop = ['stop', '--mode', 'immediate', '--pgdata', this.#data]
    spawnSync(join(dirname(PROGRAM), 'pg_ctl'), stop, { cwd: this.#folder, stdio: 'ignore', ...this.#user })
    rmSync(this.#folder, { recursive: true, force: true })
  }
}

// PostgreSQL refuses to run as root: its own user is taken then, or else nobody.
function unprivilegedUser(): { readonly uid?: number; readonly gid?: number } {
  if (process.getuid?.() !== 0) return {}
  const lines = readFileSync('/etc/passwd', 'utf8').split('\n')
  const users = lines.map((line) => line.split(':'))
  const user = users.find(([name]) => name === 'postgres') ?? users.find(([name]) => name === 'nobody')
  return user === undefined ? {} : { uid: Number(user[2]), gid: Number(user[3]) }
}
