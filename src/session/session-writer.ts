import type { Clock } from '../core/index.ts'
import { publish, randomIdentifier, readClock, sentence } from '../core/internal.ts'
import { withAccount } from './account-entry.ts'
import { IDENTITY_KEY } from './identity-key.ts'
import { inGroupOf, storedIdOf } from './session-identifier.ts'
import type { SessionPolicy } from './session-policy.ts'
import {
  type Lifetime,
  type SessionChanges,
  type SessionData,
  type SessionRecord,
  type SessionStore,
  TOMBSTONE_MILLISECONDS,
} from './session-store.ts'

const NO_ENTRIES: ReadonlyMap<string, string> = new Map()
// That many rotations during one request are not a race.
const MAX_HOPS = 32

/** What sessions need from their application. */
export interface SessionServices {
  /** Where sessions are kept. */
  readonly store: SessionStore
  /** Lifetimes and cookie. */
  readonly policy: SessionPolicy
  /** Time for lifetimes. */
  readonly clock: Clock
}

/** What the response does to the session cookie: sets it to an identifier, expires it (''), or leaves it alone (null). */
export type CookieChange = string | null

/** What a request did to its session. */
export interface SessionWork {
  /** How the store knows the identifier that was sent; empty when none was. */
  readonly id: string
  /** The live record of that identifier; null when there is none. */
  readonly record: SessionRecord | null
  /**
   * Stored state of an identifier that is not live: `ended` (rotated or destroyed recently; its successor may be live) or
   * `unusable` (malformed, or expired by the clock).
   */
  readonly behind: 'nothing' | 'ended' | 'unusable'
  /** When it was read, in Unix milliseconds. */
  readonly readAt: number
  /** What was set and removed. */
  readonly changes: SessionChanges
  /** Keys that are removed only as long as they hold what was read. */
  readonly keepingNewer: ReadonlySet<string>
  /** Values that were set and are dropped because the browser has another cookie by now; null: none. */
  readonly dropped: ReadonlyMap<string, string> | null
  /** The new identifier; null when the session is not rotated. */
  readonly next: string | null
  /** Whether it is destroyed before anything is set. */
  readonly isDestroyed: boolean
  /** Whether the absolute lifetime of a rotated session restarts. */
  readonly restartsLifetime: boolean
}

/** Writes the changes of one request to its session, and can revert them. */
export class SessionWriter {
  readonly #services: SessionServices
  readonly #work: SessionWork
  // Digest of the record that holds the values that were set; null when no record does.
  #written: string | null = null
  #change: CookieChange = null
  #survived = true

  /**
   * @param services Store, policy and clock.
   * @param work What the request did.
   */
  constructor(services: SessionServices, work: SessionWork) {
    this.#services = services
    this.#work = work
  }

  /** Whether the values that were set survived; false when another request ended the session first. */
  get survived(): boolean {
    return this.#survived
  }

  /**
   * @returns What to do with the cookie, after the store has confirmed.
   * @throws {Error} If the store fails.
   */
  write(): Promise<CookieChange> {
    const { next } = this.#work
    const record = this.#continued
    if (record === null) return this.#begin()
    return next === null ? this.#update(record) : this.#rotate(record, next)
  }

