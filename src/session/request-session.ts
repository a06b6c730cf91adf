import { hash } from 'node:crypto'
import { type Clock, type Json, randomIdentifier, tell } from '../core/index.ts'
import { ServiceUnavailableException } from '../http/index.ts'
import type { EndedIdentifier } from './ended-identifier.ts'
import { textOf, valueOf } from './json-text.ts'
import { assertSize } from './session-size.ts'
import { DEFAULT_COOKIE_NAME, type SessionPolicy } from './session-policy.ts'
import {
  type Lifetime,
  type SessionChanges,
  type SessionRecord,
  type SessionStore,
  TOMBSTONE_MILLISECONDS,
} from './session-store.ts'
import type { Session } from './session.ts'

// The cookie: 256 random bits in base64url. The store sees their SHA-256 only.
const IDENTIFIER = /^[A-Za-z0-9_-]{43}$/
const NO_ENTRIES: ReadonlyMap<string, string> = new Map()
const NO_KEYS: ReadonlySet<string> = new Set()
// So many requests that rotate one session at once are no race any more.
const MOST_HOPS = 32

/** What a session needs of its application. */
export interface SessionServices {
  /** Where sessions are kept. */
  readonly store: SessionStore
  /** Lifetimes and cookie. */
  readonly policy: SessionPolicy
  /** Time for lifetimes. */
  readonly clock: Clock
}

/** What the response has to do to the session cookie: set it to an identifier, expire it (''), or nothing (null). */
export type CookieChange = string | null

/**
 * How the identifier of the request stands: `none` (no cookie, or one that the store does not know), `live`, or
 * `ended` (rotated or destroyed by another request a moment ago: anonymous, and the browser's cookie is left alone).
 */
type State = 'unread' | 'none' | 'live' | 'ended'

/** The session of one request: reads on first use, records changes, applies them once. */
export class RequestSession implements Session, EndedIdentifier {
  readonly #services: SessionServices
  readonly #sent: string
  readonly #id: string
  #state: State
  #reading: Promise<void> | null = null
  #readAt = 0
  #record: SessionRecord | null = null
  #set: Map<string, string> | null = null
  #removed: Set<string> | null = null
  #next: string | null = null
  #destroyed = false
  #isRenewed = false
  #committed = false
  #isKept = true
  #hearers: ((isKept: boolean) => void)[] | null = null

  /**
   * @param services Store, policy and clock.
   * @param sent Value of the session cookie; undefined when none was sent.
   */
  constructor(services: SessionServices, sent: string | undefined) {
    this.#services = services
    const plausible = sent !== undefined && IDENTIFIER.test(sent)
    this.#sent = plausible ? sent : ''
    this.#id = plausible ? this.#digest(sent) : ''
    this.#state = plausible ? 'unread' : 'none'
  }

  get<T = unknown>(key: string): Promise<T | undefined> {
    return this.#whenRead(() => this.#value(key) as T | undefined)
  }

  /**
   * @param key Key of an entry.
   * @returns As `get()`, and without a promise where the session is read already.
   * @internal
   */
  entry(key: string): unknown {
    return this.#state === 'unread' ? this.get(key) : this.#value(key)
  }

  has(key: string): Promise<boolean> {
    return this.#whenRead(() => this.#text(key) !== undefined)
  }

  set(key: string, value: Json): Promise<void> {
    let text: string | undefined
    try {
      text = textOf(key, value)
    } catch (error) {
      return Promise.reject(error)
    }
    return this.#whenRead(() => this.#put(key, text))
  }

