import { setTimeout as pause } from 'node:timers/promises'
import { createClient } from 'redis'
import { LATEST_START, within } from './deadline.ts'
import { SessionStoreException } from './session-store-exception.ts'

/** The commands that a store needs from a client of the package `redis`: single, cluster, sentinel or pool. */
export interface RedisCommands {
  /**
   * @returns Its value; null when the key does not exist.
   * @returns What it holds; null when there is no such key.
   */
  get(key: string): Promise<string | null>
  /**
   * @param key A key.
   * @param value Its new value.
   * @param options Its expiration.
   * @returns Any value; it is ignored.
   */
  set(key: string, value: string, options: { expiration: { type: 'PX'; value: number } }): Promise<unknown>
  /**
   * @param sha SHA-1 of a script.
   * @param options Its keys and arguments.
   * @returns The result of the script.
   */
  evalSha(sha: string, options: { keys: string[]; arguments: string[] }): Promise<unknown>
  /**
   * @param script Source of a script.
   * @param options Its keys and arguments.
   * @returns The result of the script.
   */
  eval(script: string, options: { keys: string[]; arguments: string[] }): Promise<unknown>
}

/** Address and time limit of a connection. */
export interface RedisConnectionOptions {
  /** `redis://user:password@host:port/database`, or `rediss://` for TLS. */
  readonly url: string
  /** How long an operation may take, in milliseconds. */
  readonly timeoutMilliseconds: number
}

/** One operation: the commands it sends, given the server time at which it is abandoned ('' when unknown). */
export type RedisOperation<T> = (commands: RedisCommands, notAfter: string) => Promise<T>

/** What a connection of the store offers in addition: any command. */
export interface OwnCommands extends RedisCommands {
  /**
   * @param command Name and arguments.
   * @returns The answer of the server.
   */
  sendCommand(command: string[]): Promise<unknown>
}

type OwnOperation<T> = (commands: OwnCommands, notAfter: string) => Promise<T>

type Client = ReturnType<typeof clientFor>

const MAX_PAUSE_MILLISECONDS = 250

/**
 * A connection that fails fast and reconnects. Without a connection an operation fails at once, without an answer at its
 * deadline. A connection that missed a deadline is replaced, because answers come in order and later ones would wait
 * behind the missing one. While disconnected, it tries to reconnect at least every 250 ms.
 */
export class RedisConnection {
  readonly #options: RedisConnectionOptions
  readonly #closing = new AbortController()
  #current: { readonly client: Client; readonly serverAhead: number } | null = null
  #ready = Promise.withResolvers<void>()
  #reason: unknown = null
  #attempted: Promise<void> = Promise.resolve()

  private constructor(options: RedisConnectionOptions) {
    this.#options = options
  }

  /**
   * @param options Address and time limit.
   * @returns An open connection.
   * @throws {Error} If the server cannot be reached or refuses; there is no retry.
   */
  static async open(options: RedisConnectionOptions): Promise<RedisConnection> {
    const connection = new RedisConnection(options)
    await connection.#dial()
    return connection
  }

