import { IDENTITY_KEY } from './identity-key.ts'
import type { SessionRecord } from './session-store.ts'

/** A record in the linked list of its kind. */
export interface WrittenRecord {
  /** Digest of its identifier. */
  readonly id: string
  /** The current record. */
  record: SessionRecord
  /** The list it is in. */
  list: WrittenList
  /** The record written before it; null when there is none. */
  older: WrittenRecord | null
  /** The record written after it; null when there is none. */
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

  /** The record that was written longest ago; null when the list is empty. */
  get oldest(): WrittenRecord | null {
    return this.#oldest
  }

  /**
   * @param written A record that is in no list; it becomes the newest of this one.
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
   * @param written A record of this list.
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
 * Records by identifier, in the order of writing, in two lists: with a signed-in account and without. A `Map` in which each
 * write deletes and sets the record again would keep such an order too. But it copies its table every so often, and the
 * abandoned tables, each of which refers to the next, keep short-lived records from being collected.
 */
export class WrittenRecords {
  /** Records without an identity, tombstones included. */
  readonly anonymous: WrittenList = new WrittenList()
  /** Records with an identity. */
  readonly signedIn: WrittenList = new WrittenList()
  readonly #written = new Map<string, WrittenRecord>()
  readonly #owned = new Map<string, Set<WrittenRecord>>()

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
   * @param owner An owner.
   * @returns Identifiers and records of the owner, in no order.
   */
  ownedBy(owner: string): { readonly id: string; readonly record: SessionRecord }[] {
    return [...(this.#owned.get(owner) ?? [])].map(({ id, record }) => ({ id, record }))
  }

  /**
   * Moves a record to the end of the list of its kind.
   *
   * @param id Digest of its identifier.
   * @param record The record; it replaces an earlier one.
   */
  write(id: string, record: SessionRecord): void {
    const list = record.data.has(IDENTITY_KEY) ? this.signedIn : this.anonymous
    const known = this.#written.get(id)
    if (known === undefined) {
      const written = { id, record, list, older: null, newer: null }
      this.#written.set(id, written)
      this.#own(written)
      return list.append(written)
    }
    const isSameOwner = known.record.owner === record.owner
    if (!isSameOwner) this.#disown(known)
    known.record = record
    if (!isSameOwner) this.#own(known)
    known.list.unlink(known)
    list.append(known)
  }

  /**
   * @param written A record of this collection.
   */
  delete(written: WrittenRecord): void {
    this.#written.delete(written.id)
    this.#disown(written)
    written.list.unlink(written)
  }

  #own(written: WrittenRecord): void {
    const { owner = null } = written.record
    if (owner === null) return
    const owned = this.#owned.get(owner)
    if (owned === undefined) this.#owned.set(owner, new Set([written]))
    else owned.add(written)
  }

  #disown(written: WrittenRecord): void {
    const { owner = null } = written.record
    if (owner === null) return
    const owned = this.#owned.get(owner)
    owned?.delete(written)
    if (owned?.size === 0) this.#owned.delete(owner)
  }
}
