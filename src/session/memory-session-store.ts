import { types } from 'node:util'
import { assertClock, assertOptions, declarationError, readClock, sentence, shown } from '../core/internal.ts'
import { type Clock, SystemClock } from '../core/index.ts'
import {
  type Lifetime,
  MAX_SKEW_MILLISECONDS,
  type OwnedSession,
  type SessionChanges,
  type SessionData,
  type SessionRecord,
  type SessionStart,
  SessionStore,
  type SessionUpdate,
  TOMBSTONE_MILLISECONDS,
} from './session-store.ts'
import { areExpected } from './stored-entries.ts'
import { type WrittenList, WrittenRecords } from './written-records.ts'

/** Options of a {@link MemorySessionStore}. */
export interface MemorySessionStoreOptions {
  /** Clock for expiry. Default: the machine's clock. */
  readonly clock?: Clock
  /**
   * Maximum number of records, tombstones included. At the limit the oldest record without a signed-in account is dropped;
   * one with an account only when such records take all but a hundredth of the limit. At least 2: a login keeps the new
   * record and a tombstone of the old one. Default: 100,000.
   */
  readonly maxRecords?: number
}

const NO_ENTRIES: SessionData = new Map()
// Each write also drops some expired records and records dated in the future, more than were written since. So no timer is
// needed and no single write takes long.
const WRITES_PER_SWEEP = 8
const LOOKED_AT_PER_SWEEP = 32
// With a smaller share left, a page could not be kept long enough to sign in.
const ANONYMOUS_SHARE = 0.01

/** Sessions in the memory of this process: for development, tests and single-process tools. */
export class MemorySessionStore extends SessionStore {
  readonly #records = new WrittenRecords()
  readonly #clock: Clock
  readonly #maxRecords: number
  #unswept = 0
  #isTurnOfSignedIn = false

  /**
   * @param options Clock and maximum number of records.
   * @throws {RangeError} If the maximum is not an integer from 2 on.
   * @throws {TypeError} If the clock is invalid, or an option is unknown.
   */
  constructor(options: MemorySessionStoreOptions = {}) {
    super()
    assertOptions(options, ['clock', 'maxRecords'], 'a MemorySessionStore')
    const { clock = new SystemClock(), maxRecords = 100_000 } = options
    assertClock(clock)
    if (!Number.isSafeInteger(maxRecords) || maxRecords < 2)
      throw declarationError(
        sentence`Cannot use ${shown(maxRecords)} as maxRecords: it must be a whole number, at least 2`,
        RangeError,
      )
    this.#clock = clock
    this.#maxRecords = maxRecords
  }

  /** Number of records, including tombstones and expired records that are not yet dropped. */
  get size(): number {
    return this.#records.size
  }

  override read(id: string): Promise<SessionRecord | null> {
    const record = this.#records.get(id)
    if (record === undefined || record.expiresAt <= readClock(this.#clock)) return Promise.resolve(null)
    return Promise.resolve(record)
  }

  override async create(id: string, data: SessionData, start: SessionStart): Promise<void> {
    const { createdAt, expiresAt, owner = null } = start
    this.#write(id, { data: new Map(data), ended: false, successor: null, createdAt, expiresAt, owner })
  }

  override async update(id: string, changes: SessionUpdate, lifetime: Lifetime): Promise<boolean> {
    const record = this.#live(id)
    if (record === undefined || !areExpected(record.data, changes.expected)) return false
    this.#write(id, changed(record, changes, lifetime))
    return true
  }

  override async rotate(
    from: string,
    to: string,
    changes: SessionChanges,
    lifetime: Lifetime,
  ): Promise<boolean> {
    const record = this.#live(from)
    if (record === undefined) return false
    this.#write(to, changed(record, changes, lifetime))
    this.#bury(from, to)
    return true
  }

  override async destroy(id: string): Promise<void> {
    if (this.#live(id) !== undefined) this.#bury(id, null)
  }

  override async sessionsOf(owner: string): Promise<readonly OwnedSession[]> {
    const now = readClock(this.#clock)
    return this.#records.ownedBy(owner).filter(({ record }) => record.expiresAt > now)
  }

  #live(id: string): SessionRecord | undefined {
    const record = this.#records.get(id)
    if (record === undefined || record.ended || record.expiresAt <= readClock(this.#clock)) return undefined
    return record
  }

  #bury(id: string, successor: string | null): void {
    const now = readClock(this.#clock)
    this.#write(id, {
      data: NO_ENTRIES,
      ended: true,
      successor,
      createdAt: now,
      expiresAt: now + TOMBSTONE_MILLISECONDS,
      owner: null,
    })
  }

  #write(id: string, record: SessionRecord): void {
    this.#records.write(id, record)
    this.#unswept++
    while (this.#records.size > this.#maxRecords) this.#evict()
    if (this.#unswept < WRITES_PER_SWEEP) return
    this.#unswept = 0
    this.#sweep()
  }

  // Anyone can create sessions without an identity in any number: they displace each other first.
  #evict(): void {
    const { anonymous, signedIn } = this.#records
    const isShareFull = anonymous.size > Math.max(1, this.#maxRecords * ANONYMOUS_SHARE)
    const oldest = isShareFull ? anonymous.oldest : (signedIn.oldest ?? anonymous.oldest)
    if (oldest !== null) this.#records.delete(oldest)
  }

  // Both lists in turn, so that neither waits for the other.
  #sweep(): void {
    const { anonymous, signedIn } = this.#records
    const now = readClock(this.#clock)
    this.#isTurnOfSignedIn = !this.#isTurnOfSignedIn
    const [first, second] = this.#isTurnOfSignedIn ? [signedIn, anonymous] : [anonymous, signedIn]
    const left = this.#sweepList(first, now, LOOKED_AT_PER_SWEEP)
    this.#sweepList(second, now, left)
  }

  // Returns how many more records may be inspected.
  #sweepList(list: WrittenList, now: number, most: number): number {
    let left = most
    for (let written = list.oldest; written !== null && left > 0; left--) {
      const { newer, record } = written
      if (record.expiresAt <= now || record.createdAt > now + MAX_SKEW_MILLISECONDS)
        this.#records.delete(written)
      written = newer
    }
    return left
  }
}

function changed(record: SessionRecord, changes: SessionChanges, lifetime: Lifetime): SessionRecord {
  const { owner = record.owner ?? null } = changes
  const { createdAt, expiresAt } = lifetime
  return { data: merge(record.data, changes), ended: false, successor: null, createdAt, expiresAt, owner }
}

// A new map, because a concurrent request may still read the old one.
function merge(data: SessionData, changes: SessionChanges): SessionData {
  if (changes.set.size === 0 && changes.removed.size === 0) return data
  const merged = new Map(data)
  for (const key of changes.removed) merged.delete(key)
  for (const [key, text] of changes.set) merged.set(key, text)
  return merged
}

// Compared later: tracing tools and tests replace methods.
const METHODS = Object.entries(Object.getOwnPropertyDescriptors(MemorySessionStore.prototype))

/**
 * @param store A store.
 * @returns Whether it is one in memory as it is here. A subclass, a proxy or replaced methods may behave differently.
 */
export function isMemorySessionStore(store: object): boolean {
  const prototype: object = MemorySessionStore.prototype
  if (Object.getPrototypeOf(store) !== prototype || types.isProxy(store)) return false
  if (Reflect.ownKeys(store).length > 0) return false
  return METHODS.every(
    ([name, method]) => Object.getOwnPropertyDescriptor(prototype, name)?.value === method.value,
  )
}
