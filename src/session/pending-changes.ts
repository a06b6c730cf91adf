import { randomIdentifier } from '../core/internal.ts'
import { fittingChanges } from './session-size.ts'
import type { SessionChanges, SessionData } from './session-store.ts'

const NO_ENTRIES: SessionData = new Map()
const NO_KEYS: ReadonlySet<string> = new Set()

/** Changes that set and remove nothing. */
export const NO_CHANGES: SessionChanges = { set: NO_ENTRIES, removed: NO_KEYS }

/**
 * Changes of one request that are not written yet. A key that is removed first and set afterwards counts as both: if the
 * response becomes an error, the new value is dropped and the removal stays.
 */
export class PendingChanges {
  /** Shared by all requests that have changed nothing yet; never changed itself. */
  static readonly none: PendingChanges = new PendingChanges()

  #set: Map<string, string> | null = null
  #removed: Set<string> | null = null
  #keepingNewer: Set<string> | null = null
  #next: string | null = null
  #isDestroyed = false
  #restartsLifetime = false

  /** Whether any key is set. */
  get hasSet(): boolean {
    return (this.#set?.size ?? 0) > 0
  }

  /** Whether any key is removed, or the session destroyed. */
  get hasRemoved(): boolean {
    return this.#isDestroyed || (this.#removed?.size ?? 0) > 0
  }

  /** Whether there is nothing to write. */
  get isEmpty(): boolean {
    return !this.hasSet && !this.hasRemoved && this.#next === null
  }

  /** The new identifier; null if the session keeps its own. */
  get next(): string | null {
    return this.#next
  }

  /** Whether the session is destroyed before anything is set. */
  get isDestroyed(): boolean {
    return this.#isDestroyed
  }

  /** Whether the absolute lifetime of a rotated session starts again. */
  get restartsLifetime(): boolean {
    return this.#restartsLifetime
  }

  /** What is set, as JSON text by key; null if nothing was. */
  get entries(): SessionData | null {
    return this.#set
  }

  /** Keys that are removed only as long as they hold what this request read. */
  get keepingNewer(): ReadonlySet<string> {
    return this.#keepingNewer ?? NO_KEYS
  }

  /**
   * @param key Key of an entry.
   * @param text Its new JSON text.
   */
  set(key: string, text: string): void {
    this.#set ??= new Map()
    this.#set.set(key, text)
  }

  /**
   * @param key Key of an entry.
   * @param isStored Whether the store may have it. Another request may have set it since the session was read.
   */
  remove(key: string, isStored: boolean): void {
    this.#set?.delete(key)
    if (!isStored) return
    this.#removed ??= new Set()
    this.#removed.add(key)
    this.#keepingNewer?.delete(key)
  }

  /**
   * Removes an entry like `remove()`, but not from the session that another request has renewed in the meantime, unless it is
   * the same there.
   *
   * @param key Key of an entry.
   * @param isStored Whether the store may have it.
   */
  removeUnlessNewer(key: string, isStored: boolean): void {
    const isAlwaysRemoved = this.removes(key) && !this.keepingNewer.has(key)
    this.remove(key, isStored)
    if (!isAlwaysRemoved) (this.#keepingNewer ??= new Set()).add(key)
  }

  /** Gives the session a new identifier. */
  rotate(): void {
    this.#next = randomIdentifier()
  }

  /** Starts the absolute lifetime of a rotated session again. */
  renew(): void {
    this.#restartsLifetime = true
  }

  /** Destroys the session, with everything that was done to it before. */
  destroy(): void {
    this.#isDestroyed = true
    this.#set = null
    this.#removed = null
    this.#keepingNewer = null
    this.#next = null
  }

  /** Drops what was set. Removals, a rotation and a destruction stay. */
  dropSet(): void {
    this.#set = null
  }

  /** Drops what was set and renewed, because the response is an error. */
  withdraw(): void {
    this.dropSet()
    this.#restartsLifetime = false
  }

  /**
   * @param key Key of an entry.
   * @returns Whether it is removed.
   */
  removes(key: string): boolean {
    return this.#removed?.has(key) === true
  }

  /**
   * @param key Key of an entry.
   * @param stored The entries of the store.
   * @returns Its JSON text as the request sees it; undefined if there is none.
   */
  text(key: string, stored: SessionData | undefined): string | undefined {
    const own = this.#set?.get(key)
    if (own !== undefined) return own
    return this.#isDestroyed || this.removes(key) ? undefined : stored?.get(key)
  }

  /**
   * @param prefix Start of keys.
   * @param stored The entries of the store.
   * @returns The sorted keys of the entries that start with it, as the request sees them.
   */
  keysFrom(prefix: string, stored: SessionData | undefined): string[] {
    const known = new Set([...(stored?.keys() ?? []), ...(this.#set?.keys() ?? [])])
    return [...known].filter((key) => key.startsWith(prefix) && this.text(key, stored) !== undefined).sort()
  }

  /**
   * @param stored The entries of the store.
   * @returns The entries that the changes apply to: none if the session is destroyed first.
   */
  entriesBefore(stored: SessionData | undefined): SessionData {
    return this.#isDestroyed ? NO_ENTRIES : (stored ?? NO_ENTRIES)
  }

  /**
   * @param stored The entries of the store.
   * @param maxBytes Most bytes that the policy allows.
   * @returns What to write, so that no more is stored than the policy allows.
   * @throws {RangeError} If the entries are larger than that.
   */
  toWrite(stored: SessionData | undefined, maxBytes: number): SessionChanges {
    if (this.#set === null) return this.removalsToWrite()
    const before = this.entriesBefore(stored)
    return fittingChanges(before, { set: this.#set, removed: this.#removed ?? NO_KEYS }, maxBytes)
  }

  /**
   * @returns What to write if nothing may be set.
   */
  removalsToWrite(): SessionChanges {
    return this.#removed === null ? NO_CHANGES : { set: NO_ENTRIES, removed: this.#removed }
  }
}