  async remove(key: string): Promise<void> {
    if (this.#state === 'unread') await this.#read()
    this.#assertOpen()
    this.#set?.delete(key)
    if (this.#record === null) return
    // Recorded also for a key that was not there when it was read: another request may have set it since.
    this.#removed ??= new Set()
    this.#removed.add(key)
  }

  async regenerateId(): Promise<void> {
    if (this.#state === 'unread') await this.#read()
    this.#assertOpen()
    this.#next = randomIdentifier()
  }

  /** Counts the absolute lifetime of a rotated session from now on. @internal */
  renew(): void {
    this.#isRenewed = true
  }

  async destroy(): Promise<void> {
    if (this.#state === 'unread') await this.#read()
    this.#assertOpen()
    this.#destroyed = true
    this.#set = null
    this.#removed = null
    this.#next = null
  }

  async endedSecret(): Promise<Buffer | null> {
    if (this.#state === 'unread') await this.#read()
    if (this.#state === 'live' || this.#sent === '') return null
    // The store holds the digest of the identifier alone, so it cannot be made from a leaked store.
    return hash('sha256', `sallyport ended ${this.#sent}`, 'buffer')
  }

  reopen(): void {
    if (this.#state === 'ended') this.#state = 'none'
  }

  get isEnded(): boolean {
    return this.#state === 'ended'
  }

  /** Whether the response depends on the session: the request looked for one, or makes one. */
  get isUsed(): boolean {
    return this.#reading !== null || this.#set !== null || this.#destroyed
  }

  /**
   * Ends the recording of changes, when the response is made.
   *
   * @returns Whether `commit()` has something to do.
   */
  seal(): boolean {
    // Nobody awaited it: what is recorded when it ends is still part of the request, so commit() waits for it first.
    if (this.#reading !== null && this.#state === 'unread') return true
    this.#committed = true
    if (this.#state === 'ended') return false
    const record = this.#record
    return this.#isChanged() || (record !== null && this.#rolledExpiry(record) !== record.expiresAt)
  }

  /**
   * Applies the changes, once, when the response is made.
   *
   * @returns What to do to the cookie.
   * @throws {ServiceUnavailableException} If the store fails.
   * @throws {RangeError} If the entries are larger than the policy allows; nothing is written then.
   */
  async commit(): Promise<CookieChange> {
    // Nobody awaited it, or it failed.
    if (this.#reading !== null && this.#state === 'unread') await this.#reading
    this.#committed = true
    // A request that came with an ended identifier leaves no trace: its cookie would replace the browser's new one.
    if (this.#state === 'ended') return null
    this.#assertSize()
    let change: CookieChange
    try {
      change = await this.#apply()
    } catch (cause) {
      tell('store-failed', { operation: 'commit', cause })
      throw new ServiceUnavailableException('Sessions cannot be written at the moment', { cause })
    }
    for (const hear of this.#hearers ?? []) hear(this.#isKept)
    return change
  }

  /**
   * @param hear Hears that the store has confirmed the changes, and whether what was set is kept: another request may
   * have ended the session first. It hears nothing when the store fails or the request leaves no trace.
   * @internal
   */
  whenConfirmed(hear: (isKept: boolean) => void): void {
    this.#hearers ??= []
    this.#hearers.push(hear)
  }

  #apply(): CookieChange | Promise<CookieChange> {
    if (this.#destroyed) return this.#replace()
    if (this.#record === null) return this.#createWhenSet()
    return this.#next === null ? this.#update(this.#record) : this.#rotate(this.#record, this.#next)
  }

  async #replace(): Promise<CookieChange> {
    if (this.#record === null) return this.#createWhenSet()
    await this.#destroyAll()
    return (await this.#createWhenSet()) ?? ''
  }

  async #createWhenSet(): Promise<CookieChange> {
    if (this.#set === null || this.#set.size === 0) return null
    const identifier = this.#next ?? randomIdentifier()
    await this.#services.store.create(this.#digest(identifier), this.#set, this.#newLifetime())
    return identifier
  }

  async #rotate(record: SessionRecord, identifier: string): Promise<CookieChange> {
    const to = this.#digest(identifier)
    const lifetime = this.#isRenewed ? this.#newLifetime() : this.#goneOn(record)
    const moved = await this.#services.store.rotate(this.#id, to, this.#changes(), lifetime)
    if (!moved) {
      this.#isKept = false
      await this.#removeFromSuccessor()
      return null
    }
    tell('rotated', null)
    return identifier
  }

  #update(record: SessionRecord): null | Promise<null> {
    const lifetime = this.#goneOn(record)
    if (lifetime.expiresAt === record.expiresAt && !this.#isChanged()) return null
    // False means that the record is gone: the changes are dropped, for a write must not revive a session.
    return this.#services.store.update(this.#id, this.#changes(), lifetime).then((isLive) => {
      if (isLive) return null
      this.#isKept = false
      return this.#removeFromSuccessor()
    })
  }

  // Another request rotated the session at the same time. What this one set is dropped, but what it took away must be
  // gone: a logout that loses the race against a rotation would else leave an identity that was told to be ended.
  async #removeFromSuccessor(): Promise<null> {
    if (this.#removed === null) return null
    const changes = { set: NO_ENTRIES, removed: this.#removed }
    await this.#follow((id, { createdAt, expiresAt }) =>
      this.#services.store.update(id, changes, { createdAt, expiresAt }),
    )
    return null
  }

  async #destroyAll(): Promise<void> {
    const { store } = this.#services
    await store.destroy(this.#id)
    await this.#follow((id) => store.destroy(id).then(() => true))
  }

  // Goes along the tombstones to the live record, when there is one, until the work on it is done.
  async #follow(work: (id: string, record: SessionRecord) => Promise<boolean>): Promise<void> {
    let id = this.#id
    for (let hops = 0; hops < MOST_HOPS; hops++) {
      const record = await this.#services.store.read(id)
      if (record === null && hops === 0) this.#assertExpired()
      if (record === null) return
      if (!record.ended && (await work(id, record))) return
      id = record.successor ?? id
      if (record.ended && record.successor === null) return
    }
    throw new Error(`Cannot follow the session: it was rotated ${MOST_HOPS} times meanwhile`)
  }

  // A request that is older than a tombstone cannot tell whether its session has expired or was moved. It must not
  // confirm an end that it could not bring about.
  #assertExpired(): void {
    const age = this.#services.clock.milliseconds() - this.#readAt
    if (age >= TOMBSTONE_MILLISECONDS)
      throw new Error(
        'Cannot follow the session: the request has taken longer than an ended one is remembered',
      )
  }

  #isChanged(): boolean {
    return (
      (this.#set !== null && this.#set.size > 0) ||
      this.#removed !== null ||
      this.#next !== null ||
      this.#destroyed
    )
  }

  // The new expiry of a live session when it is worth a write, else the one it has.
  #rolledExpiry({ createdAt, expiresAt }: SessionRecord): number {
    const { clock, policy } = this.#services
    const fresh = policy.expiryAt(createdAt, clock.milliseconds())
    return policy.isWorthRolling(expiresAt, fresh) ? fresh : expiresAt
  }

  #changes(): SessionChanges {
    return { set: this.#set ?? NO_ENTRIES, removed: this.#removed ?? NO_KEYS }
  }

  #goneOn(record: SessionRecord): Lifetime {
    return { createdAt: record.createdAt, expiresAt: this.#rolledExpiry(record) }
  }

  #newLifetime(): Lifetime {
    const now = this.#services.clock.milliseconds()
    return { createdAt: now, expiresAt: this.#services.policy.expiryAt(now, now) }
  }

  #assertSize(): void {
    if (this.#set === null) return
    const before = this.#destroyed ? NO_ENTRIES : (this.#record?.data ?? NO_ENTRIES)
    assertSize(before, this.#changes(), this.#services.policy.maxBytes)
  }

  // Nearly always the session is read already: then nothing is waited for, and an async function would cost more than
  // the work.
  #whenRead<T>(work: () => T): Promise<T> {
    if (this.#state === 'unread') return this.#read().then(work)
    try {
      return Promise.resolve(work())
    } catch (error) {
      return Promise.reject(error)
    }
  }

  #put(key: string, text: string): void {
    this.#assertOpen()
    this.#removed?.delete(key)
    this.#set ??= new Map()
    this.#set.set(key, text)
  }

  #value(key: string): unknown {
    const text = this.#text(key)
    return text === undefined ? undefined : valueOf(text)
  }

  #text(key: string): string | undefined {
    const own = this.#set?.get(key)
    if (own !== undefined) return own
    if (this.#destroyed || this.#removed?.has(key) === true) return undefined
    return this.#record?.data.get(key)
  }

  // Asked after the read, in the same tick as the change: what was begun before the commit is in it, the rest is refused.
  #assertOpen(): void {
    if (this.#committed) throw new Error('Cannot change the session: the response has been made')
  }

  // Areas that share a store are told apart by the name of their cookie: renaming a cookie makes no session of another.
  #digest(identifier: string): string {
    const { cookieName } = this.#services.policy
    const area = cookieName === DEFAULT_COOKIE_NAME ? '' : `${cookieName}=`
    return hash('sha256', area + identifier, 'base64url')
  }

  #read(): Promise<void> {
    this.#reading ??= this.#load()
    return this.#reading
  }

  async #load(): Promise<void> {
    const { store, clock } = this.#services
    this.#readAt = clock.milliseconds()
    let record: SessionRecord | null
    try {
      record = await store.read(this.#id)
    } catch (cause) {
      tell('store-failed', { operation: 'read', cause })
      throw new ServiceUnavailableException('Sessions cannot be read at the moment', { cause })
    }
    if (record === null || record.expiresAt <= clock.milliseconds()) {
      this.#state = 'none'
    } else if (record.ended) {
      this.#state = 'ended'
    } else {
      this.#state = 'live'
      this.#record = record
    }
  }
}
