/**
 * What the session stores of tests have in common that stand in front of another.
 *
 * @module
 */
import {
  type Lifetime,
  type OwnedSession,
  type SessionChanges,
  type SessionData,
  type SessionRecord,
  type SessionStart,
  SessionStore,
} from 'sallyport/session'

/** An operation of a store. */
export type Operation = 'read' | 'create' | 'update' | 'rotate' | 'destroy' | 'sessionsOf'

/** Hands each operation to another store, in the way that a test wants to see it done. */
export abstract class WrappedStore extends SessionStore {
  readonly #store: SessionStore

  constructor(store: SessionStore) {
    super()
    this.#store = store
  }

  /** Does an operation, or not; the identifiers are those that it names. */
  protected abstract around<T>(
    operation: Operation,
    ids: readonly string[],
    work: () => Promise<T>,
  ): Promise<T>

  override read(id: string): Promise<SessionRecord | null> {
    return this.around('read', [id], () => this.#store.read(id))
  }

  override create(id: string, data: SessionData, start: SessionStart): Promise<void> {
    return this.around('create', [id], () => this.#store.create(id, data, start))
  }

  override update(id: string, changes: SessionChanges, lifetime: Lifetime): Promise<boolean> {
    return this.around('update', [id], () => this.#store.update(id, changes, lifetime))
  }

  // The public API fixes the call.
  override rotate(from: string, to: string, changes: SessionChanges, lifetime: Lifetime): Promise<boolean> {
    return this.around('rotate', [from, to], () => this.#store.rotate(from, to, changes, lifetime))
  }

  override destroy(id: string): Promise<void> {
    return this.around('destroy', [id], () => this.#store.destroy(id))
  }

  override sessionsOf(owner: string): Promise<readonly OwnedSession[]> {
    return this.around('sessionsOf', [], async () => (await this.#store.sessionsOf?.(owner)) ?? [])
  }
}
