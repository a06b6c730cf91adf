/** The starter as a process of its own, as `npm start` runs it, and accounts laid into its data folder beforehand. @module */
import assert from 'node:assert/strict'
import { fileURLToPath } from 'node:url'
import { generate } from 'otplib/functional'
import { SystemClock } from 'sallyport'
import { SqliteSessionStore } from 'sallyport/session/sqlite'
import { developmentKey, prepareDataDirectory } from 'sallyport-app/boot'
import { openDatabase } from 'sallyport-app/database'
import { Authenticator as AnyAuthenticator, Program } from 'sallyport-app/testing'
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
export class StarterProcess extends Program {
  private constructor({ directory, port = 0, variables = {} }: StartOptions) {
    const env = { ...INHERITED, NO_COLOR: '1', HOST: '127.0.0.1', PORT: String(port), DATA_DIR: directory }
    super([...CONDITIONS, MAIN], { cwd: ROOT, env: { ...env, ...variables } })
  }

  /** @returns One that has begun; it may end immediately. */
  static spawn(options: StartOptions): StarterProcess {
    return new StarterProcess(options)
  }

  /** @returns One that serves. */
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
  async serving(): Promise<void> {
    await this.find(/Ctrl\+C/)
  }

  /** Where it serves, by its address and without a slash at the end. */
  get url(): string {
    return read(this.output, /^ {2}.+: (http\S+)/m)
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
      email: read(this.output, /E-?mail address +(\S+)/),
      password: read(this.output, /Password +(\S+)/),
      secret: read(this.output, /Secret +([A-Z2-7]+)/),
    }
  }

  /** `kill -9`: no handler runs, no buffer is written. */
  async kill(): Promise<void> {
    await this.ended('SIGKILL')
  }

  /** Ends it as a service manager does. */
  async stop(): Promise<void> {
    await this.ended('SIGTERM')
  }
}

/** The authenticator app of somebody. */
export class Authenticator extends AnyAuthenticator {
  constructor({ secret }: Pick<Person, 'secret'>) {
    super((epoch) => generate({ secret, epoch, period: TOTP_PERIOD_SECONDS }), TOTP_PERIOD_SECONDS)
  }
}

/** Makes accounts with an enabled factor in a data folder that no process uses, as a setup program does. */
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
