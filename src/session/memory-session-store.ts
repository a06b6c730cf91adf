import { type Clock, presentOf, SystemClock } from '../core/index.ts'
import {
  type Lifetime,
  MAX_SKEW_MILLISECONDS,
  type SessionChanges,
  type SessionData,
  type SessionRecord,
  SessionStore,
  TOMBSTONE_MILLISECONDS,
} from './session-store.ts'
import { WrittenRecords } from './written-records.ts'

/** Options of a {@link MemorySessionStore}. */
export interface MemorySessionStoreOptions {
  /** Time for expiry. Default: the machine's clock. */
  readonly clock?: Clock
  /** Most records kept, tombstones included; beyond it the one that was written longest ago goes. Default: 100,000. */
  readonly maxRecords?: number
}

const NO_ENTRIES: SessionData = new Map()
// Expired records, and those dated in the future, are dropped now and then with a write, more of them than were written since, so that none needs a
// timer and no write is long.
const WRITES_PER_SWEEP = 8
const LOOKED_AT_PER_SWEEP = 32

/** Sessions in the memory of this process: for development, tests and single-process tools. */
export class MemorySessionStore extends SessionStore {
  readonly #records = new WrittenRecords()
  readonly #clock: Clock
  readonly #maxRecords: number
  #unswept = 0

  /**
   * @param options Clock and bound.
   * @throws {RangeError} If the bound is below 1.
   */
  constructor(options: MemorySessionStoreOptions = {}) {
    super()
    const { clock = new SystemClock(), maxRecords = 100_000 } = options
    if (!(maxRecords >= 1)) throw new RangeError(`Cannot keep at most ${maxRecords} sessions`)
    this.#clock = clock
    this.#maxRecords = maxRecords
  }

  /** How many records are kept, tombstones and expired ones that are not yet swept included. */
  get size(): number {
    return this.#records.size
  }

  override read(id: string): Promise<SessionRecord | null> {
    const record = this.#records.get(id)
    if (record === undefined || record.expiresAt <= presentOf(this.#clock)) return Promise.resolve(null)
    return Promise.resolve(record)
  }

  override async create(id: string, data: SessionData, lifetime: Lifetime): Promise<void> {
    this.#write(id, { data: new Map(data), ended: false, successor: null, ...lifetime })
  }

  override async update(id: string, changes: SessionChanges, lifetime: Lifetime): Promise<boolean> {
    const record = this.#live(id)
    if (record === undefined) return false
    this.#write(id, { data: merge(record.data, changes), ended: false, successor: null, ...lifetime })
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
    this.#write(to, { data: merge(record.data, changes), ended: false, successor: null, ...lifetime })
    this.#bury(from, to)
    return true
  }

  override async destroy(id: string): Promise<void> {
    if (this.#live(id) !== undefined) this.#bury(id, null)
  }

  #live(id: string): SessionRecord | undefined {
    const record = this.#records.get(id)
    if (record === undefined || record.ended || record.expiresAt <= presentOf(this.#clock)) return undefined
    return record
  }

  #bury(id: string, successor: string | null): void {
    const now = presentOf(this.#clock)
    this.#write(id, {
      data: NO_ENTRIES,
      ended: true,
      successor,
      createdAt: now,
      expiresAt: now + TOMBSTONE_MILLISECONDS,
    })
  }

  #write(id: string, record: SessionRecord): void {
    this.#records.write(id, record)
    this.#unswept++
    if (this.#unswept < WRITES_PER_SWEEP && this.#records.size <= this.#maxRecords) return
    this.#unswept = 0
    this.#sweep()
  }

  #sweep(): void {
    const now = presentOf(this.#clock)
    let looked = 0
    let written = this.#records.oldest
    while (written !== null) {
      const full = this.#records.size > this.#maxRecords
      if (!full && looked === LOOKED_AT_PER_SWEEP) return
      looked++
      const { newer } = written
      const { expiresAt, createdAt } = written.record
      const isOver = expiresAt <= now || createdAt > now + MAX_SKEW_MILLISECONDS
      if (full || isOver) this.#records.delete(written)
      written = newer
    }
  }
}

// A new map, for a request that reads at the same time holds the old one.
function merge(data: SessionData, changes: SessionChanges): SessionData {
  if (changes.set.size === 0 && changes.removed.size === 0) return data
  const merged = new Map(data)
  for (const key of changes.removed) merged.delete(key)
  for (const [key, text] of changes.set) merged.set(key, text)
  return merged
}
