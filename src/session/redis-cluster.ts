import { setTimeout as pause } from 'node:timers/promises'
import { within } from './deadline.ts'
import {
  type OwnCommands,
  type RedisCommands,
  RedisConnection,
  type RedisOperation,
} from './redis-connection.ts'
import { slotOf } from './redis-slots.ts'
import { addressIn, parseOwners, parseRedirection, urlOf } from './redis-topology.ts'
import { SessionStoreException } from './session-store-exception.ts'

/** Addresses of a cluster, and the time limit of its operations. */
export interface RedisClusterOptions {
  /** Some of its nodes; the others are found through them. All are reached with the user and password of the first. */
  readonly urls: readonly [string, ...string[]]
  /** How long an operation may take, redirections included, in milliseconds. */
  readonly timeoutMilliseconds: number
}

/** Where an operation goes next. */
interface Target {
  readonly address: string
  readonly isAsking: boolean
}

const REFRESH_PAUSE_MILLISECONDS = 250
const RETRY_PAUSE_MILLISECONDS = 10

/**
 * The nodes of a cluster, each over a connection of its own that fails fast: a node that fails refuses its own operations
 * only. The slots are read again when a node redirects, and while a node is unreachable, so that the one which takes over
 * for it is found.
 */
export class RedisCluster {
  readonly #options: RedisClusterOptions
  readonly #closing = new AbortController()
  readonly #nodes = new Map<string, RedisConnection>()
  // Address of the master by slot.
  #owners: readonly string[] = []
  #isWatching = false

  private constructor(options: RedisClusterOptions) {
    this.#options = options
  }

