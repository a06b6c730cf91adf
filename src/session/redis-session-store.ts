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
  /** Begins every key; no braces. Default: `sallyport:session`. */
  readonly prefix?: string
  /** How long an operation may take, in milliseconds. Default: 500. */
  readonly timeoutMilliseconds?: number
  /** Time for expiry. Default: the machine's clock. */
  readonly clock?: Clock
}

/** Where a {@link RedisSessionStore} connects to. */
export interface RedisSessionStoreAddress extends RedisSessionStoreOptions {
  /** `redis://user:password@host:port/database`, or `rediss://` for TLS. */
  readonly url: string
}

/** How operations reach a server: over a connection of the store's own, or with a client of the application's. */
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
 * All keys have one hash tag, so they stand on one node of a cluster: a rotation writes two of them atomically. What
 * is confirmed survives the server as its configuration says: `appendonly yes` with `appendfsync always` loses nothing,
 * and `maxmemory-policy noeviction` ends no session early.
 */
export class RedisSessionStore extends SessionStore {
  readonly #link: Link
  readonly #clock: Clock
  readonly #prefix: string

  /**
   * Keeps sessions over a connection, or with a client of the application's for a cluster, a sentinel or special TLS.
   * Such a client stays the application's: it is neither opened nor closed here, it comes back after a fault as it is
   * configured, and it should have `disableOfflineQueue`.
   *
   * @param client A connection, or a client of the package `redis`.
   * @param options Prefix, time limit and clock.
   * @throws {TypeError} If it is no client, the prefix is empty or has braces, the clock is none, or there is no such option.
   * @throws {RangeError} If the time limit is not above 0, or longer than a timer can be set for.
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
   * Opens a connection of the store's own, made to fail fast and to come back: without a connection an operation is
   * refused at once, without an answer at its time limit, and a new connection is tried several times a second.
   *
   * @param address Where the server is, and the store's options.
   * @returns The store; close it when the application is closed.
   * @throws {Error} If the server cannot be reached or refuses.
   * @throws {TypeError} If there is no URL, the prefix is empty or has braces, or the clock is none.
   * @throws {RangeError} If the time limit is not above 0, or longer than a timer can be set for.
   */
  static async connect(address: RedisSessionStoreAddress): Promise<RedisSessionStore> {
    assertOptions(address, NAMES, 'RedisSessionStore.connect()')
    if (typeof address.url !== 'string' || address.url === '')
      throw declarationError(`Cannot connect to Redis at ${shown(address.url)}: give its URL`)
    // Before a server is asked.
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
    const key = this.#prefix + id
    const text = await this.#link.run((client) => client.get(key))
    if (text === null) return null
    const record = parseStored('Redis', parseRecord, text)
    return record.expiresAt > readClock(this.#clock) ? record : null
  }

  override async create(id: string, data: SessionData, lifetime: Lifetime): Promise<void> {
    const text = liveHead(lifetime) + entriesText(data)
    const expiration = { type: 'PX', value: this.#timeToLive(lifetime) } as const
    await this.#link.run((client) => client.set(this.#prefix + id, text, { expiration }))
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
    const values = [...this.#written(changes, lifetime), tombstone, timeToLive, to, ...touchedKeys(changes)]
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

  /** Closes the store's own connection; what is under way is rejected. A client of the application's is left alone. */
  close(): void {
    this.#link.close()
  }

  async #evaluate(
    client: RedisCommands,
    script: RedisScript,
    { ids, values }: { ids: string[]; values: string[] },
  ): Promise<boolean> {
    const call = { keys: ids.map((id) => this.#prefix + id), arguments: values }
    try {
      return (await client.evalSha(script.sha, call)) === 1
    } catch (error) {
      // A server that was restarted has forgotten its scripts.
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

  // Counted from now and not a point in time: the clock of the store decides, the server only clears away.
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
