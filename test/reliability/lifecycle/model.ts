/**
 * What sessions are promised to do, said a second time and as simply as possible: a request sees the record of its
 * identifier once, when it comes, and applies its changes once, when it leaves.
 *
 * @module
 */
import { TOMBSTONE_MILLISECONDS } from 'sallyport/session'
import { POLICY } from './application.ts'

/** A token of a form: made from the secret of a session, or from an identifier that had ended. */
export type Token =
  | { readonly from: 'secret'; readonly secret: number }
  | { readonly from: 'ended'; readonly id: number }

/** From when until when a record lives, in Unix milliseconds. */
export interface Times {
  readonly createdAt: number
  readonly expiresAt: number
}

/** What an identifier stands for. Identifiers and secrets are numbers here; `Bindings` has the real ones. */
export interface ModelRecord extends Times {
  readonly entries: ReadonlyMap<string, unknown>
  /** In a tombstone: what took the place, null after a destruction. Undefined in a live record. */
  readonly successor?: number | null
}

/** What a response does to the cookie: a new identifier, its end, or nothing. */
export type CookieChange = number | 'expired' | null

/** Real texts of the model's numbers. */
export interface Bindings {
  /** Digests of identifiers. */
  readonly digests: Map<number, string>
  /** Secrets of sessions. */
  readonly secrets: Map<number, string>
}

const ROLLING_MILLISECONDS = 60_000
// What is dated further ahead than this is over, and a store may take it away.
const MAX_SKEW_MILLISECONDS = 60_000
// A store with a timer of its own takes away in so much real time what was written so short before its end.
const BRIEF_MILLISECONDS = 10_000

/** The records of a store, and the identifiers in the browsers' jars. */
export class Model {
  /** The present, in Unix milliseconds. */
  now: number
  /** Identifier in each jar. */
  readonly jars: (number | null)[]
  readonly records: Map<number, ModelRecord>
  readonly bindings: Bindings
  /** Identifiers that a request looked at or changed since this was emptied. */
  readonly touched: Set<number> = new Set()
  // Records that a store may have taken away: it has seen them expired, or dated too far ahead.
  readonly #sweepable = new Set<number>()
  // Those that came to be written when they were as good as over, because a clock was set meanwhile.
  readonly #brief = new Set<number>()
  // Times that a record may have instead: of a request that took something from it over the times that it had read.
  readonly #otherTimes = new Map<number, Times>()
  #lastId: number
  #lastSecret: number
  #lastMessage = 0

  constructor(
    now: number,
    jars: number,
    from: { ids: number; secrets: number; records: Map<number, ModelRecord>; bindings: Bindings } = {
      ids: 0,
      secrets: 0,
      records: new Map(),
      bindings: { digests: new Map(), secrets: new Map() },
    },
  ) {
    this.now = now
    this.jars = Array.from({ length: jars }, () => null)
    this.#lastId = from.ids
    this.#lastSecret = from.secrets
    this.records = new Map(from.records)
    this.bindings = { digests: new Map(from.bindings.digests), secrets: new Map(from.bindings.secrets) }
  }

