import { randomIdentifier } from '../core/internal.ts'
import { fittingChanges } from './session-size.ts'
import type { SessionChanges, SessionData } from './session-store.ts'

const NO_ENTRIES: SessionData = new Map()
const NO_KEYS: ReadonlySet<string> = new Set()

/** What a request changes that sets and removes nothing. */
export const NO_CHANGES: SessionChanges = { set: NO_ENTRIES, removed: NO_KEYS }

/**
 * What one request does to its session, on top of the entries that the store has. A key that is removed first and set
 * afterwards is recorded as both: an error takes the new value away, and not what was done to the old one.
 */
export class SessionRecording {
  /** The recording of a request that has changed nothing yet. It is shared: a change is recorded in one of its own. */
  static readonly nothing: SessionRecording = new SessionRecording()

  #set: Map<string, string> | null = null
  #removed: Set<string> | null = null
  #next: string | null = null
  #isDestroyed = false
  #isRenewed = false

  /** Whether the request makes a session, or ends one. */
  get isUsed(): boolean {
    return this.#set !== null || this.#isDestroyed
  }

  /** Whether something is set. */
  get isSetting(): boolean {
    return (this.#set?.size ?? 0) > 0
  }

  /** Whether something is removed, or all destroyed. */
  get isTaking(): boolean {
    return this.#isDestroyed || (this.#removed?.size ?? 0) > 0
  }

  /** Whether there is anything to write. */
  get isChange(): boolean {
    return this.isTaking || this.#next !== null || this.isSetting
  }

  /** The new identifier; null: it is not rotated. */
  get next(): string | null {
    return this.#next
  }

  /** Whether the session is destroyed before anything is set. */
  get isDestroyed(): boolean {
    return this.#isDestroyed
  }

  /** Whether the absolute lifetime of a rotated session counts from now on. */
  get isRenewed(): boolean {
    return this.#isRenewed
  }

  /** What is set; null: nothing was. */
  get set(): ReadonlyMap<string, string> | null {
    return this.#set
  }

  /**
   * @param key Key of an entry.
   * @param text Its new JSON text.
   */
  put(key: string, text: string): void {
    this.#set ??= new Map()
    this.#set.set(key, text)
  }

  /**
   * @param key Key of an entry.
   * @param isStored Whether the store may have it, now or later: another request may set it meanwhile.
   */
  remove(key: string, isStored: boolean): void {
    this.#set?.delete(key)
    if (!isStored) return
    this.#removed ??= new Set()
    this.#removed.add(key)
  }

  /** Gives the session a new identifier. */
  rotate(): void {
    this.#next = randomIdentifier()
  }

  /** Counts the absolute lifetime of a rotated session from now on. */
  renew(): void {
    this.#isRenewed = true
  }

  /** Destroys the session, with what was done to it before. */
  destroy(): void {
    this.#isDestroyed = true
    this.#set = null
    this.#removed = null
    this.#next = null
  }

  /** Forgets what was set. What was removed, rotated and destroyed stays so. */
  forgetSet(): void {
    this.#set = null
  }

  /** Forgets what was set and renewed: the answer is an error. */
  withdraw(): void {
    this.forgetSet()
    this.#isRenewed = false
  }

  /**
   * @param key Key of an entry.
   * @returns Whether it is removed.
   */
  hasRemoved(key: string): boolean {
    return this.#removed?.has(key) === true
  }

  /**
   * @param key Key of an entry.
   * @param stored The entries of the store.
   * @returns Its JSON text as the request sees it; undefined when there is none.
   */
  text(key: string, stored: SessionData | undefined): string | undefined {
    const own = this.#set?.get(key)
    if (own !== undefined) return own
    return this.#isDestroyed || this.hasRemoved(key) ? undefined : stored?.get(key)
  }

  /**
   * @param prefix Start of keys.
   * @param stored The entries of the store.
   * @returns The keys of the entries that start with it, as the request sees them, in order.
   */
  keysFrom(prefix: string, stored: SessionData | undefined): string[] {
    const known = new Set([...(stored?.keys() ?? []), ...(this.#set?.keys() ?? [])])
    return [...known].filter((key) => key.startsWith(prefix) && this.text(key, stored) !== undefined).sort()
  }

  /**
   * @param stored The entries of the store.
   * @param maxBytes Most bytes that the policy allows.
   * @returns What to write, so that no more is stored than the policy allows.
   * @throws {RangeError} If the entries are larger than that.
   */
  changes(stored: SessionData | undefined, maxBytes: number): SessionChanges {
    if (this.#set === null) return this.removals()
    const before = this.#isDestroyed ? NO_ENTRIES : (stored ?? NO_ENTRIES)
    return fittingChanges(before, { set: this.#set, removed: this.#removed ?? NO_KEYS }, maxBytes)
  }

  /**
   * @returns What to write of it where nothing may be set.
   */
  removals(): SessionChanges {
    return this.#removed === null ? NO_CHANGES : { set: NO_ENTRIES, removed: this.#removed }
  }
}
