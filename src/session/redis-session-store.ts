import {
  assertClock,
  assertMilliseconds,
  assertOptions,
  declarationError,
  shown,
  readClock,
} from '../core/internal.ts'
import { type Clock, SystemClock } from '../core/index.ts'
import { within } from './deadline.ts'
import { type RedisCommands, RedisConnection, type RedisOperation } from './redis-connection.ts'
import { entriesText, keyText, liveHead, parseRecord, tombstoneHead } from './redis-record.ts'
import { DESTROY, type RedisScript, ROTATE, UPDATE, UPDATE_EXPECTED } from './redis-scripts.ts'
import { digestIn, successorOf } from './session-identifier.ts'
import { parseStored } from './session-store-exception.ts'
import {
  type Lifetime,
  type SessionChanges,
  type SessionData,
  type SessionRecord,
  SessionStore,
  type SessionUpdate,
  TOMBSTONE_MILLISECONDS,
} from './session-store.ts'

/** Options of a {@link RedisSessionStore}. */
export interface RedisSessionStoreOptions {
  /** Prefix of every key, without braces. Default: `sallyport:session`. */
  readonly prefix?: string
  /** How long an operation may take, in milliseconds. Default: 500. */
  readonly timeoutMilliseconds?: number
  /** Clock for expiry. Default: the machine's clock. */
  readonly clock?: Clock
}

/** Address and options of a {@link RedisSessionStore}. */
export interface RedisSessionStoreAddress extends RedisSessionStoreOptions {
  /** `redis://user:password@host:port/database`, or `rediss://` for TLS. */
  readonly url: string
}

/** How operations reach a server: over a connection of the store, or with a client of the application. */
interface Link {
  run<T>(operation: RedisOperation<T>): Promise<T>
  runRepeatable<T>(operation: RedisOperation<T>): Promise<T>
  close(): void
}

const NO_TIME_OF_SERVER = ''
const NAMES: readonly string[] = ['url', 'prefix', 'timeoutMilliseconds', 'clock']

/**
 * Sessions in Redis 7 or Valkey. Each operation is one round trip: a read is one `GET`, a write one script.
 *
 * All keys share one hash tag, which keeps them on one node of a cluster: a rotation writes two of them atomically. The
 * server's configuration decides what survives a failure: `appendonly yes` with `appendfsync always` loses no confirmed
 * write, and `maxmemory-policy noeviction` evicts no session.
 */
export class RedisSessionStore extends SessionStore {
  readonly #link: Link
  readonly #clock: Clock
  readonly #prefix: string

  /**
   * Uses a connection, or a client of the application for a cluster, a sentinel or special TLS settings. The application
   * opens and closes such a client and configures how it reconnects; it should set `disableOfflineQueue`.
   *
   * @param client A connection, or a client of the package `redis`.
   * @param options Prefix, time limit and clock.
   * @throws {TypeError} If the client is invalid, the prefix is empty or has braces, the clock is invalid, or an option is unknown.
   * @throws {RangeError} If the time limit is not above 0, or is longer than a timer can wait.
   */
  constructor(client: RedisConnection | RedisCommands, options: RedisSessionStoreOptions = {}) {
    super()
    assertOptions(options, NAMES, 'a RedisSessionStore')
    assertClient(client)
    const { prefix, clock, timeoutMilliseconds } = partsOf(options)
    this.#link = client instanceof RedisConnection ? client : borrow(client, timeoutMilliseconds)
    this.#clock = clock
    this.#prefix = `{${prefix}}:`
  }

  /**
   * Opens a connection that belongs to the store, fails fast and reconnects: an operation fails at once without a
   * connection, and at its time limit without an answer; the connection is retried several times a second.
   *
   * @param address Address of the server, and the store's options.
   * @returns The store; close it when the application closes.
   * @throws {Error} If the server cannot be reached or refuses the connection.
   * @throws {TypeError} If the URL is missing, the prefix is empty or has braces, the clock is invalid, or an option is unknown.
   * @throws {RangeError} If the time limit is not above 0, or is longer than a timer can wait.
   */
  static async connect(address: RedisSessionStoreAddress): Promise<RedisSessionStore> {
    assertOptions(address, NAMES, 'RedisSessionStore.connect()')
    if (typeof address.url !== 'string' || address.url === '')
      throw declarationError(`Cannot connect to Redis at ${shown(address.url)}: give its URL`)
    // Check the options before contacting a server.
    const { timeoutMilliseconds } = partsOf(address)
    const connection = await RedisConnection.open({ url: address.url, timeoutMilliseconds })
    try {
      return new RedisSessionStore(connection, address)
    } catch (error) {
      connection.close()
      throw error
    }
  }