  /** A model that can go another way. */
  clone(): Model {
    const { now, records, bindings } = this
    const twin = new Model(now, 0, { ids: this.#lastId, secrets: this.#lastSecret, records, bindings })
    twin.jars.push(...this.jars)
    twin.#lastMessage = this.#lastMessage
    for (const id of this.touched) twin.touched.add(id)
    for (const id of this.#sweepable) twin.#sweepable.add(id)
    for (const id of this.#brief) twin.#brief.add(id)
    refill(twin.#otherTimes, this.#otherTimes)
    return twin
  }

  /** Goes the way of another model. */
  become(other: Model): void {
    this.now = other.now
    this.#lastId = other.#lastId
    this.#lastSecret = other.#lastSecret
    this.#lastMessage = other.#lastMessage
    this.jars.splice(0, this.jars.length, ...other.jars)
    const { digests, secrets } = this.bindings
    for (const [own, their] of [
      [this.records, other.records],
      [digests, other.bindings.digests],
      [secrets, other.bindings.secrets],
    ] as const)
      refill<number, unknown>(own, their)
    refill(this.#otherTimes, other.#otherTimes)
    this.touched.clear()
    for (const id of other.touched) this.touched.add(id)
    for (const [own, their] of [
      [this.#sweepable, other.#sweepable],
      [this.#brief, other.#brief],
    ] as const) {
      own.clear()
      for (const id of their) own.add(id)
    }
  }

  /** Sets the clock forward or back. What a store may have taken away meanwhile is to be compared. */
  move(milliseconds: number): void {
    this.#noteSweepable()
    this.now += milliseconds
    this.#noteSweepable()
    for (const id of this.#sweepable) this.touched.add(id)
  }

  /** Whether a record is dated so far ahead that it is over. */
  isAhead(record: ModelRecord): boolean {
    return record.createdAt - this.now > MAX_SKEW_MILLISECONDS
  }

  /** Forgets a record that a store does not have, when it may have taken it away; says whether it may. */
  forgetSwept(id: number): boolean {
    const record = this.records.get(id)
    if (record === undefined || !this.#maySweep(id, record)) return false
    return this.records.delete(id)
  }

  /** A store still has a record, so it has not taken it away so far; one that lives briefly it may take at any time. */
  noteKept(id: number): void {
    this.#sweepable.delete(id)
  }

  /** Whether there is a record that a store with a timer of its own takes away at once. */
  get hasBrief(): boolean {
    return this.#brief.size > 0
  }

  /** The record of an identifier, unless it has expired. */
  find(id: number): ModelRecord | undefined {
    this.touched.add(id)
    const record = this.records.get(id)
    return record === undefined || record.expiresAt <= this.now ? undefined : record
  }

  /** The live record of an identifier. */
  live(id: number): ModelRecord | undefined {
    const record = this.find(id)
    return record?.successor === undefined ? record : undefined
  }

  write(id: number, record: ModelRecord): void {
    this.touched.add(id)
    this.#sweepable.delete(id)
    this.#brief.delete(id)
    this.#otherTimes.delete(id)
    if (record.expiresAt < this.now + BRIEF_MILLISECONDS) this.#brief.add(id)
    this.records.set(id, record)
  }

  /** Writes what a request took something from: the times are those of now, or those that it had read before. */
  writeOver(id: number, record: ModelRecord, read: Times): void {
    this.write(id, record)
    this.#otherTimes.set(id, { createdAt: read.createdAt, expiresAt: read.expiresAt })
  }

  /** Takes the other times for those of a record when the store has them. */
  settleTimes(id: number, stored: Times): void {
    const [record, other] = [this.records.get(id), this.#otherTimes.get(id)]
    this.#otherTimes.delete(id)
    if (record?.successor !== undefined || record === undefined || other === undefined) return
    if (other.createdAt === stored.createdAt && other.expiresAt === stored.expiresAt)
      this.records.set(id, { ...record, ...other })
  }

  end(id: number, successor: number | null): void {
    const before = this.records.get(id)
    const times = { createdAt: this.now, expiresAt: this.now + TOMBSTONE_MILLISECONDS }
    this.write(id, { entries: new Map(), ...times, successor })
    // A store that had taken it away before has ended nothing.
    if (before !== undefined && this.isAhead(before)) this.#sweepable.add(id)
  }

  #maySweep(id: number, record: ModelRecord): boolean {
    return this.#sweepable.has(id) || this.#brief.has(id) || this.isAhead(record)
  }

  #noteSweepable(): void {
    for (const [id, record] of this.records)
      if (record.expiresAt <= this.now || this.isAhead(record)) this.#sweepable.add(id)
  }

  newId(): number {
    return ++this.#lastId
  }

  newSecret(): number {
    return ++this.#lastSecret
  }

  newMessage(): number {
    return ++this.#lastMessage
  }

  /** Last identifier that was made. */
  get lastId(): number {
    return this.#lastId
  }
}

/** A store that does not know any more where a session went: the request is answered with 503. */
export class LostTrack extends Error {}

/** The session of one request. */
export class Visit {
  readonly #model: Model
  readonly #sent: number | null
  readonly #seen: ModelRecord | null
  readonly #at: number
  #mayHaveLostTrack = false
  #isEnded: boolean
  // What stands behind an identifier that is not live: it takes nothing more in, and can be taken away.
  readonly #behind: 'ended' | 'over' | null
  // From where it is followed: of an ended identifier, what it led to when the request came.
  readonly #start: { readonly id: number; readonly record: ModelRecord | null } | null
  readonly #set = new Map<string, unknown>()
  readonly #removed = new Set<string>()
  // What was removed, also when something was set in its place.
  readonly #cleared = new Set<string>()
  #rotates = false
  #restartsLifetime = false
  #destroys = false

  constructor(model: Model, sent: number | null) {
    const found = sent === null ? undefined : model.find(sent)
    const record = found === undefined || isOver(model, found) ? undefined : found
    this.#model = model
    this.#sent = sent
    this.#at = model.now
    this.#isEnded = record?.successor !== undefined
    this.#behind = this.#isEnded ? 'ended' : found !== record ? 'over' : null
    this.#seen = record === undefined || this.#isEnded ? null : record
    this.#start =
      sent === null ? null : this.#behind === 'ended' ? this.#reach(sent) : { id: sent, record: this.#seen }
  }

  /** Whether its session was moved to where a store may have taken it away: then the request may be a 503. */
  get mayHaveLostTrack(): boolean {
    return this.#mayHaveLostTrack
  }

  get(key: string): unknown {
    if (this.#set.has(key)) return this.#set.get(key)
    return this.#destroys || this.#removed.has(key) ? undefined : this.#seen?.entries.get(key)
  }

  /** Keys of the entries, in order. */
  keys(): string[] {
    const known = new Set([...(this.#seen?.entries.keys() ?? []), ...this.#set.keys()])
    return [...known].filter((key) => this.get(key) !== undefined).sort()
  }

  /** A number that no message has yet. */
  newMessage(): number {
    return this.#model.newMessage()
  }

  set(key: string, value: unknown): void {
    this.#removed.delete(key)
    this.#set.set(key, value)
  }

  remove(key: string): void {
    this.#set.delete(key)
    if (this.#seen === null && this.#behind === null) return
    this.#removed.add(key)
    this.#cleared.add(key)
  }

  rotate(): void {
    this.#rotates = true
  }

  /** Somebody signed in or out: the absolute lifetime begins anew. */
  rotateAnew(): void {
    this.rotate()
    this.#restartsLifetime = true
  }

  destroy(): void {
    this.#destroys = true
    this.#rotates = false
    this.#set.clear()
    this.#removed.clear()
    this.#cleared.clear()
  }

  /** A token for a form on the page. */
  token(): Token {
    const known = this.get('_csrf') as number | undefined
    if (known === undefined && this.#isEnded && this.#sent !== null) return { from: 'ended', id: this.#sent }
    const secret = known ?? this.#model.newSecret()
    if (known === undefined) this.set('_csrf', secret)
    return { from: 'secret', secret }
  }

  /** Whether a form may go on; a page that was made after its identifier had ended begins a new session. */
  accepts(token: Token | null): boolean {
    const secret = this.get('_csrf') as number | undefined
    if (token === null) return false
    if (secret !== undefined) return token.from === 'secret' && token.secret === secret
    if (!this.#isEnded || token.from !== 'ended' || token.id !== this.#sent) return false
    this.#isEnded = false
    return true
  }

  /** Applies the changes. Lifetimes are those of the moment at which the request came. */
  commit(): CookieChange {
    const begin = this.takeFromBehind() ? this.#model.now : this.#at
    if (this.#isEnded) return null
    if (this.#destroys) return this.#replace(begin)
    if (this.#seen === null || this.#sent === null) return this.#set.size === 0 ? null : this.#create(begin)
    if (this.#rotates) return this.#move(this.#sent, this.#seen)
    const lifetime = this.#goneOn(this.#seen)
    const isChanged = this.#set.size > 0 || this.#removed.size > 0
    if (!isChanged && lifetime.expiresAt === this.#seen.expiresAt) return null
    const record = this.#model.live(this.#sent)
    if (record === undefined) {
      this.#removeLater()
      return null
    }
    this.#model.write(this.#sent, { entries: this.#merge(record), ...lifetime })
    return null
  }

  /** The first half of it: what is taken from behind the identifier. Says whether that is a write of its own. */
  takeFromBehind(): boolean {
    if (this.#behind === null || this.#sent === null) return false
    if (this.#behind === 'ended') {
      const isDone = this.#destroys ? this.#endSuccessor() : this.#removeLater(this.#cleared)
      // It is also one when another request has ended meanwhile what there was to take it from.
      const wasThere = this.#start?.record !== undefined && this.#start.record !== null
      return isDone || (wasThere && (this.#destroys || this.#cleared.size > 0))
    }
    const ends = this.#destroys || this.#cleared.has('_auth')
    if (ends) this.#model.end(this.#sent, null)
    return ends
  }

  #endSuccessor(): boolean {
    const live = this.#successor()
    if (live !== null) this.#model.end(live, null)
    return live !== null
  }

  #replace(begin: number): CookieChange {
    if (this.#seen !== null && this.#sent !== null) this.#endSuccessor()
    // What follows a destruction begins after it.
    if (this.#set.size > 0) return this.#create(this.#seen === null ? begin : this.#model.now)
    return this.#seen === null ? null : 'expired'
  }

  #create(at: number): number {
    const id = this.#model.newId()
    this.#model.write(id, { entries: new Map(this.#set), ...lifetimeFrom(at) })
    return id
  }

  #move(from: number, seen: ModelRecord): CookieChange {
    const record = this.#model.live(from)
    if (record === undefined) {
      this.#removeLater()
      return null
    }
    const to = this.#model.newId()
    const lifetime = this.#restartsLifetime ? lifetimeFrom(this.#at) : this.#goneOn(seen)
    this.#model.write(to, { entries: this.#merge(record), ...lifetime })
    this.#model.end(from, to)
    return to
  }

  // What was set is dropped; what was taken away goes from the record that took the place. Says whether there was one.
  #removeLater(keys: ReadonlySet<string> = this.#removed): boolean {
    if (keys.size === 0) return false
    const live = this.#successor()
    const record = live === null ? undefined : this.#model.live(live)
    if (live === null || record === undefined) return false
    const entries = new Map([...record.entries].filter(([key]) => !keys.has(key)))
    // It was read when the request came, and another one may have rolled its expiry since.
    const seen = live === this.#start?.id ? this.#start.record : null
    this.#model.writeOver(live, { ...record, entries }, seen ?? record)
    return true
  }

  // The live record that took the place of the one it started from.
  #successor(): number | null {
    if (this.#start === null) return null
    const first = this.#model.find(this.#start.id)
    const isOld = this.#model.now - this.#at >= TOMBSTONE_MILLISECONDS
    const hasExpired = this.#start.record !== null && this.#start.record.expiresAt <= this.#model.now
    if (first === undefined && (isOld || !hasExpired)) throw new LostTrack()
    this.#mayHaveLostTrack = first !== undefined && this.#model.isAhead(first)
    return this.#reach(this.#start.id)?.id ?? null
  }

  // Where the tombstones lead to from an identifier.
  #reach(from: number): { id: number; record: ModelRecord } | null {
    let id: number | null = from
    while (id !== null) {
      const record: ModelRecord | undefined = this.#model.find(id)
      if (record === undefined) return null
      if (record.successor === undefined) return { id, record }
      id = record.successor
    }
    return null
  }

  #merge(record: ModelRecord): Map<string, unknown> {
    const kept = [...record.entries].filter(([key]) => !this.#removed.has(key))
    return new Map([...kept, ...this.#set])
  }

  #goneOn({ createdAt, expiresAt }: ModelRecord): { createdAt: number; expiresAt: number } {
    const fresh = Math.min(this.#at + POLICY.idleMilliseconds, createdAt + POLICY.absoluteMilliseconds)
    const isWorthRolling = Math.abs(fresh - expiresAt) >= ROLLING_MILLISECONDS
    return { createdAt: Math.min(createdAt, this.#at), expiresAt: isWorthRolling ? fresh : expiresAt }
  }
}

// The clock was set back behind its beginning, or forward behind its longest end.
function isOver(model: Model, record: ModelRecord): boolean {
  if (model.isAhead(record)) return true
  return record.successor === undefined && record.createdAt + POLICY.absoluteMilliseconds <= model.now
}

function lifetimeFrom(at: number): { createdAt: number; expiresAt: number } {
  return { createdAt: at, expiresAt: at + POLICY.idleMilliseconds }
}

function refill<K, V>(own: Map<K, V>, their: ReadonlyMap<K, V>): void {
  own.clear()
  for (const [key, value] of their) own.set(key, value)
}
