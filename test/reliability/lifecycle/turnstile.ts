import type { Lifetime, SessionChanges, SessionData, SessionRecord } from 'sallyport/session'
import { SessionStore } from 'sallyport/session'

/** An operation that fails: before it has an effect, as if the server were gone, or after it, as if its answer were. */
export interface Fault {
  readonly on: 'read' | 'write'
  readonly side: 'before' | 'after'
}

/** A write that stands at the turnstile. */
export class Stop {
  readonly #reached = Promise.withResolvers<void>()
  readonly #opened = Promise.withResolvers<void>()

  /** Settles when a write stands here. */
  get reached(): Promise<void> {
    return this.#reached.promise
  }

  /** Lets it go on. */
  release(): void {
    this.#opened.resolve()
  }

  /** Stands here until it is released. */
  pass(): Promise<void> {
    this.#reached.resolve()
    return this.#opened.promise
  }
}

/** A store whose next write can be held, and whose next operation can be made to fail. */
export class Turnstile extends SessionStore {
  /** Digests of the identifiers that came into being, in order. */
  readonly made: string[] = []
  readonly #inner: SessionStore
  #stop: Stop | null = null
  #fault: Fault | null = null

  constructor(inner: SessionStore) {
    super()
    this.#inner = inner
  }

  /** Holds the next write. */
  stopNextWrite(): Stop {
    this.#stop = new Stop()
    return this.#stop
  }

  /** Has the next operation of a kind fail, once. */
  failNext(fault: Fault): void {
    this.#fault = fault
  }

  /** Forgets a stop or a fault that nobody met; says whether there was one. */
  clear(): boolean {
    const wasSet = this.#stop !== null || this.#fault !== null
    this.#stop = null
    this.#fault = null
    return wasSet
  }

  override async read(id: string): Promise<SessionRecord | null> {
    return this.#failing('read', () => this.#inner.read(id))
  }

  override create(id: string, data: SessionData, lifetime: Lifetime): Promise<void> {
    return this.#write(async () => {
      await this.#inner.create(id, data, lifetime)
      this.made.push(id)
    })
  }

  override update(id: string, changes: SessionChanges, lifetime: Lifetime): Promise<boolean> {
    return this.#write(() => this.#inner.update(id, changes, lifetime))
  }

  override rotate(from: string, to: string, changes: SessionChanges, lifetime: Lifetime): Promise<boolean> {
    return this.#write(async () => {
      const moved = await this.#inner.rotate(from, to, changes, lifetime)
      if (moved) this.made.push(to)
      return moved
    })
  }

  override destroy(id: string): Promise<void> {
    return this.#write(() => this.#inner.destroy(id))
  }

  async #write<T>(work: () => Promise<T>): Promise<T> {
    const stop = this.#stop
    this.#stop = null
    if (stop !== null) await stop.pass()
    return this.#failing('write', work)
  }

  async #failing<T>(kind: Fault['on'], work: () => Promise<T>): Promise<T> {
    const fault = this.#fault?.on === kind ? this.#fault : null
    if (fault === null) return work()
    this.#fault = null
    if (fault.side === 'after') await work()
    throw new Error('The store of the test has failed')
  }
}
