/**
 * A session store that tells what was asked of it, fails on demand, and waits on demand.
 *
 * @module
 */
import {
  type Lifetime,
  MemorySessionStore,
  type SessionChanges,
  type SessionData,
  type SessionRecord,
  SessionStore,
} from '../../src/session/index.ts'
import type { FrozenClock } from '../../src/testing/index.ts'

/** An operation of a store. */
export type Operation = 'read' | 'create' | 'update' | 'rotate' | 'destroy'

/** Delegates to a store in memory. */
export class SpyStore extends SessionStore {
  /** Operations in the order they were asked for. */
  readonly calls: Operation[] = []
  /** Identifiers that the store saw. */
  readonly ids: Set<string> = new Set()
  /** Operations that fail. */
  readonly failing: Set<Operation> = new Set()
  /** Runs before each operation. */
  before: (operation: Operation) => Promise<void> | void = () => undefined
  readonly #inner: MemorySessionStore

  constructor(clock: FrozenClock) {
    super()
    this.#inner = new MemorySessionStore({ clock })
  }

  /** Forgets the calls so far. */
  reset(): void {
    this.calls.length = 0
  }

  override read(id: string): Promise<SessionRecord | null> {
    return this.#run('read', [id], () => this.#inner.read(id))
  }

  override create(id: string, data: SessionData, lifetime: Lifetime): Promise<void> {
    return this.#run('create', [id], () => this.#inner.create(id, data, lifetime))
  }

  override update(id: string, changes: SessionChanges, lifetime: Lifetime): Promise<boolean> {
    return this.#run('update', [id], () => this.#inner.update(id, changes, lifetime))
  }

  override rotate(from: string, to: string, changes: SessionChanges, lifetime: Lifetime): Promise<boolean> {
    return this.#run('rotate', [from, to], () => this.#inner.rotate(from, to, changes, lifetime))
  }

  override destroy(id: string): Promise<void> {
    return this.#run('destroy', [id], () => this.#inner.destroy(id))
  }

  async #run<T>(operation: Operation, ids: string[], work: () => Promise<T>): Promise<T> {
    this.calls.push(operation)
    for (const id of ids) this.ids.add(id)
    await this.before(operation)
    if (this.failing.has(operation)) throw new Error(`connection refused while trying to ${operation}`)
    return work()
  }
}
