import {
  assertClock,
  assertMilliseconds,
  assertOptions,
  declarationError,
  shown,
  readClock,
} from '../core/internal.ts'
import { type Clock, SystemClock } from '../core/index.ts'
import { RedisAccountIndex } from './redis-account-index.ts'
import { RedisCluster } from './redis-cluster.ts'
import { type RedisCommands, RedisConnection } from './redis-connection.ts'
import { DEFAULT_PREFIX, RedisKeys } from './redis-keys.ts'
import { entriesText, keyText, liveHead, liveText, parseRecord, tombstoneHead } from './redis-record.ts'
import { isOwn, linkTo, type RedisLink } from './redis-link.ts'
import { RedisRecords, type RedisWrite } from './redis-records.ts'
import { CREATE, DESTROY, ROTATE, UPDATE, UPDATE_EXPECTED } from './redis-scripts.ts'
import { parseStored, SessionStoreException } from './session-store-exception.ts'
import {
  type Lifetime,
  type OwnedSession,
  type SessionChanges,
  type SessionData,
  type SessionRecord,
  type SessionStart,
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

const NAMES: readonly string[] = ['url', 'cluster', 'prefix', 'timeoutMilliseconds', 'clock']
// How long the write of a session may take after the index has named it. Twice as long, nobody drops the name.
const WRITE_MILLISECONDS = 30_000
// The owner of a session changes with a login or a logout, not that often during one request.
const MAX_OWNERS = 8
// That many rotations while an index is read are not a race.
const MAX_HOPS = 32
const MAX_REMEMBERED = 1000
// Read by `sessionsOf()` at a time.
const READ_AT_ONCE = 100

/** A write of a record that goes on, with the owner from now on: null for none, undefined for that of the record. */
interface OwnedWrite extends RedisWrite {
  readonly owner: string | null | undefined
  readonly timeToLive: number
}

/**
 * Sessions in Redis 7 or Valkey, on one server or a cluster. Each operation is one round trip: a read is one `GET`, a write one
 * script.
 *
 * The group of a session is the hash tag of its keys, so a rotation, which writes two of them atomically, stays on one node
 * of a cluster, and the 4,096 groups spread over all nodes. The server's configuration decides what survives a failure: `appendonly yes` with `appendfsync always` loses no confirmed
 * write, and `maxmemory-policy noeviction` evicts no session.
 */
export class RedisSessionStore extends SessionStore {
  readonly #link: RedisLink
  readonly #records: RedisRecords
  readonly #index: RedisAccountIndex
  readonly #writeMilliseconds: number
  readonly #clock: Clock
  // Owners of sessions that were read a moment ago: a rotation that knows the owner names its new identifier in time.
  readonly #owners = new Map<string, string>()

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
    const { prefix, keys, clock, timeoutMilliseconds } = partsOf(options)
    this.#link = linkTo(client, timeoutMilliseconds)
    this.#writeMilliseconds = Math.max(WRITE_MILLISECONDS, 3 * timeoutMilliseconds)
    this.#records = new RedisRecords(this.#link, keys)
    this.#index = new RedisAccountIndex(this.#link, prefix, 2 * this.#writeMilliseconds)
    this.#clock = clock
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
    const text = await this.#records.read(id)
    if (text === null) return null
    const record = parseStored('Redis', parseRecord, text)
    if (record.expiresAt <= readClock(this.#clock)) return null
    if (typeof record.owner === 'string') this.#remember(id, record.owner)
    return record
  }

  override async create(id: string, data: SessionData, start: SessionStart): Promise<void> {
    const { owner = null } = start
    const timeToLive = this.#timeToLive(start)
    if (owner === null) return this.#records.create(id, liveText(start, data), timeToLive)
    const till = await this.#name(owner, id, timeToLive)
    const values = ['', liveText(start, data, ` ${owner} ${till}`), String(timeToLive)]
    await this.#records.write({ script: CREATE, id, values, rest: [] })
  }

  override async update(id: string, changes: SessionUpdate, lifetime: Lifetime): Promise<boolean> {
    const { expected, owner } = changes
    const script = expected === undefined ? UPDATE : UPDATE_EXPECTED
    const condition = expected === undefined ? [] : [entriesText(expected)]
    const rest = [...condition, ...touchedKeys(changes)]
    return this.#writeOwned({ script, id, owner, rest, ...this.#written(changes, lifetime) })
  }

  override async rotate(
    from: string,
    to: string,
    changes: SessionChanges,
    lifetime: Lifetime,
  ): Promise<boolean> {
    const [tombstone, timeToLive] = this.#tombstone()
    const rest = [tombstone, timeToLive, to, ...touchedKeys(changes)]
    const { owner } = changes
    return this.#writeOwned({
      script: ROTATE,
      id: from,
      to,
      owner,
      rest,
      ...this.#written(changes, lifetime),
    })
  }

  override async destroy(id: string): Promise<void> {
    const values = [String(readClock(this.#clock)), ...this.#tombstone()]
    await this.#records.write({ script: DESTROY, id, values, rest: [] })
  }

  /**
   * @param owner The owner.
   * @returns Its live sessions. Members of the index whose session has ended are dropped.
   * @throws {TypeError} If the owner has blanks or control characters.
   * @throws {Error} If the server cannot be reached or refuses; on a cluster, also if one of several nodes does.
   */
  override async sessionsOf(owner: string): Promise<readonly OwnedSession[]> {
    const entries = await this.#index.list(owner)
    // The newest first: an old one then leads to what has been seen already, and not through all rotations in between.
    const ids = [...new Set(entries.map(({ id }) => id))].reverse()
    const seen = new Set<string>()
    const found = new Map<string, OwnedSession>()
    const dead = new Set<string>()
    for (let start = 0; start < ids.length; start += READ_AT_ONCE) {
      const some = ids.slice(start, start + READ_AT_ONCE)
      await Promise.all(
        some.map(async (id) => {
          const { session, isDead } = await this.#follow(id, owner, seen)
          if (session !== null) found.set(session.id, session)
          if (isDead) dead.add(id)
        }),
      )
    }
    const dropped = entries.filter(({ id, isSettled }) => isSettled && dead.has(id))
    if (dropped.length > 0)
      await this.#index.drop(
        owner,
        dropped.map(({ member }) => member),
      )
    return [...found.values()]
  }

  /** Closes a connection of the store; pending operations are rejected. A client of the application stays open. */
  close(): void {
    this.#link.close()
  }

  // The index names the record before it is written. A script that finds an owner it was not told, or one whose index does not
  // name the record for long enough, does nothing but return the owner.
  async #writeOwned({ owner, timeToLive, ...write }: OwnedWrite): Promise<boolean> {
    const { id, to } = write
    const kind = owner === undefined ? '?' : owner === null ? '-' : '='
    let named = owner ?? (kind === '?' && to !== undefined ? this.#owners.get(id) : null) ?? null
    for (let round = 0; round < MAX_OWNERS; round++) {
      const till = named === null ? '' : `${named} ${await this.#name(named, to ?? id, timeToLive)}`
      const outcome = await this.#records.write({ ...write, values: [...write.values, kind + till] })
      if (typeof outcome !== 'string') return outcome === 1
      named = outcome
    }
    throw new Error(`Cannot write the session: its owner has changed ${MAX_OWNERS} times in the meantime`)
  }

  // If this process stood still in between, somebody may have dropped the name by now.
  async #name(owner: string, id: string, timeToLive: number): Promise<string> {
    const started = performance.now()
    const till = await this.#index.add(owner, id, timeToLive)
    if (performance.now() - started > this.#writeMilliseconds)
      throw new SessionStoreException('ERR_SESSION_STORE_TIMEOUT', 'Redis')
    return till
  }

  // What became of a session that an index names: it may have been rotated since the index was read. A successor is left to
  // whoever has seen a record of it during this call; one that was looked for before it was there is looked for again. A name
  // is needed until its tombstone is gone: another call may have read the part of the index where its successor is now.
  async #follow(
    first: string,
    owner: string,
    seen: Set<string>,
  ): Promise<{ session: OwnedSession | null; isDead: boolean }> {
    let id = first
    for (let hops = 0; hops < MAX_HOPS; hops++) {
      const text = await this.#records.read(id)
      if (text === null) return { session: null, isDead: hops === 0 }
      seen.add(id)
      const record = parsedOrNull(text)
      if (record === null) return { session: { id, record }, isDead: false }
      if (!record.ended) {
        const isOwned = record.owner === owner
        const isLive = isOwned && record.expiresAt > readClock(this.#clock)
        return { session: isLive ? { id, record } : null, isDead: hops === 0 && !isOwned }
      }
      const { successor } = record
      if (successor === null || seen.has(successor)) return { session: null, isDead: false }
      id = successor
    }
    throw new Error(`Cannot follow a session: it was rotated ${MAX_HOPS} times in the meantime`)
  }

  #remember(id: string, owner: string): void {
    this.#owners.delete(id)
    this.#owners.set(id, owner)
    if (this.#owners.size <= MAX_REMEMBERED) return
    const [oldest = ''] = this.#owners.keys()
    this.#owners.delete(oldest)
  }

  #written(changes: SessionChanges, lifetime: Lifetime): { values: string[]; timeToLive: number } {
    const now = String(readClock(this.#clock))
    const timeToLive = this.#timeToLive(lifetime)
    return { values: [now, liveHead(lifetime), String(timeToLive), entriesText(changes.set)], timeToLive }
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

function parsedOrNull(text: string): SessionRecord | null {
  try {
    return parseRecord(text)
  } catch {
    return null
  }
}

function partsOf({
  prefix = DEFAULT_PREFIX,
  clock = new SystemClock(),
  timeoutMilliseconds = 500,
}: RedisSessionStoreOptions): { prefix: string; keys: RedisKeys; clock: Clock; timeoutMilliseconds: number } {
  const keys = new RedisKeys(prefix)
  assertClock(clock)
  assertMilliseconds(timeoutMilliseconds, 'timeoutMilliseconds')
  return { prefix, keys, clock, timeoutMilliseconds }
}

function open(
  { url, cluster }: RedisSessionStoreAddress,
  timeoutMilliseconds: number,
): Promise<RedisConnection | RedisCluster> {
  if (cluster === undefined) {
    if (!isName(url)) throw declarationError(`Cannot connect to Redis at ${shown(url)}: pass its URL`)
    return RedisConnection.open({ url, timeoutMilliseconds })
  }
  const given: readonly unknown[] = Array.isArray(cluster) ? cluster : []
  const [first, ...others] = given.filter(isName)
  if (url !== undefined || first === undefined || others.length + 1 < given.length)
    throw declarationError(
      `Cannot connect to a cluster of Redis at ${shown(cluster)}: pass the URLs of some of its nodes, and no url`,
    )
  return RedisCluster.open({ urls: [first, ...others], timeoutMilliseconds })
}

function isName(url: unknown): url is string {
  return typeof url === 'string' && url !== ''
}

function assertClient(client: unknown): void {
  if (isOwn(client)) return
  if (typeof client === 'object' && client !== null && typeof Reflect.get(client, 'get') === 'function')
    return
  throw declarationError(
    `Cannot keep sessions over ${shown(client)}: pass a client of the package "redis", or use RedisSessionStore.connect({ url })`,
  )
}
