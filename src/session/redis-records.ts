import type { RedisOperation } from './redis-connection.ts'
import type { RedisKeys } from './redis-keys.ts'
import type { RedisLink } from './redis-link.ts'
import { evaluate, type RedisScript, ROTATE } from './redis-scripts.ts'

/** A write: the record that it is about, where a rotation moves it, and the arguments of its script, in two parts. */
export interface RedisWrite {
  /** The script. */
  readonly script: RedisScript
  /** The record. */
  readonly id: string
  /** Where a rotation moves it. */
  readonly to?: string
  /** Its arguments from the second on; the first is the time after which it must do nothing. */
  readonly values: readonly string[]
  /** Further arguments. */
  readonly rest: readonly string[]
}

/** The records of a store, under their keys. */
export class RedisRecords {
  readonly #link: RedisLink
  readonly #keys: RedisKeys

  /**
   * @param link How operations reach the server.
   * @param keys The keys.
   */
  constructor(link: RedisLink, keys: RedisKeys) {
    this.#link = link
    this.#keys = keys
  }

  /**
   * @param id How the store knows an identifier.
   * @returns Its record as it is stored; null when there is none.
   * @throws {Error} If the server cannot be reached or refuses.
   */
  read(id: string): Promise<string | null> {
    const key = this.#keys.of(id)
    return this.#link.run((client) => client.get(key), key)
  }

  /**
   * @param id How the store knows a new identifier.
   * @param text Its record.
   * @param timeToLive How long the server keeps it, in milliseconds.
   * @throws {Error} If the server cannot be reached or refuses.
   */
  async create(id: string, text: string, timeToLive: number): Promise<void> {
    const key = this.#keys.of(id)
    const expiration = { type: 'PX', value: timeToLive } as const
    await this.#link.run((client) => client.set(key, text, { expiration }), key)
  }

  /**
   * @param write The write.
   * @returns The result of its script.
   * @throws {Error} If the server cannot be reached or refuses.
   */
  write({ script, id, to, values, rest }: RedisWrite): Promise<unknown> {
    const key = this.#keys.of(id)
    const keys = to === undefined ? [key] : [key, this.#keys.of(to)]
    const send: RedisOperation<unknown> = (client, notAfter) =>
      evaluate(client, script, { keys, arguments: [notAfter, ...values, ...rest] })
    return script === ROTATE ? this.#link.runRepeatable(send, key) : this.#link.run(send, key)
  }
}
