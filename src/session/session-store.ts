/** Entries of a session: JSON text by key. Any key is allowed, `__proto__` included, so it is never an object. */
export type SessionData = ReadonlyMap<string, string>

/** What one request changed. A key is in one of both. */
export interface SessionChanges {
  /** Entries to write, JSON text by key. */
  readonly set: SessionData
  /** Keys to remove. */
  readonly removed: ReadonlySet<string>
}

/** What `update()` applies. */
export interface SessionUpdate extends SessionChanges {
  /**
   * The entries that the record has to have still, these and no others, in the order in which `read()` gave them; else
   * nothing is written. Default: whatever it has.
   * The session sends it where a change depends on what it has read, as it does when it takes something back.
   */
  readonly expected?: SessionData
}

/** Until when a record lives. */
export interface Lifetime {
  /**
   * When the session began, or somebody last signed in or out, in Unix milliseconds; the absolute lifetime counts from
   * it, and `regenerateId()` leaves it alone. In a tombstone: when the identifier ended.
   */
  readonly createdAt: number
  /** When the record ends unless it is written again, in Unix milliseconds. */
  readonly expiresAt: number
}

/** What a store holds under an identifier. */
export interface SessionRecord extends Lifetime {
  /** The entries; empty in a tombstone. The caller does not change them. */
  readonly data: SessionData
  /** Whether this is a tombstone: the identifier was rotated or destroyed a moment ago. */
  readonly ended: boolean
  /** In a tombstone of a rotated identifier: digest of the one that took its place. Else null. */
  readonly successor: string | null
}

/** How long an identifier that was rotated or destroyed is remembered as ended, in milliseconds. */
export const TOMBSTONE_MILLISECONDS = 30_000

/** A record that is dated further in the future than this is over: a store may take it away. In milliseconds. */
export const MAX_SKEW_MILLISECONDS = 60_000

/**
 * Where sessions are kept. Every operation is atomic against every other one, also of other processes. Identifiers
 * are SHA-256 digests in base64url: a leaked store logs nobody in. Extend it, or implement it and register the
 * instance under it: `definitions.set(SessionStore, new MyStore())`.
 *
 * What has expired is decided by the store's clock, which may step back and forward: a store keeps working then, and goes
 * on clearing away. Whether a record dated in the future counts is decided by the session.
 */
export abstract class SessionStore {
  /**
   * @param id Digest of the identifier.
   * @returns The record, a tombstone of an ended one, or null when there is none or it has expired.
   */
  abstract read(id: string): Promise<SessionRecord | null>

  /**
   * @param id Digest of a new identifier.
   * @param data Its entries.
   * @param lifetime Until when it lives.
   */
  abstract create(id: string, data: SessionData, lifetime: Lifetime): Promise<void>

  /**
   * Applies changes to a live record; with none it only moves the expiry.
   *
   * @param id Digest of the identifier.
   * @param changes What to apply, and to what.
   * @param lifetime Until when it lives now.
   * @returns False when there is no live record, or it has other entries than expected: nothing is written then.
   */
  abstract update(id: string, changes: SessionUpdate, lifetime: Lifetime): Promise<boolean>

  /**
   * Moves a live record to a new identifier, applies changes to it, and leaves a tombstone.
   *
   * @param from Digest of the old identifier.
   * @param to Digest of the new one.
   * @param changes What to apply.
   * @param lifetime Until when it lives now.
   * @returns False when there is no live record: nothing is written then.
   */
  abstract rotate(from: string, to: string, changes: SessionChanges, lifetime: Lifetime): Promise<boolean>

  /**
   * Ends a record, also a malformed one, and leaves a tombstone; an unknown one is no error.
   *
   * @param id Digest of the identifier.
   */
  abstract destroy(id: string): Promise<void>
}
