import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { generate } from 'otplib/functional'
import { type App, type ModuleDefinition, Secret } from 'sallyport'
import { PASSWORD_ARGON2ID, PasswordHasher } from 'sallyport/auth'
import { Translator } from 'sallyport/i18n'
import { serve } from 'sallyport/node'
import { MemorySessionStore } from 'sallyport/session'
import { FrozenClock, TestClient } from 'sallyport/testing'
import { Mailbox } from 'sallyport-app/mail'
import { type Page, PageClient, type Scope } from 'sallyport-app/testing'
import type { ListedSessions } from 'sallyport-app/testing/databases'
import { takeOutgoing } from 'sallyport-app/testing/no-way-out'
import { createApplication } from '../application.ts'
import type { ApplicationParts } from '../services.ts'
import type { Part } from '../core/part.ts'
import type { Database } from '../core/database/database.ts'
import { PARTS } from '../parts.ts'
import { catalogues } from './catalogues.ts'
import { databases } from './databases.ts'
import { inEachLanguage } from '../core/messages/language.ts'
import type { Settings } from '../core/settings.ts'
import { Identity } from './identity.ts'

export type { Page, Scope } from 'sallyport-app/testing'

/** The time at which every test starts: a multiple of the time step. */
export const START = '2026-01-01T00:00:00Z'
/** Password of every account of the tests. */
export const PASSWORD = 'a gate of two doors'
/** All that an account may be permitted. */
export const EVERY_PERMISSION: readonly string[] = PARTS.flatMap(({ permissions = [] }) => permissions)
/** Key of the factors' secrets. */
export const KEY: Secret = new Secret('5a'.repeat(32))

// Cheap on purpose: the tests cover the flow, not the hash.
const CHEAP = { memoryCost: 1024, timeCost: 1, parallelism: 1 }
const FOLDER = join(tmpdir(), 'sallyport-starter-')

/** An account of the tests. */
export interface Person {
  /** Account reference. */
  readonly id: string
  readonly email: string
  /** Secret of the factor; undefined when there is none. */
  readonly secret: Secret | undefined
}

/** What may be special about a starter of the tests. */
export interface WorldOptions extends Partial<Settings> {
  /** Modules that only the test has. Default: none. */
  readonly modules?: readonly ModuleDefinition[]
  /** Its parts. Default: all. */
  readonly parts?: readonly Part[]
  /** Whether it can send mails. Default: yes. */
  readonly sendsMails?: boolean
}

/** What a new account of the tests has. */
export interface PersonOptions {
  /** Permissions. Default: none. */
  readonly permissions?: readonly string[]
  /** State of the factor. Default: none. */
  readonly factor?: 'none' | 'unverified' | 'enabled'
}

type MessageRequest = Parameters<Translator['translate']>[1]

/** Throws for a message that would show its identifier. */
class StrictTranslator extends Translator {
  constructor() {
    super(inEachLanguage((language) => ({ ...catalogues[language] })))
  }

  override translate(locale: string, message: MessageRequest): string {
    const text = super.translate(locale, { fallback: '', ...message })
    if (text === '') throw new Error(`There is no message "${message.id}" in ${locale}`)
    return text
  }
}

/** The starter in this process, on a database in a folder of its own. */
export class World {
  readonly app: App
  readonly identity: Identity
  readonly database: Database
  readonly store: ListedSessions
  readonly clock: FrozenClock
  readonly hasher: PasswordHasher
  /** The mails that would be sent. */
  readonly mailbox: Mailbox
  /** Folder of its databases. */
  readonly directory: string
  /** Unexpected errors of requests, in the order they happened. */
  readonly faults: unknown[] = []

  private constructor(
    parts: Pick<World, 'app' | 'database' | 'store' | 'clock' | 'hasher' | 'mailbox' | 'directory'>,
  ) {
    this.app = parts.app
    this.identity = parts.app.get(Identity)
    this.database = parts.database
    this.store = parts.store
    this.clock = parts.clock
    this.hasher = parts.hasher
    this.mailbox = parts.mailbox
    this.directory = parts.directory
    this.app.onError((error) => void this.faults.push(error))
  }

  /** @returns A starter without accounts. */
  static create(test: Scope, options: WorldOptions = {}): Promise<World> {
    const directory = mkdtempSync(FOLDER)
    const world = World.open(test, directory, options)
    // Hooks run in their order: the files are closed before.
    return world.finally(() => test.after(() => rmSync(directory, { recursive: true })))
  }

  /** @returns A starter on what the folder holds. */
  static async open(scope: Scope, directory: string, options: WorldOptions = {}): Promise<World> {
    const clock = new FrozenClock(START)
    const mailbox = new Mailbox(clock)
    const { database, store, close } = await databases.open(directory, clock)
    // Before the application boots, which may be refused.
    scope.after(async () => {
      await close()
      assert.deepEqual(takeOutgoing(), [], 'connected to addresses that no setting names')
    })
    // A wait of seconds for a hash is a fact of a busy machine, and no test here is about it.
    const hasher = new PasswordHasher(PASSWORD_ARGON2ID, CHEAP, { waitMilliseconds: 60_000 })
    const { modules = [], parts = PARTS, sendsMails = true, ...settings } = options
    const app = createApplication({
      database,
      store,
      keys: [KEY],
      clock,
      hasher,
      parts,
      translator: new StrictTranslator(),
      ...(sendsMails && { mailer: mailbox }),
      settings: { origin: () => 'https://app.test', ...settings },
    })
    await app.modules(...modules).boot()
    return new World({ app, database, store, clock, hasher, mailbox, directory })
  }

