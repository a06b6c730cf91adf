import { IDENTITY_KEY } from './identity-key.ts'
import type { SessionRecord } from './session-store.ts'

/** A record in its place among the others of its kind. */
export interface WrittenRecord {
  /** Digest of its identifier. */
  readonly id: string
  /** What was written last. */
  record: SessionRecord
  /** Those of its kind. */
  list: WrittenList
  /** The one that was written before it; null: none. */
  older: WrittenRecord | null
  /** The one that was written after it; null: none. */
  newer: WrittenRecord | null
}

/** Records of one kind, in the order of writing. */
export class WrittenList {
  #size = 0
  #oldest: WrittenRecord | null = null
  #newest: WrittenRecord | null = null

  /** How many there are. */
  get size(): number {
    return this.#size
  }

  /** The one that was written longest ago; null: there is none. */
  get oldest(): WrittenRecord | null {
    return this.#oldest
  }

  /**
   * @param written One of no list; it becomes the newest of this one.
   */
  append(written: WrittenRecord): void {
    written.list = this
    written.older = this.#newest
    if (this.#newest === null) this.#oldest = written
    else this.#newest.newer = written
    this.#newest = written
    this.#size++
  }

  /**
   * @param written One of this list.
   */
  unlink(written: WrittenRecord): void {
    const { older, newer } = written
    if (older === null) this.#oldest = newer
    else older.newer = newer
    if (newer === null) this.#newest = older
    else newer.older = older
    written.older = null
    written.newer = null
    this.#size--
  }
}

/**
 * Records by identifier, in the order of writing: those of a signed-in account, and the others. A `Map` keeps such an order too, when a record is deleted and set again
 * with each write; but then it copies its table every so many writes, and the tables it has left behind, each of which
 * knows the next, keep what was written meanwhile from the collector of young objects.
 */
export class WrittenRecords {
  /** Records without an identity, tombstones included. */
  readonly anonymous: WrittenList = new WrittenList()
  /** Records with an identity. */
  readonly signedIn: WrittenList = new WrittenList()
  readonly #written = new Map<string, WrittenRecord>()

  /** How many there are. */
  get size(): number {
    return this.#written.size
  }

  /**
   * @param id Digest of an identifier.
   * @returns Its record; undefined when there is none.
   */
  get(id: string): SessionRecord | undefined {
    return this.#written.get(id)?.record
  }

  /**
   * Puts a record behind all others of its kind.
   *
   * @param id Digest of its identifier.
   * @param record Takes the place of an earlier one.
   */
  write(id: string, record: SessionRecord): void {
    const list = record.data.has(IDENTITY_KEY) ? this.signedIn : this.anonymous
    const known = this.#written.get(id)
    if (known === undefined) {
      const written = { id, record, list, older: null, newer: null }
      this.#written.set(id, written)
      return list.append(written)
    }
    known.record = record
    known.list.unlink(known)
    list.append(known)
  }

  /**
   * @param written One of these.
   */
  delete(written: WrittenRecord): void {
    this.#written.delete(written.id)
    written.list.unlink(written)
  }
}
