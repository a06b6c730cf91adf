/** Four processes of the starter with one PostgreSQL and one Redis, behind a proxy that picks one at random. @module */
import {
  type Answer,
  ASKED,
  freePort,
  PostgresServer,
  randomProxy,
  RedisServer,
} from '../../../packages/sallyport-app/src/testing/index.ts'
import { Program, Visitor } from '../../../starter/test/start/process.ts'
import { type Scope, temporary } from '../../../starter/test/support.ts'

const FACTOR_KEY = `${'ab'.repeat(31)}01`

export class Four {
  /** Where the proxy listens. */
  readonly url: string
  /** Where each of them listens. */
  readonly ports: readonly number[]
  /** Secret of the demo account's factor; empty where there is no such account. */
  readonly secret: string
  readonly postgres: PostgresServer
  readonly redis: RedisServer
  readonly #programs: Program[]
  readonly #begin: (index: number) => Program
  readonly #served: number[]

  private constructor(parts: Pick<Four, 'url' | 'ports' | 'secret' | 'postgres' | 'redis'>, own: Own) {
    this.url = parts.url
    this.ports = parts.ports
    this.secret = parts.secret
    this.postgres = parts.postgres
    this.redis = parts.redis
    this.#programs = own.programs
    this.#begin = own.begin
    this.#served = own.served
  }

  /** @returns Four that have started at once, on servers without any table. */
  static async start(scope: Scope, more: Readonly<Record<string, string>> = {}): Promise<Four> {
    const [postgres, redis] = await Promise.all([PostgresServer.start(), RedisServer.start()])
    const [ports, port] = [
      [await freePort(), await freePort(), await freePort(), await freePort()],
      await freePort(),
    ]
    const url = `http://localhost:${port}`
    const variables = { DATABASE_URL: postgres.url(), REDIS_URL: redis.url, FACTOR_KEY, ORIGIN: url, ...more }
    const directory = temporary(scope)
    const begin = (index: number): Program =>
      new Program(scope, { ...variables, DATA_DIR: directory, PORT: String(ports[index]) })
    const programs = ports.map((_, index) => begin(index))
    const banners = await Promise.all(programs.map((program) => program.banner()))
    const [, secret = ''] = /Secret\s+([A-Z2-7]{32})/.exec(banners[0] ?? '') ?? []
    const served = [...ports]
    await randomProxy(scope, port, served)
    return new Four({ url, ports, secret, postgres, redis }, { programs, begin, served })
  }

  /** Ends one of them, and starts it again. */
  async restart(index: number, signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
    await this.#programs[index]?.ended(signal)
    const program = this.#begin(index)
    this.#programs[index] = program
    await program.banner()
  }

  /** Ends one of them as an operator does whose proxy sends it nothing more, and starts it again. */
  async replace(index: number): Promise<void> {
    const [port] = this.#served.splice(index, 1)
    await this.restart(index, 'SIGTERM')
    if (port !== undefined) this.#served.splice(index, 0, port)
  }

  /** Sends one of them a signal that does not end it. */
  signal(index: number, name: NodeJS.Signals): void {
    this.#programs[index]?.signal(name)
  }

  /** @returns How many rows there are. */
  async count(rows: string): Promise<number> {
    const [found] = await this.postgres.run<{ count: string }>(`SELECT count(*) FROM ${rows}`)
    return Number(found?.count)
  }

  /** Nobody has failed, and every code works once more. */
  async renew(): Promise<void> {
    await this.postgres.run('DELETE FROM attempt; DELETE FROM used_step; UPDATE factor SET last_step = NULL')
  }

  /** @returns The newest link in a mail to the address: each process shows those that it would have sent. */
  async linkTo(address: string): Promise<string> {
    for (const { html } of await this.#askAll(new Visitor(this.url), '/dev/mail')) {
      const [, text = ''] = html.split(address)
      const [, path] = new RegExp(`${this.url}(/[^"<\\s]+)`).exec(text) ?? []
      if (path !== undefined) return path
    }
    throw new Error(`There is no mail to ${address}`)
  }

  /** @returns Status of a page at each process. */
  async statuses(visitor: Visitor, path = '/account'): Promise<readonly number[]> {
    return (await this.#askAll(visitor, path)).map(({ status }) => status)
  }

  async #askAll(visitor: Visitor, path: string): Promise<readonly Answer[]> {
    const visits: Answer[] = []
    for (const index of this.#programs.keys())
      visits.push(await visitor.open(path, { [ASKED]: String(index) }))
    return visits
  }
}

interface Own {
  readonly programs: Program[]
  readonly begin: (index: number) => Program
  /** Ports that the proxy sends requests to. */
  readonly served: number[]
}