  /** The record that the changes apply to; null when there is none, or the request destroys it. */
  get #continued(): SessionRecord | null {
    return this.#work.isDestroyed ? null : this.#work.record
  }

  async #begin(): Promise<CookieChange> {
    const { behind, isDestroyed } = this.#work
    if (behind !== 'nothing') await this.#takeFromBehind()
    this.#change = await (isDestroyed ? this.#replace() : this.#createWhenSet())
    return this.#change
  }

  /**
   * Removes the values that were set from the store again, after `write()`, because the response became an error.
   * Removals, a rotation and a destruction stay. A value that replaced another is restored, unless another request has
   * written or removed it since.
   *
   * It fails closed: a session from which the values cannot be removed is destroyed, and its cookie expired.
   *
   * @returns What to do with the cookie now.
   */
  async takeBack(): Promise<CookieChange> {
    const written = this.#written
    const record = this.#continued
    if (written === null || this.#work.changes.set.size === 0) return this.#change
    this.#written = null
    try {
      if (record !== null) await this.#undo(written, record)
      else await this.#services.store.destroy(written)
      return record !== null ? this.#change : this.#changeWithoutFresh()
    } catch (cause) {
      publish('store-failed', { operation: 'commit', cause })
      // A new identifier that was never sent to the browser is as good as destroyed.
      if (record === null) return this.#changeWithoutFresh()
      await this.#destroyIfPossible(written)
      return ''
    }
  }

  // The cookie of an earlier session that was destroyed must still expire.
  #changeWithoutFresh(): CookieChange {
    return this.#work.record === null ? null : ''
  }

  async #destroyIfPossible(id: string): Promise<void> {
    try {
      await this.#services.store.destroy(id)
    } catch (cause) {
      publish('store-failed', { operation: 'commit', cause })
    }
  }

  async #undo(written: string, before: SessionRecord): Promise<void> {
    const { set } = this.#work.changes
    await this.#follow(written, (id, record) => {
      const restored = new Map<string, string>()
      const removed = new Set<string>()
      for (const [key, text] of set) {
        if (record.data.get(key) !== text) continue
        const earlier = this.#work.changes.removed.has(key) ? undefined : before.data.get(key)
        if (earlier === undefined) removed.add(key)
        else restored.set(key, earlier)
      }
      if (restored.size === 0 && removed.size === 0) return Promise.resolve(true)
      // The request must not extend the lifetime either.
      const createdAt = Math.min(record.createdAt, before.createdAt)
      const longest = createdAt + this.#services.policy.absoluteMilliseconds
      const lifetime = { createdAt, expiresAt: Math.min(record.expiresAt, longest) }
      const changes = this.#withAccount({ set: restored, removed }, id, record)
      // If the record has changed since, `expected` no longer matches and the next attempt reads the new state.
      return this.#services.store.update(id, { ...changes, expected: record.data }, lifetime)
    })
  }

  // A logout is never lost: neither to an earlier rotation, nor to a clock or a version of the application that cannot use
  // the record at the moment.
  async #takeFromBehind(): Promise<void> {
    const { id, behind, isDestroyed, changes, dropped, keepingNewer } = this.#work
    const { removed } = changes
    const isSameAsDropped = (key: string, data: SessionData): boolean =>
      dropped?.has(key) === true && dropped.get(key) === data.get(key)
    if (behind === 'ended') {
      if (isDestroyed) await this.#destroySuccessors()
      // Values that this request meant to replace are removed as well, unless they equal the dropped ones.
      // Nothing was read, so whatever is there is newer.
      else if (removed.size > 0)
        await this.#removeFollowing((data) =>
          [...removed].filter((key) => !isSameAsDropped(key, data) && !keepingNewer.has(key)),
        )
    } else if (isDestroyed || removed.has(IDENTITY_KEY)) await this.#services.store.destroy(id)
  }

  async #replace(): Promise<CookieChange> {
    if (this.#work.record === null) return this.#createWhenSet()
    await this.#destroyAll()
    return (await this.#createWhenSet()) ?? ''
  }

  async #createWhenSet(): Promise<CookieChange> {
    if (this.#work.changes.set.size === 0) return null
    const identifier = this.#work.next ?? randomIdentifier()
    const id = storedIdOf(identifier, this.#services.policy)
    const { set, owner = null } = this.#withAccount(this.#work.changes, id, { data: NO_ENTRIES })
    await this.#services.store.create(id, set, { ...this.#newLifetime(), owner })
    this.#written = id
    return identifier
  }

  async #rotate(record: SessionRecord, next: string): Promise<CookieChange> {
    const identifier = inGroupOf(next, this.#work.id)
    const to = storedIdOf(identifier, this.#services.policy)
    const lifetime = this.#work.restartsLifetime ? this.#newLifetime() : this.#goneOn(record)
    const moved = await this.#services.store.rotate(this.#work.id, to, this.#applied(record), lifetime)
    if (!moved) {
      await this.#removeFromSuccessor(record.data)
      return null
    }
    this.#written = to
    publish('rotated', null)
    this.#change = identifier
    return identifier
  }

  async #update(record: SessionRecord): Promise<null> {
    const { set, removed } = this.#work.changes
    const lifetime = this.#goneOn(record)
    if (lifetime.expiresAt === record.expiresAt && set.size === 0 && removed.size === 0) return null
    const changes = this.#applied(record)
    // False: the record is gone. The changes are dropped, because a write must not revive a session.
    const isLive = await this.#services.store.update(this.#work.id, changes, lifetime)
    if (isLive) this.#written = this.#work.id
    else await this.#removeFromSuccessor(record.data)
    return null
  }

  // Another request rotated the session at the same time. The values of this request are dropped, but its removals must
  // take effect: otherwise a logout that loses the race against a rotation would leave an identity that was reported ended.
  async #removeFromSuccessor(before: SessionData): Promise<void> {
    this.#survived = false
    const { keepingNewer, changes } = this.#work
    const { set, removed } = changes
    const replaced = [...removed].filter(
      (key) => (set.has(key) || keepingNewer.has(key)) && before.has(key) && before.get(key) !== set.get(key),
    )
    const ended = [...removed].filter((key) => !set.has(key) && !keepingNewer.has(key))
    if (ended.length + replaced.length === 0) return
    await this.#removeFollowing((data) => {
      // What was to be replaced is removed while unchanged. Of two concurrent logins the other one wins.
      const left = replaced.filter((key) => data.get(key) === before.get(key))
      return [...ended, ...left]
    })
  }

  async #removeFollowing(keysIn: (data: ReadonlyMap<string, string>) => readonly string[]): Promise<void> {
    await this.#follow(this.#work.id, (id, record) => {
      const { data, createdAt, expiresAt } = record
      const removed = new Set(keysIn(data))
      if (removed.size === 0) return Promise.resolve(true)
      const changes = this.#withAccount({ set: NO_ENTRIES, removed }, id, record)
      return this.#services.store.update(id, { ...changes, expected: data }, { createdAt, expiresAt })
    })
  }

  async #destroyAll(): Promise<void> {
    await this.#services.store.destroy(this.#work.id)
    await this.#destroySuccessors()
  }

  async #destroySuccessors(): Promise<void> {
    const { store } = this.#services
    // `destroy()` does nothing to a record that was rotated since it was read; the next read shows whether it worked.
    await this.#follow(this.#work.id, (id) => store.destroy(id).then(() => false))
  }

  // Follows the tombstones to the live record, if any, until the work on it succeeds.
  async #follow(first: string, work: (id: string, record: SessionRecord) => Promise<boolean>): Promise<void> {
    let id = first
    let before = this.#work.record
    for (let hops = 0; hops < MAX_HOPS; hops++) {
      const record = await this.#services.store.read(id)
      if (record === null && (hops === 0 || before?.ended === false)) this.#assertExpired(before)
      if (record === null) return
      if (!record.ended && (await work(id, record))) return
      id = record.successor ?? id
      before = record
      if (record.ended && record.successor === null) return
    }
    throw new Error(sentence`Cannot follow the session: it was rotated ${MAX_HOPS} times in the meantime`)
  }

  // When the request is older than a tombstone, or the clock was set back, the session may have expired or moved. The request
  // must not confirm an end that it could not bring about.
  #assertExpired(record: SessionRecord | null): void {
    const now = readClock(this.#services.clock)
    const hasExpired = record !== null && record.expiresAt <= now
    if (!hasExpired || now - this.#work.readAt >= TOMBSTONE_MILLISECONDS)
      throw new Error(
        sentence`Cannot follow the session: the request took longer than the store remembers an ended session`,
      )
  }

  // For a store, a key is either set or removed; a key that was removed first and set afterwards is set.
  #applied(record: SessionRecord): SessionChanges {
    const { set, removed, owner } = this.#withAccount(this.#work.changes, this.#work.id, record)
    const disjoint = removed.size === 0 ? removed : removed.difference(set)
    return owner === undefined ? { set, removed: disjoint } : { set, removed: disjoint, owner }
  }

  #withAccount(
    changes: SessionChanges,
    id: string,
    record: Pick<SessionRecord, 'data' | 'owner'>,
  ): SessionChanges {
    return withAccount(changes, { id, record, policy: this.#services.policy })
  }

  #goneOn(record: SessionRecord): Lifetime {
    const now = readClock(this.#services.clock)
    return {
      createdAt: Math.min(record.createdAt, now),
      expiresAt: rolledExpiry(record, this.#services.policy, now),
    }
  }

  #newLifetime(): Lifetime {
    const now = readClock(this.#services.clock)
    return { createdAt: now, expiresAt: this.#services.policy.expiryAt(now, now) }
  }
}

/**
 * @param record A live record.
 * @param policy Lifetimes.
 * @param now Current time in Unix milliseconds.
 * @returns Its new expiry when that is worth a write, otherwise its current one.
 */
export function rolledExpiry(
  { createdAt, expiresAt }: SessionRecord,
  policy: SessionPolicy,
  now: number,
): number {
  const fresh = policy.expiryAt(createdAt, now)
  return policy.isWorthRolling(expiresAt, fresh) ? fresh : expiresAt
}
