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
import { RedisCluster } from './redis-cluster.ts'
import { type RedisCommands, RedisConnection, type RedisOperation } from './redis-connection.ts'
import { DEFAULT_PREFIX, RedisKeys } from './redis-keys.ts'
import { entriesText, keyText, liveHead, parseRecord, tombstoneHead } from './redis-record.ts'
import {
  DESTROY,
  evaluate,
  MISSING,
  READ,
  type RedisScript,
  ROTATE,
  UPDATE,
  UPDATE_EXPECTED,
} from './redis-scripts.ts'
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

/** Address and options of a {@link RedisSessionStore}: either `url` or `cluster`. */
export interface RedisSessionStoreAddress extends RedisSessionStoreOptions {
  /** A single server: `redis://user:password@host:port/database`, or `rediss://` for TLS. */
  readonly url?: string
  /**
   * Some nodes of a cluster, as URLs without a database; the others are found through them. All are reached with the scheme,
   * user and password of the first.
   */
  readonly cluster?: readonly string[]
}

/** How operations on a key reach a server: over a connection of the store, or with a client of the application. */
interface Link {
  run<T>(operation: RedisOperation<T>, key: string): Promise<T>
  runRepeatable<T>(operation: RedisOperation<T>, key: string): Promise<T>
  close(): void
}

const NO_TIME_OF_SERVER = ''
const NAMES: readonly string[] = ['url', 'cluster', 'prefix', 'timeoutMilliseconds', 'clock']

/** A write: the record that it is about, where a rotation moves it, and the arguments of its script. */
interface Write {
  readonly script: RedisScript
  readonly id: string
  readonly to?: string
  readonly values: readonly string[]
}

/**
 * Sessions in Redis 7 or Valkey, on one server or a cluster. Each operation is one round trip: a read is one `GET`, a write
 * one script. A session that a former version has stored, or one that does not exist, takes a second one.
 *
 * The group of a session is the hash tag of its keys, so a rotation, which writes two of them atomically, stays on one node
 * of a cluster, and the 4,096 groups spread over all nodes. The server's configuration decides what survives a failure: `appendonly yes` with `appendfsync always` loses no confirmed
 * write, and `maxmemory-policy noeviction` evicts no session.
 */
export class RedisSessionStore extends SessionStore {
  readonly #link: Link
  readonly #clock: Clock
  readonly #keys: RedisKeys
  // Whether the server is a cluster, where a key and its former key are in different slots; null until it was asked.
  #asking: Promise<boolean> | null = null

  /**
   * Uses a connection, or a client of the application for a cluster, a sentinel or special TLS settings. The application
   * opens and closes such a client and configures how it reconnects; it should set `disableOfflineQueue`.
   *
   * @param client A connection, or a client of the package `redis`.
   * @param options Prefix, time limit and clock.
   * @throws {TypeError} If the client is invalid, the prefix is empty or has braces, the clock is invalid, or an option is unknown.
   * @throws {RangeError} If the time limit is not above 0, or is longer than a timer can wait.
   */
  constructor(
    client: RedisConnection | RedisCluster | RedisCommands,
    options: RedisSessionStoreOptions = {},
  ) {
    super()
    assertOptions(options, NAMES, 'a RedisSessionStore')
    assertClient(client)
    const { keys, clock, timeoutMilliseconds } = partsOf(options)
    this.#link = isOwn(client) ? client : borrow(client, timeoutMilliseconds)
    if (client instanceof RedisCluster) this.#asking = Promise.resolve(true)
    this.#clock = clock
    this.#keys = keys
  }

  /**
   * Opens a connection that belongs to the store, fails fast and reconnects: an operation fails at once without a
   * connection, and at its time limit without an answer; the connection is retried several times a second. On a cluster
   * that holds for each node, and a node that fails refuses only the sessions that it has.
   *
   * @param address Address of the server or of nodes of a cluster, and the store's options.
   * @returns The store; close it when the application closes.
   * @throws {Error} If the server, or every given node of the cluster, cannot be reached or refuses the connection.
   * @throws {TypeError} If neither or both of `url` and `cluster` are given, the prefix is empty or has braces, the clock is
   * invalid, or an option is unknown.
   * @throws {RangeError} If the time limit is not above 0, or is longer than a timer can wait.
   */
  static async connect(address: RedisSessionStoreAddress): Promise<RedisSessionStore> {
    assertOptions(address, NAMES, 'RedisSessionStore.connect()')
    // Check the options before contacting a server.
    const { timeoutMilliseconds } = partsOf(address)
    const connection = await open(address, timeoutMilliseconds)
    try {
      return new RedisSessionStore(connection, address)
    } catch (error) {
      connection.close()
      throw error
    }
  }

