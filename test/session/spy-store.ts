/**
 * A session store that tells what was asked of it, fails on demand, and waits on demand.
 *
 * @module
 */
import { MemorySessionStore } from '../../src/session/index.ts'
import type { FrozenClock } from '../../src/testing/index.ts'
import { type Operation, WrappedStore } from './wrapped-store.ts'

/** Delegates to a store in memory. */
export class SpyStore extends WrappedStore {
  /** Operations in the order they were asked for. */
  readonly calls: Operation[] = []
  /** Identifiers that the store saw. */
  readonly ids: Set<string> = new Set()
  /** Operations that fail. */
  readonly failing: Set<Operation> = new Set()
  /** Runs before each operation. */
  before: (operation: Operation) => Promise<void> | void = () => undefined

  constructor(clock: FrozenClock) {
    super(new MemorySessionStore({ clock }))
  }

  /** Forgets the calls so far. */
  reset(): void {
    this.calls.length = 0
  }

  protected override async around<T>(
    operation: Operation,
    ids: readonly string[],
    work: () => Promise<T>,
  ): Promise<T> {
    this.calls.push(operation)
    for (const id of ids) this.ids.add(id)
    await this.before(operation)
    if (this.failing.has(operation)) throw new Error(`connection refused while trying to ${operation}`)
    return work()
  }
}
