/**
 * The starter as a process of its own, as `npm start` runs it, and accounts laid into its data folder beforehand.
 *
 * @module
 */
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { setTimeout as sleep } from 'node:timers/promises'
import { generate } from 'otplib/functional'
import { SystemClock } from 'sallyport'
import { SqliteSessionStore } from 'sallyport/session/sqlite'
import { developmentKey, prepareDataDirectory } from 'sallyport-app/boot'
import { openDatabase } from 'sallyport-app/database'
import { untilReady } from 'sallyport-app/testing'
import { PARTS } from '../../parts.ts'
import { TOTP_PERIOD_SECONDS } from '../../core/factors/totp-code.ts'
import { services } from '../support.ts'
import { Identity } from '../identity.ts'
import { CONDITIONS, INHERITED } from '../conditions.ts'
import { migrationsOf } from '../../core/database/migrations.ts'
import type { Schema } from '../../core/database/schema.ts'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))
const MAIN = fileURLToPath(new URL('../../main.ts', import.meta.url))

/** Password of every account that {@link layAccounts} makes. */
export const PASSWORD = 'a gate of two doors'

/** How to run the starter. */
export interface StartOptions {
  /** `DATA_DIR`. */
  readonly directory: string
  /** `PORT`. Default: 0, a free one. */
  readonly port?: number
  /** Further environment variables. Default: none. */
  readonly variables?: Readonly<Record<string, string>>
}

/** Who can sign in. */
export interface Person {
  /** Account reference; empty for the demo account, which does not print it. */
  readonly id: string
  readonly email: string
  /** Password. */
  readonly password: string
  /** Secret of the authenticator in Base32. */
  readonly secret: string
}

/** An account to be laid into a data folder. */
export interface PersonToLay {
  /** What its owner is called. */
  readonly name: string
  /** Its address. */
  readonly email: string
  /** Its permissions. Default: none. */
  readonly permissions?: readonly string[]
}

/** A running starter. */
export class StarterProcess {
  readonly #child: ChildProcess
  readonly #exit: Promise<unknown>
  #output = ''
  #errors = ''

