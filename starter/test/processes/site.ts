/** Processes that serve the starter from the same databases. @module */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../core/database/database.ts'
import { type Answer, Closing } from 'sallyport-app/testing'
import { Client } from './client.ts'
import { enroll } from '../flow/steps.ts'
import { codeAt, type Person, type Scope, START, temporary, World } from '../support.ts'
import { CONDITIONS } from '../conditions.ts'
import { databases } from '../databases.ts'
import { failuresOf } from '../failures.ts'

const PROCESSES = 4
const SERVING = fileURLToPath(new URL('serving.ts', import.meta.url))

/** The second door. */
export const DOOR = '/login/2fa'
/** The page for recovery codes. */
export const RECOVERY = '/login/2fa/recovery'

/** @returns Whether it completed a login. */
export function isIn({ status, location }: Answer): boolean {
  return status === 303 && location === '/account'
}

/** @returns Those that are not signed in. */
export async function pendingOf(clients: readonly Client[]): Promise<readonly Client[]> {
  const signedIn = await Promise.all(clients.map((client) => client.isSignedIn()))
  return clients.filter((_, index) => signedIn[index] === false)
}

/** Processes that share the databases, and those databases. Their clock stands still. */
export class Site {
  readonly #database: Database
  readonly #origins: readonly string[]
  readonly #person: Person
  /** The recovery codes of the account. */
  readonly codes: readonly string[]
  /** The present code of its authenticator. */
  readonly code: string

  private constructor(
    database: Database,
    origins: readonly string[],
    account: { readonly person: Person; readonly codes: readonly string[]; readonly code: string },
  ) {
    this.#database = database
    this.#origins = origins
    this.#person = account.person
    this.codes = account.codes
    this.code = account.code
  }

  /** @returns Processes with one account, which has an authenticator and ten recovery codes. */
  static async open(scope: Scope): Promise<Site> {
    const directory = temporary(scope)
    const closing = new Closing()
    const world = await World.open(closing, directory)
    const { person, codes } = await enroll(world, world.browser(), 'ada')
    await closing.close()
    const origins = await Promise.all(Array.from({ length: PROCESSES }, () => start(scope, directory)))
    const database = await databases.accounts(directory)
    scope.after(() => database.destroy())
    const code = await codeAt(person, Date.parse(START) / 1000)
    return new Site(database, origins, { person, codes, code })
  }

  /** @returns Browsers over all processes, each with a pending login of its own. */
  async pending(count: number, path: string = RECOVERY): Promise<readonly Client[]> {
    const clients = Array.from({ length: count }, (_, index) => this.#client(index))
    for (const client of clients) {
      await client.passPassword()
      await client.open(path)
    }
    return clients
  }

  /** @returns Connections over all processes that share one pending login. */
  async pendingOnce(count: number): Promise<readonly Client[]> {
    const [first] = await this.pending(1)
    const cookies = first?.cookies ?? new Map<string, string>()
    const clients = Array.from({ length: count }, (_, index) => this.#client(index).withCookies(cookies))
    await Promise.all(clients.map((client) => client.open(RECOVERY)))
    return clients
  }

  /** Nobody has failed yet. */
  async forgetFailures(): Promise<void> {
    await this.#database.deleteFrom('attempt').execute()
  }

  /** Nobody has failed, every code works once more, and every pending login has all its tries. */
  async renew(): Promise<void> {
    await this.forgetFailures()
    await this.#database.updateTable('recovery_code').set({ used_at: null }).execute()
    await this.#database.updateTable('factor').set({ last_step: null }).execute()
    await this.#database.deleteFrom('used_step').execute()
    await this.allow(0)
  }

  async allow(more: number): Promise<void> {
    await this.#database.updateTable('challenge').set({ attempts: -more }).execute()
  }

  /** @returns How often it happened. */
  happened(kind: string): Promise<number> {
    return this.count(sql`event WHERE kind = ${kind}`)
  }

  /** @returns How many there are. */
  async count(rows: RawBuilder<unknown>): Promise<number> {
    const { rows: found } = await sql<{ n: number }>`SELECT count(*) AS n FROM ${rows}`.execute(
      this.#database,
    )
    return found[0]?.n ?? 0
  }

  /** @returns How many failures count for subjects that begin like this. */
  async failures(start: string): Promise<number> {
    return (await failuresOf(this.#database, `${start}%`)).length
  }

  #client(index: number): Client {
    const origin = this.#origins[index % this.#origins.length] ?? ''
    return new Client(this.#person, { origin, address: `10.0.${index >> 8}.${index & 255}` })
  }
}

async function start(scope: Scope, directory: string): Promise<string> {
  const args = [...CONDITIONS, '--disable-warning=ExperimentalWarning', SERVING, directory]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  scope.after(() => void child.kill('SIGKILL'))
  const [line] = (await once(child.stdout.setEncoding('utf8'), 'data')) as [string]
  return line.trim().replace(/\/$/, '')
}