  /**
   * @param options Addresses and time limit.
   * @returns The cluster, with a connection to each master that can be reached.
   * @throws {Error} If no given node can be reached, or none belongs to a cluster.
   */
  static async open(options: RedisClusterOptions): Promise<RedisCluster> {
    const cluster = new RedisCluster(options)
    try {
      await cluster.#refresh()
      await Promise.all([...new Set(cluster.#owners)].map((address) => cluster.#node(address).attempted))
    } catch (error) {
      cluster.close()
      throw error
    }
    return cluster
  }

  /**
   * @param operation What to send.
   * @param key Its key: it goes to the node that has the slot of the key.
   * @returns The answer.
   * @throws {SessionStoreException} If that node cannot be reached, or does not answer in time.
   * @throws {Error} If the connection is lost or the node refuses.
   */
  run<T>(operation: RedisOperation<T>, key: string): Promise<T> {
    return this.#run(operation, { key, isRepeatable: false })
  }

  /**
   * Runs an idempotent operation. When the connection is lost before the answer, the operation is sent again, to whichever
   * node has the slot then, within the same time limit.
   *
   * @param operation What to send.
   * @param key Its key.
   * @returns The answer.
   * @throws {SessionStoreException} If the node cannot be reached, or does not answer in time.
   * @throws {Error} If the node refuses.
   */
  runRepeatable<T>(operation: RedisOperation<T>, key: string): Promise<T> {
    return this.#run(operation, { key, isRepeatable: true })
  }

  /** Closes all connections; pending operations are rejected. */
  close(): void {
    this.#closing.abort()
    for (const connection of this.#nodes.values()) connection.close()
    this.#nodes.clear()
  }

  async #run<T>(
    operation: RedisOperation<T>,
    { key, isRepeatable }: { key: string; isRepeatable: boolean },
  ): Promise<T> {
    const end = performance.now() + this.#options.timeoutMilliseconds
    const slot = slotOf(key)
    let wasSent = false
    let target = this.#ownerOf(slot)
    for (;;) {
      const { address, isAsking } = target
      try {
        const connection = await this.#reach(address, end - performance.now())
        const isOpen = connection.isOpen
        wasSent ||= isOpen
        return await connection.runWithin(isAsking ? asking(operation) : operation, end - performance.now())
      } catch (error) {
        const next = this.#next(error, { address, slot })
        const isLost = isRepeatable && wasSent && isUnreachable(error)
        if ((next === null && !isLost) || performance.now() >= end) throw told(error)
        if (next === null || next.address === address) await pause(RETRY_PAUSE_MILLISECONDS)
        target = next ?? this.#ownerOf(slot)
      }
    }
  }

  #ownerOf(slot: number): Target {
    return { address: this.#owners[slot] ?? '', isAsking: false }
  }

  // Where the operation belongs after an error; null when the error is its outcome.
  #next(error: unknown, { address, slot }: { address: string; slot: number }): Target | null {
    const redirection = parseRedirection(error, address)
    if (redirection?.kind === 'ask') return { address: redirection.address, isAsking: true }
    if (redirection !== null) {
      this.#owners = this.#owners.with(slot, redirection.address)
      void this.#watch()
      return this.#ownerOf(slot)
    }
    // Of the two keys of a rotation one is on either side of a slot that is being moved: it waits until the slot has arrived.
    if (error instanceof Error && error.message.startsWith('TRYAGAIN')) return this.#ownerOf(slot)
    if (isUnreachable(error) || isDown(error)) void this.#watch()
    return null
  }

  // A node that has just been found is waited for; one that was lost refuses at once.
  async #reach(address: string, milliseconds: number): Promise<RedisConnection> {
    if (address === '') throw unreachable()
    const connection = this.#node(address)
    const limit = Math.max(0, Math.ceil(milliseconds))
    if (!connection.isOpen) await within({ milliseconds: limit, server: 'Redis' }, connection.attempted)
    return connection
  }

  #node(address: string): RedisConnection {
    if (this.#closing.signal.aborted) throw unreachable()
    const known = this.#nodes.get(address)
    if (known !== undefined) return known
    const { urls, timeoutMilliseconds } = this.#options
    const connection = RedisConnection.begin({ url: urlOf(urls[0], address), timeoutMilliseconds })
    this.#nodes.set(address, connection)
    return connection
  }

  // Reads the slots again, and goes on as long as a master is unreachable: another node may take over for it.
  async #watch(): Promise<void> {
    if (this.#isWatching) return
    this.#isWatching = true
    const { signal } = this.#closing
    try {
      do {
        await this.#refresh().catch(() => undefined)
        await pause(REFRESH_PAUSE_MILLISECONDS, undefined, { signal })
      } while (!this.#isWhole())
    } catch {
      // It was closed.
    } finally {
      this.#isWatching = false
    }
  }

  #isWhole(): boolean {
    return this.#owners.every((address) => this.#nodes.get(address)?.isOpen === true)
  }

  async #refresh(): Promise<void> {
    const open = [...this.#nodes].filter(([, { isOpen }]) => isOpen).map(([address]) => address)
    const addresses = new Set([...inTurn(open), ...this.#options.urls.map(addressIn)])
    let reason: unknown = null
    for (const address of addresses) {
      try {
        const connection = await this.#reach(address, this.#options.timeoutMilliseconds)
        const answer = await connection.run((client) => client.sendCommand(['CLUSTER', 'SLOTS']))
        return this.#adopt(parseOwners(answer, address))
      } catch (error) {
        reason ??= error
      }
    }
    throw reason instanceof SessionStoreException && reason.cause instanceof Error ? reason.cause : reason
  }

  #adopt(owners: readonly string[]): void {
    this.#owners = owners
    const used = new Set(owners)
    for (const address of used) this.#node(address)
    for (const [address, connection] of this.#nodes) {
      if (used.has(address) || connection.isOpen) continue
      connection.close()
      this.#nodes.delete(address)
    }
  }
}

// Each command of the operation is announced by itself: a script that the node does not know yet is sent again.
function asking<T>(operation: RedisOperation<T>): (client: OwnCommands, notAfter: string) => Promise<T> {
  return (client, notAfter) => {
    const ask = (): RedisCommands => {
      // Its failure is that of the command behind it.
      client.sendCommand(['ASKING']).catch(() => undefined)
      return client
    }
    const commands: RedisCommands = {
      get: (key) => ask().get(key),
      set: (key, value, options) => ask().set(key, value, options),
      evalSha: (sha, options) => ask().evalSha(sha, options),
      eval: (script, options) => ask().eval(script, options),
    }
    return operation(commands, notAfter)
  }
}

function isUnreachable(error: unknown): boolean {
  return error instanceof SessionStoreException && error.code === 'ERR_SESSION_STORE_UNREACHABLE'
}

// A cluster that has lost its majority, or has slots without a node.
function isDown(error: unknown): boolean {
  return error instanceof Error && /^(CLUSTERDOWN|MASTERDOWN|LOADING)\b/.test(error.message)
}

function told(error: unknown): unknown {
  return isDown(error) ? unreachable(error) : error
}

function unreachable(cause?: unknown): SessionStoreException {
  return new SessionStoreException('ERR_SESSION_STORE_UNREACHABLE', 'Redis', { cause })
}

// Another one is asked each time: one that is cut off from the others knows old slots.
function inTurn<T>(items: readonly T[]): T[] {
  const start = Math.floor(performance.now()) % Math.max(1, items.length)
  return [...items.slice(start), ...items.slice(0, start)]
}