  private constructor(child: ChildProcess) {
    this.#child = child
    this.#exit = once(child, 'exit')
    child.stdout?.setEncoding('utf8').on('data', (text: string) => void (this.#output += text))
    child.stderr?.setEncoding('utf8').on('data', (text: string) => void (this.#errors += text))
  }

  /**
   * Begins a process and waits for nothing.
   *
   * @returns The process; it may end immediately.
   */
  static spawn({ directory, port = 0, variables = {} }: StartOptions): StarterProcess {
    const env = {
      ...INHERITED,
      NO_COLOR: '1',
      HOST: '127.0.0.1',
      PORT: String(port),
      DATA_DIR: directory,
      ...variables,
    }
    const args = [...CONDITIONS, MAIN]
    return new StarterProcess(
      spawn(process.execPath, args, { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'pipe'] }),
    )
  }

  /**
   * Begins a process and waits until it serves.
   *
   * @returns The process.
   */
  static async start(options: StartOptions): Promise<StarterProcess> {
    const starter = StarterProcess.spawn(options)
    try {
      await starter.serving()
      return starter
    } catch (error) {
      // A process that is not killed would keep the test from ending.
      await starter.kill()
      throw error
    }
  }

  /** Waits for the banner, which is written when the server listens. */
  serving(): Promise<void> {
    return untilReady(
      this.#child,
      () => this.#output.includes('Ctrl+C'),
      () => this.#output + this.#errors,
    )
  }

  /** Whether the process has not ended. */
  get isRunning(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null
  }

  /** What it wrote to its standard output. */
  get output(): string {
    return this.#output
  }

  /** What it wrote to its standard error. */
  get errors(): string {
    return this.#errors
  }

  /** Where it serves, by its address and without a slash at the end. */
  get url(): string {
    return read(this.#output, /^ {2}.+: (http\S+)/m)
      .replace('//localhost:', '//127.0.0.1:')
      .replace(/\/$/, '')
  }

  /** The same by the name that a browser and the links in mails use. */
  get site(): string {
    return this.url.replace('127.0.0.1', 'localhost')
  }

  /** Port that it listens on. */
  get port(): number {
    return Number(new URL(this.url).port)
  }

  /** The demo account, read from the output as a user would. */
  get demo(): Person {
    return {
      id: '',
      email: read(this.#output, /E-?mail address +(\S+)/),
      password: read(this.#output, /Password +(\S+)/),
      secret: read(this.#output, /Secret +([A-Z2-7]+)/),
    }
  }

  /** `kill -9`: no handler runs, no buffer is written. */
  async kill(): Promise<void> {
    await this.#end('SIGKILL')
  }

  /** Ends it as a service manager does. */
  async stop(): Promise<void> {
    await this.#end('SIGTERM')
  }

  async #end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    if (!this.isRunning) return
    this.#child.kill(signal)
    await this.#exit
  }
}

/** Somebody's authenticator app, which never shows one code twice. */
export class Authenticator {
  readonly #secret: string
  #last = 0

  /** Codes that were shown, in this order. */
  readonly shown: string[] = []

  constructor(person: Person) {
    this.#secret = person.secret
  }

  /**
   * @returns A code that was not shown before and that the starter accepts for 20 seconds at least. Two in a row come
   * without waiting, for the step before the present one is tolerated; a third waits for the next step.
   */
  async next(): Promise<string> {
    const seconds = Date.now() / 1000
    const current = Math.floor(seconds / TOTP_PERIOD_SECONDS)
    // The step before is refused from the last second of the present one on.
    const oldest = seconds % TOTP_PERIOD_SECONDS < 8 ? current - 1 : current
    const step = Math.max(oldest, this.#last + 1)
    if (step > current) {
      await sleep(step * TOTP_PERIOD_SECONDS * 1000 - Date.now() + 20)
      return this.next()
    }
    this.#last = step
    const code = await this.#at(step)
    this.shown.push(code)
    return code
  }

  /** @returns Six digits that are no code of a step near the present. */
  async wrong(): Promise<string> {
    const current = Math.floor(Date.now() / 1000 / TOTP_PERIOD_SECONDS)
    const near = await Promise.all([-2, -1, 0, 1, 2, 3].map((steps) => this.#at(current + steps)))
    const found = ['000000', '111111', '222222', '333333', '444444', '555555', '666666'].find(
      (code) => !near.includes(code),
    )
    assert.ok(found !== undefined)
    return found
  }

  #at(step: number): Promise<string> {
    return generate({ secret: this.#secret, epoch: step * TOTP_PERIOD_SECONDS, period: TOTP_PERIOD_SECONDS })
  }
}

/**
 * Makes accounts with an enabled factor in a data folder that no process uses, as a setup program does.
 *
 * @returns The accounts, in the same order.
 */
export async function layAccounts(
  directory: string,
  people: readonly PersonToLay[],
): Promise<readonly Person[]> {
  const clock = new SystemClock()
  const paths = prepareDataDirectory(directory)
  const database = await openDatabase<Schema>(paths.accounts, { migrations: migrationsOf(PARTS) })
  const store = new SqliteSessionStore({ path: paths.sessions })
  const app = await services({ database, store, keys: [developmentKey(directory)], clock })
  const { users, factors, hasher } = app.get(Identity)
  const passwordHash = await hasher.hash(PASSWORD)
  const laid: Person[] = []
  for (const { name, email, permissions = [] } of people) {
    const id = await users.add({ email, name, passwordHash, permissions }, clock)
    const factor = await factors.add(id, 'Authenticator app', clock)
    await factors.enableUnproven(factor.id, clock)
    laid.push({ id, email, password: PASSWORD, secret: factor.secret.reveal() })
  }
  await database.destroy()
  store.close()
  return laid
}

function read(text: string, pattern: RegExp): string {
  const found = pattern.exec(text)?.[1]
  assert.ok(found !== undefined, `${String(pattern)} is not in what the starter printed:\n${text}`)
  return found
}