  /**
   * Opens a connection in the background, and tries again if that fails.
   *
   * @param options Address and time limit.
   * @returns The connection, which is not open yet.
   */
  static begin(options: RedisConnectionOptions): RedisConnection {
    const connection = new RedisConnection(options)
    connection.#attempted = connection.#dial().catch((error: unknown) => {
      connection.#reason = error
      void connection.#reconnect()
    })
    return connection
  }

  /** Whether there is a connection at the moment. */
  get isOpen(): boolean {
    return this.#current !== null
  }

  /** Settles when the first attempt to connect is over, whatever came of it. */
  get attempted(): Promise<void> {
    return this.#attempted
  }

  /**
   * @param operation What to send.
   * @returns The answer.
   * @throws {SessionStoreException} If there is no connection, or no answer in time.
   * @throws {Error} If the connection is lost or the server refuses.
   */
  run<T>(operation: OwnOperation<T>): Promise<T> {
    return this.runWithin(operation, this.#options.timeoutMilliseconds)
  }

  /**
   * Runs an idempotent operation. When the connection is lost before the answer, the operation is sent again over the next
   * one, within the same time limit.
   *
   * @param operation What to send.
   * @returns The answer.
   * @throws {SessionStoreException} If there is no connection, or no answer in time.
   * @throws {Error} If the connection is lost twice or the server refuses.
   */
  async runRepeatable<T>(operation: RedisOperation<T>): Promise<T> {
    const end = performance.now() + this.#options.timeoutMilliseconds
    const used = this.#current
    try {
      return await this.run(operation)
    } catch (error) {
      const isLost = error instanceof SessionStoreException && error.code === 'ERR_SESSION_STORE_UNREACHABLE'
      if (used === null || !isLost) throw error
      await within(this.#deadline(end - performance.now()), this.#ready.promise)
      return await this.runWithin(operation, end - performance.now())
    }
  }

  /** Closes the connection; pending operations are rejected. */
  close(): void {
    this.#closing.abort()
    this.#current?.client.destroy()
    this.#current = null
  }

  /**
   * @param operation What to send.
   * @param milliseconds How long it may take.
   * @returns The answer.
   * @throws {SessionStoreException} If there is no connection, or no answer in time.
   * @throws {Error} If the connection is lost or the server refuses.
   */
  runWithin<T>(operation: OwnOperation<T>, milliseconds: number): Promise<T> {
    const current = this.#current
    if (current === null) {
      const cause = this.#reason
      return Promise.reject(new SessionStoreException('ERR_SESSION_STORE_UNREACHABLE', 'Redis', { cause }))
    }
    const notAfter = Math.ceil(performance.now() + current.serverAhead + LATEST_START * milliseconds)
    const failed = (error: Error): Error => {
      if (isOfConnection(error)) this.#lose(current.client, error)
      const isLost = this.#current !== current && !(error instanceof SessionStoreException)
      return isLost
        ? new SessionStoreException('ERR_SESSION_STORE_UNREACHABLE', 'Redis', { cause: error })
        : error
    }
    return within({ ...this.#deadline(milliseconds), failed }, operation(current.client, String(notAfter)))
  }

  async #dial(): Promise<void> {
    const { url, timeoutMilliseconds } = this.#options
    const client = clientFor(url, timeoutMilliseconds)
    // Without a listener, an 'error' event would end the process; pending operations are rejected with it.
    client.on('error', (error: unknown) => this.#lose(client, error))
    try {
      await within(this.#deadline(timeoutMilliseconds), client.connect())
      const asked = performance.now()
      const [seconds, microseconds] = await within(
        this.#deadline(timeoutMilliseconds),
        client.sendCommand<[string, string]>(['TIME']),
      )
      this.#closing.signal.throwIfAborted()
      this.#current = { client, serverAhead: Number(seconds) * 1000 + Number(microseconds) / 1000 - asked }
    } catch (error) {
      client.destroy()
      throw error
    }
    this.#ready.resolve()
  }

  #lose(client: Client, reason: unknown): void {
    if (this.#current?.client !== client) return
    this.#current = null
    this.#reason = reason
    this.#ready = Promise.withResolvers<void>()
    // Deferred: a client that has just lost its socket rejects pending operations with the actual reason.
    setImmediate(() => client.destroy())
    void this.#reconnect()
  }

  async #reconnect(): Promise<void> {
    for (
      let wait = 0;
      !this.#closing.signal.aborted;
      wait = Math.min(2 * wait + 25, MAX_PAUSE_MILLISECONDS)
    ) {
      try {
        await pause(wait, undefined, { signal: this.#closing.signal })
        await this.#dial()
        return
      } catch (error) {
        // Not reachable yet, or closed since: the loop continues, and operations fail with this reason.
        this.#reason = error
      }
    }
  }

  #deadline(milliseconds: number): { milliseconds: number; server: string } {
    return { milliseconds: Math.max(0, Math.ceil(milliseconds)), server: 'Redis' }
  }
}

// No answer in time, a server that became a replica, or a server whose clock was set so that its time is unknown.
function isOfConnection(error: Error): boolean {
  return error instanceof SessionStoreException || /^(READONLY|LATE)\b/.test(error.message)
}

// `timeout: 0` avoids an AbortSignal for each command; `reconnectStrategy: false` leaves reconnecting to this class.
function clientFor(url: string, timeoutMilliseconds: number) {
  return createClient({
    url,
    disableOfflineQueue: true,
    commandOptions: { timeout: 0 },
    maintNotifications: 'disabled',
    socket: { connectTimeout: timeoutMilliseconds, reconnectStrategy: false },
  })
}
