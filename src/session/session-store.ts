/** Entries of a session: JSON by key. Any key is allowed, `__proto__` included, so it is never an object. */
export type SessionData = ReadonlyMap<string, string>

/** Changes of one request. A key is in one of the two members. */
export interface SessionChanges {
  /** Entries to write, JSON by key. */
  readonly set: SessionData
  /** Keys to remove. */
  readonly removed: ReadonlySet<string>
  /**
   * The owner from now on; null: none. Default: the owner of the record stays. A store without `sessionsOf()` may ignore
   * it.
   */
  readonly owner?: string | null
}

/** Argument of `update()`. */
export interface SessionUpdate extends SessionChanges {
  /**
   * The exact entries that the record must still have, in the order in which `read()` returned them; otherwise nothing is
   * written. Sessions send it when a change depends on what they have read, such as reverting one. Default: any entries.
   */
  readonly expected?: SessionData
}

/** Lifetime of a record. */
export interface Lifetime {
  /**
   * When the session was created or last went through `login()` or `logout()`, in Unix milliseconds. The absolute lifetime
   * counts from it; `regenerateId()` keeps it. In a tombstone: when the identifier ended.
   */
  readonly createdAt: number
  /** When the record expires unless it is written again, in Unix milliseconds. */
  readonly expiresAt: number
}

/** Argument of `create()`. */
export interface SessionStart extends Lifetime {
  /** The owner; null: none. A store without `sessionsOf()` may ignore it. Default: none. */
  readonly owner?: string | null
}

/** The record that a store holds for an identifier. */
export interface SessionRecord extends Lifetime {
  /** The entries; empty in a tombstone. Callers must not change them. */
  readonly data: SessionData
  /** Whether this is a tombstone: the identifier was rotated or destroyed recently. */
  readonly ended: boolean
  /** In the tombstone of a rotated identifier: digest of its successor. Otherwise null. */
  readonly successor: string | null
  /**
   * Whose session it is: a digest of the signed-in account, never its identifier. Null or missing in a tombstone, for an
   * anonymous visitor, and in a record that was written before the store knew owners.
   */
  readonly owner?: string | null
}

/** A session of an owner. */
export interface OwnedSession {
  /** The digest by which `read()` and `destroy()` know it. */
  readonly id: string
  /** Its live record; null when it is malformed. */
  readonly record: SessionRecord | null
}

/** How long a store remembers a rotated or destroyed identifier as ended, in milliseconds. */
export const TOMBSTONE_MILLISECONDS = 30_000

/** A record dated further in the future has expired, and a store may delete it. In milliseconds. */
export const MAX_SKEW_MILLISECONDS = 60_000

/**
 * Storage of sessions. Every operation is atomic with respect to all others, including those of other processes.
 * Identifiers are SHA-256 digests in base64url, so a leaked store lets nobody sign in. Extend this class, or implement it
 * and register the instance: `definitions.set(SessionStore, new MyStore())`.
 *
 * The store's clock decides what has expired. The clock may step back and forward; the store must keep working and keep
 * deleting expired records. The session decides whether a record dated in the future counts.
 */
export abstract class SessionStore {
  /**
   * @param id Digest of the identifier.
   * @returns The record, the tombstone of an ended one, or null when there is none or it has expired.
   */
  abstract read(id: string): Promise<SessionRecord | null>

  /**
   * @param id Digest of a new identifier.
   * @param data Its entries.
   * @param start Its lifetime and its owner.
   */
  abstract create(id: string, data: SessionData, start: SessionStart): Promise<void>

  /**
   * Applies changes to a live record; without changes it only moves the expiry.
   *
   * @param id Digest of the identifier.
   * @param changes The changes, and optionally the entries that they expect.
   * @param lifetime Its new lifetime.
   * @returns False when there is no live record, or its entries differ from the expected ones: nothing is written then.
   */
  abstract update(id: string, changes: SessionUpdate, lifetime: Lifetime): Promise<boolean>

  /**
   * Moves a live record to a new identifier, applies changes to it, and leaves a tombstone.
   *
   * @param from Digest of the old identifier.
   * @param to Digest of the new one.
   * @param changes The changes.
   * @param lifetime Its new lifetime.
   * @returns False when there is no live record: nothing is written then.
   */
  abstract rotate(from: string, to: string, changes: SessionChanges, lifetime: Lifetime): Promise<boolean>

  /**
   * Ends a record, also a malformed one, and leaves a tombstone; an unknown identifier is not an error.
   *
   * @param id Digest of the identifier.
   */
  abstract destroy(id: string): Promise<void>

  /**
   * Lists the live sessions of an owner. The method is optional: without it everything works except `AccountSessions`. A
   * store that has it writes the owner together with the session, in the same atomic operation or before it, keeps it in
   * `update()` and moves it with `rotate()`.
   *
   * A session that is live during the whole call must be in the result. One that is rotated meanwhile may appear under its
   * old identifier, its new one, or both.
   *
   * @param owner The owner.
   * @returns Its sessions, in any order, without tombstones and expired ones.
   */
  sessionsOf?(owner: string): Promise<readonly OwnedSession[]>
}