  override async read(id: string): Promise<SessionRecord | null> {
    const key = this.#keys.of(id)
    const text = (await this.#link.run((client) => client.get(key), key)) ?? (await this.#readFormer(id))
    if (text === null) return null
    const record = parseStored('Redis', parseRecord, text)
    // A record that was moved from its former key, and is gone since, has left its own successor there.
    if (record.expiresAt <= readClock(this.#clock) || record.successor === id) return null
    return record
  }

  override async create(id: string, data: SessionData, lifetime: Lifetime): Promise<void> {
    const text = liveHead(lifetime) + entriesText(data)
    const expiration = { type: 'PX', value: this.#timeToLive(lifetime) } as const
    const key = this.#keys.of(id)
    await this.#link.run((client) => client.set(key, text, { expiration }), key)
  }

  override async update(id: string, changes: SessionUpdate, lifetime: Lifetime): Promise<boolean> {
    const { expected } = changes
    const script = expected === undefined ? UPDATE : UPDATE_EXPECTED
    const condition = expected === undefined ? [] : [entriesText(expected)]
    const values = [...this.#written(changes, lifetime), ...condition, ...touchedKeys(changes)]
    return this.#write({ script, id, values })
  }

  override async rotate(
    from: string,
    to: string,
    changes: SessionChanges,
    lifetime: Lifetime,
  ): Promise<boolean> {
    const [tombstone, timeToLive] = this.#tombstone()
    const values = [...this.#written(changes, lifetime), tombstone, timeToLive, to, ...touchedKeys(changes)]
    return this.#write({ script: ROTATE, id: from, to, values })
  }

  override async destroy(id: string): Promise<void> {
    const values = [String(readClock(this.#clock)), ...this.#tombstone()]
    await this.#write({ script: DESTROY, id, values })
  }

  /** Closes a connection of the store; pending operations are rejected. A client of the application stays open. */
  close(): void {
    this.#link.close()
  }

  /*
   * A session of a former version is moved to its new key by its next write, in the same script: both keys are on one server,
   * so concurrent requests see the session under either of them, and never twice or not at all. On a cluster the keys are in
   * different slots, which no script can write together. There, a session of a former version stays under its former key
   * until it ends, rotations included: nothing is ever moved between slots, so each operation stays atomic.
   */
  async #write(write: Write): Promise<boolean> {
    const { id, to } = write
    const keys = to === undefined ? [this.#keys.of(id)] : [this.#keys.of(id), this.#keys.of(to)]
    const former = this.#keys.former(id)
    if (former !== null && !(await this.#isCluster()))
      return (await this.#send(write, [...keys, former])) === 1
    const outcome = await this.#send(write, keys)
    if (outcome !== MISSING || former === null) return outcome === 1
    const target = to === undefined ? null : this.#keys.former(to)
    return (await this.#send(write, target === null ? [former] : [former, target])) === 1
  }

  async #readFormer(id: string): Promise<string | null> {
    const former = this.#keys.former(id)
    if (former === null) return null
    if (await this.#isCluster()) return this.#link.run((client) => client.get(former), former)
    const text = await this.#readOne([this.#keys.of(id), former])
    return typeof text === 'string' ? text : null
  }

  // Asked once, with keys of two slots: a cluster refuses them before it does anything.
  #isCluster(): Promise<boolean> {
    if (this.#asking !== null) return this.#asking
    const asking = this.#readOne(this.#keys.ofTwoSlots).then(
      () => false,
      (error: unknown) => {
        if (error instanceof Error && error.message.startsWith('CROSSSLOT')) return true
        this.#asking = null
        throw error
      },
    )
    this.#asking = asking
    return asking
  }

  #readOne(keys: string[]): Promise<unknown> {
    const [key = ''] = keys
    return this.#link.run((client) => evaluate(client, READ, { keys, arguments: [] }), key)
  }

  #send({ script, values }: Write, keys: readonly string[]): Promise<unknown> {
    const send: RedisOperation<unknown> = (client, notAfter) =>
      evaluate(client, script, { keys: [...keys], arguments: [notAfter, ...values] })
    const [key = ''] = keys
    return script === ROTATE ? this.#link.runRepeatable(send, key) : this.#link.run(send, key)
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
  prefix = DEFAULT_PREFIX,
  clock = new SystemClock(),
  timeoutMilliseconds = 500,
}: RedisSessionStoreOptions): { keys: RedisKeys; clock: Clock; timeoutMilliseconds: number } {
  const keys = new RedisKeys(prefix)
  assertClock(clock)
  assertMilliseconds(timeoutMilliseconds, 'timeoutMilliseconds')
  return { keys, clock, timeoutMilliseconds }
}

function open(
  { url, cluster }: RedisSessionStoreAddress,
  timeoutMilliseconds: number,
): Promise<RedisConnection | RedisCluster> {
  if (cluster === undefined) {
    if (!isName(url)) throw declarationError(`Cannot connect to Redis at ${shown(url)}: give its URL`)
    return RedisConnection.open({ url, timeoutMilliseconds })
  }
  const given: readonly unknown[] = Array.isArray(cluster) ? cluster : []
  const [first, ...others] = given.filter(isName)
  if (url !== undefined || first === undefined || others.length + 1 < given.length)
    throw declarationError(
      `Cannot connect to a cluster of Redis at ${shown(cluster)}: give the URLs of some of its nodes, and no url`,
    )
  return RedisCluster.open({ urls: [first, ...others], timeoutMilliseconds })
}

function isName(url: unknown): url is string {
  return typeof url === 'string' && url !== ''
}

function isOwn(client: unknown): client is RedisConnection | RedisCluster {
  return client instanceof RedisConnection || client instanceof RedisCluster
}

function assertClient(client: unknown): void {
  if (isOwn(client)) return
  if (typeof client === 'object' && client !== null && typeof Reflect.get(client, 'get') === 'function')
    return
  throw declarationError(
    `Cannot keep sessions over ${shown(client)}: give a client of the package "redis", or use RedisSessionStore.connect({ url })`,
  )
}
