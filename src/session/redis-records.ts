import type { RedisOperation } from './redis-connection.ts'
import type { RedisKeys } from './redis-keys.ts'
import type { RedisLink } from './redis-link.ts'
import { evaluate, MISSING, READ, type RedisScript, ROTATE } from './redis-scripts.ts'

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

/*
 * A session of a former version is moved to its new key by its next write, in the same script: both keys are on one server,
 * so concurrent requests see the session under either of them, and never twice or not at all. On a cluster the keys are in
 * different slots, which no script can write together. There, a session of a former version stays under its former key
 * until it ends, rotations included: nothing is ever moved between slots, so each operation stays atomic.
 */

/** The records of a store, under their keys or the keys of a former version. */
export class RedisRecords {
  readonly #link: RedisLink
  readonly #keys: RedisKeys
  // Whether the server is a cluster, where a key and its former key are in different slots; null until it was asked.
  #asking: Promise<boolean> | null

  /**
   * @param link How operations reach the server.
   * @param keys The keys.
   * @param isCluster Whether the server is known to be a cluster.
   */
  constructor(link: RedisLink, keys: RedisKeys, isCluster: boolean) {
    this.#link = link
    this.#keys = keys
    this.#asking = isCluster ? Promise.resolve(true) : null
  }

  /**
   * @param id How the store knows an identifier.
   * @returns Its record as it is stored; null when there is none.
   * @throws {Error} If the server cannot be reached or refuses.
   */
  async read(id: string): Promise<string | null> {
    const key = this.#keys.of(id)
    return (await this.#link.run((client) => client.get(key), key)) ?? (await this.#readFormer(id))
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
  async write(write: RedisWrite): Promise<unknown> {
    const { id, to } = write
    const keys = to === undefined ? [this.#keys.of(id)] : [this.#keys.of(id), this.#keys.of(to)]
    const former = this.#keys.former(id)
    if (former !== null && !(await this.#isCluster())) return this.#send(write, [...keys, former])
    const outcome = await this.#send(write, keys)
    if (outcome !== MISSING || former === null) return outcome
    const target = to === undefined ? null : this.#keys.former(to)
    return this.#send(write, target === null ? [former] : [former, target])
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

  #send({ script, values, rest }: RedisWrite, keys: readonly string[]): Promise<unknown> {
    const send: RedisOperation<unknown> = (client, notAfter) =>
      evaluate(client, script, { keys: [...keys], arguments: [notAfter, ...values, ...rest] })
    const [key = ''] = keys
    return script === ROTATE ? this.#link.runRepeatable(send, key) : this.#link.run(send, key)
  }
}