  /** @returns The account, with the password of the tests. */
  async person(name: string, options: PersonOptions = {}): Promise<Person> {
    const { permissions = [], factor = 'none' } = options
    const email = `${name}@example.test`
    const passwordHash = await this.hasher.hash(PASSWORD)
    const id = await this.identity.users.add({ email, name, passwordHash, permissions }, this.clock)
    if (factor === 'none') return { id, email, secret: undefined }
    const made = await this.identity.factors.add(id, 'Authenticator app', this.clock)
    if (factor === 'enabled') await this.identity.factors.enableUnproven(made.id, this.clock)
    return { id, email, secret: made.secret }
  }

  /** @returns Where the starter listens: there clients have addresses. */
  async listen(test: Scope): Promise<string> {
    const server = await serve(this.app, { port: 0, signals: [] })
    test.after(() => server.close())
    return server.url
  }

  /** @returns A browser without cookies. */
  browser(from: { readonly clientAddress?: string; readonly userAgent?: string } = {}): Browser {
    const { clientAddress = '', userAgent } = from
    const client = new TestClient(this.app, { origin: 'https://app.test', clientAddress })
    return new Browser(this, client, userAgent === undefined ? {} : { 'user-agent': userAgent })
  }

  /** @returns A browser in which the person has signed in. */
  async inside(person: Person): Promise<Browser> {
    const browser = this.browser()
    await browser.signIn(person)
    return browser
  }

  /** @returns The code of that step. */
  code(person: Person, steps = 0): Promise<string> {
    return codeAt(person, this.clock.timestamp() + 30 * steps)
  }

  /** @returns Six digits that are the code of no step near the present. */
  async wrongCode(person: Person): Promise<string> {
    const near = await Promise.all([-2, -1, 0, 1, 2].map((steps) => this.code(person, steps)))
    const found = ['000000', '111111', '222222', '333333', '444444', '555555'].find(
      (code) => !near.includes(code),
    )
    assert.ok(found !== undefined)
    return found
  }

  /** @returns Kinds of the events of the account, in the order they happened. */
  async events(person: Person): Promise<readonly string[]> {
    const records = await this.identity.audit.latest(1000, person.id)
    return records.map((record) => record.kind).reverse()
  }

  async disable(person: Person): Promise<void> {
    await this.identity.users.disable(person.id)
  }
}

/** A user's browser. */
export class Browser extends PageClient {
  /** Path of the page that it opened last; empty before. */
  page = ''
  readonly #world: World
  readonly #headers: Readonly<Record<string, string>>

  constructor(world: World, client: TestClient, headers: Readonly<Record<string, string>> = {}) {
    super(client, { store: world.store, clock: world.clock, headers })
    this.#world = world
    this.#headers = headers
  }

  override open(...[path, options]: Parameters<PageClient['open']>): Promise<Page> {
    this.page = path
    return super.open(path, options)
  }

  /** Opens a page and sends its form. */
  async send(path: string, fields: Parameters<PageClient['submit']>[1] = {}): Promise<Page> {
    await this.open(path)
    return this.submit(path, fields)
  }

  /** Opens the login page and sends address and password. */
  password(person: { readonly email: string }, password: string = PASSWORD): Promise<Page> {
    return this.send('/login', { email: person.email, password })
  }

  /** Opens the challenge page and sends a code. */
  code(code: string): Promise<Page> {
    return this.send('/login/2fa', { code })
  }

  /** Signs in through both doors. @returns What came back after the last step. */
  async signIn(person: Person): Promise<Page> {
    const first = await this.password(person)
    return person.secret === undefined ? first : this.code(await this.#world.code(person))
  }

  /** @returns Whether the account page opens. */
  async isSignedIn(): Promise<boolean> {
    const { status } = await this.client.get('/account')
    return status === 200
  }

  /** @returns Another browser that holds the same cookies and the same page. */
  twin(): Browser {
    const twin = new Browser(this.#world, this.client.clone(), this.#headers)
    twin.shows(this)
    return twin
  }
}

/** @returns An application whose services are asked for with `get()`, and that serves no pages. */
export function services(
  parts: Partial<ApplicationParts> & Pick<ApplicationParts, 'database'>,
): Promise<App> {
  return createApplication({ store: new MemorySessionStore(), keys: [KEY], ...parts }).boot()
}

/** @returns The code of that moment. */
export function codeAt(person: Person, epoch: number): Promise<string> {
  assert.ok(person.secret !== undefined, 'the account has no factor')
  return generate({ secret: person.secret.reveal(), epoch })
}

/** @returns A new folder. */
export function temporary(scope: Scope): string {
  const directory = mkdtempSync(FOLDER)
  scope.after(() => rmSync(directory, { recursive: true, force: true }))
  return directory
}
