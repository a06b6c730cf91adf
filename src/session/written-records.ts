import type { SessionRecord } from './session-store.ts'

/** A record in its place among the others. */
export interface WrittenRecord {
  /** Digest of its identifier. */
  readonly id: string
  /** What was written last. */
  record: SessionRecord
  /** The one that was written before it; null: none. */
  older: WrittenRecord | null
  /** The one that was written after it; null: none. */
  newer: WrittenRecord | null
}

/**
 * Records by identifier, in the order of writing. A `Map` keeps such an order too, when a record is deleted and set again
 * with each write; but then it copies its table every so many writes, and the tables it has left behind, each of which
 * knows the next, keep what was written meanwhile from the collector of young objects.
 */
export class WrittenRecords {
  readonly #written = new Map<string, WrittenRecord>()
  #oldest: WrittenRecord | null = null
  #newest: WrittenRecord | null = null

  /** How many there are. */
  get size(): number {
    return this.#written.size
  }

  /** The one that was written longest ago; null: there is none. */
  get oldest(): WrittenRecord | null {
    return this.#oldest
  }

  /**
   * @param id Digest of an identifier.
   * @returns Its record; undefined when there is none.
   */
  get(id: string): SessionRecord | undefined {
    return this.#written.get(id)?.record
  }

  /**
   * Puts a record behind all others.
   *
   * @param id Digest of its identifier.
   * @param record Takes the place of an earlier one.
   */
  write(id: string, record: SessionRecord): void {
    const known = this.#written.get(id)
    if (known === undefined) {
      const written = { id, record, older: null, newer: null }
      this.#written.set(id, written)
      return this.#append(written)
    }
    known.record = record
    this.#unlink(known)
    this.#append(known)
  }

  /**
   * @param written One of these.
   */
  delete(written: WrittenRecord): void {
    this.#written.delete(written.id)
    this.#unlink(written)
  }

  #append(written: WrittenRecord): void {
    written.older = this.#newest
    if (this.#newest === null) this.#oldest = written
    else this.#newest.newer = written
    this.#newest = written
  }

  #unlink(written: WrittenRecord): void {
    const { older, newer } = written
    if (older === null) this.#oldest = newer
    else older.newer = newer
    if (newer === null) this.#newest = older
    else newer.older = older
    written.older = null
    written.newer = null
  }
}