  override async read(id: string): Promise<SessionRecord | null> {
    const key = this.#prefix + digestIn(id)
    const text = await this.#link.run((client) => client.get(key))
    if (text === null) return null
    const record = parseStored('Redis', parseRecord, text)
    if (record.expiresAt <= readClock(this.#clock)) return null
    return { ...record, successor: successorOf(id, record.successor) }
  }

  override async create(id: string, data: SessionData, lifetime: Lifetime): Promise<void> {
    const text = liveHead(lifetime) + entriesText(data)
    const expiration = { type: 'PX', value: this.#timeToLive(lifetime) } as const
    await this.#link.run((client) => client.set(this.#prefix + digestIn(id), text, { expiration }))
  }

  override async update(id: string, changes: SessionUpdate, lifetime: Lifetime): Promise<boolean> {
    const { expected } = changes
    const script = expected === undefined ? UPDATE : UPDATE_EXPECTED
    const condition = expected === undefined ? [] : [entriesText(expected)]
    const values = [...this.#written(changes, lifetime), ...condition, ...touchedKeys(changes)]
    return this.#link.run((client, notAfter) =>
      this.#evaluate(client, script, { ids: [id], values: [notAfter, ...values] }),
    )
  }

  override async rotate(
    from: string,
    to: string,
    changes: SessionChanges,
    lifetime: Lifetime,
  ): Promise<boolean> {
    const [tombstone, timeToLive] = this.#tombstone()
    const values = [
      ...this.#written(changes, lifetime),
      tombstone,
      timeToLive,
      digestIn(to),
      ...touchedKeys(changes),
    ]
    return this.#link.runRepeatable((client, notAfter) =>
      this.#evaluate(client, ROTATE, { ids: [from, to], values: [notAfter, ...values] }),
    )
  }

  override async destroy(id: string): Promise<void> {
    const values = [String(readClock(this.#clock)), ...this.#tombstone()]
    await this.#link.run((client, notAfter) =>
      this.#evaluate(client, DESTROY, { ids: [id], values: [notAfter, ...values] }),
    )
  }

  /** Closes a connection of the store; pending operations are rejected. A client of the application stays open. */
  close(): void {
    this.#link.close()
  }

  async #evaluate(
    client: RedisCommands,
    script: RedisScript,
    { ids, values }: { ids: string[]; values: string[] },
  ): Promise<boolean> {
    const call = { keys: ids.map((id) => this.#prefix + digestIn(id)), arguments: values }
    try {
      return (await client.evalSha(script.sha, call)) === 1
    } catch (error) {
      // The server was restarted and has lost its script cache.
      if (!(error instanceof Error) || !error.message.startsWith('NOSCRIPT')) throw error
      return (await client.eval(script.text, call)) === 1
    }
  }

  #written(changes: SessionChanges, lifetime: Lifetime): string[] {
    const now = String(readClock(this.#clock))
    return [now, liveHead(lifetime), String(this.#timeToLive(lifetime)), entriesText(changes.set)]
  }

  #tombstone(): [head: string, timeToLive: string] {
    const now = readClock(this.#clock)
    const head = tombstoneHead({ createdAt: now, expiresAt: now + TOMBSTONE_MILLISECONDS })
    return [head, String(TOMBSTONE_MILLISECONDS)]
  }

  // A duration, not a point in time: the store's clock decides what has expired, the server only deletes.
  #timeToLive({ expiresAt }: Lifetime): number {
    return Math.max(1, Math.ceil(expiresAt - readClock(this.#clock)))
  }
}

function touchedKeys({ set, removed }: SessionChanges): string[] {
  return [...set.keys(), ...removed].map(keyText)
}

function borrow(client: RedisCommands, milliseconds: number): Link {
  const run = <T>(operation: RedisOperation<T>): Promise<T> =>
    within({ milliseconds, server: 'Redis' }, operation(client, NO_TIME_OF_SERVER))
  return { run, runRepeatable: run, close: () => undefined }
}

function partsOf({
  prefix = 'sallyport:session',
  clock = new SystemClock(),
  timeoutMilliseconds = 500,
}: RedisSessionStoreOptions): Required<RedisSessionStoreOptions> {
  if (typeof prefix !== 'string' || !/^[^{}]+$/.test(prefix))
    throw declarationError(
      `Cannot use ${shown(prefix)} as a prefix: give one that is not empty, without braces`,
    )
  assertClock(clock)
  assertMilliseconds(timeoutMilliseconds, 'timeoutMilliseconds')
  return { prefix, clock, timeoutMilliseconds }
}

function assertClient(client: unknown): void {
  if (client instanceof RedisConnection) return
  if (typeof client === 'object' && client !== null && typeof Reflect.get(client, 'get') === 'function')
    return
  throw declarationError(
    `Cannot keep sessions over ${shown(client)}: give a client of the package "redis", or use RedisSessionStore.connect({ url })`,
  )
}
