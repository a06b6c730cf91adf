import assert from 'node:assert/strict'
import { randomIdentifier } from '../../core/internal.ts'
import type { Lifetime, SessionChanges, SessionRecord, SessionStore } from '../../session/index.ts'
import type { FrozenClock } from '../frozen-clock.ts'

/** One test of the conformance suite: an open store with its clock and identifiers. */
export interface ConformanceRun extends AsyncDisposable {
  /** The store under test. */
  readonly store: SessionStore
  /** Its clock. */
  readonly clock: FrozenClock
  /** An hour from now. */
  readonly lifetime: Lifetime
  /** An identifier that no other test has. */
  readonly id: string
  /** Another one of its group, to rotate to. */
  readonly to: string
}

/** Opens the store for one test. */
export type StartRun = () => Promise<ConformanceRun>

/**
 * @param group The two characters of a session that goes on. Default: those of a new session.
 * @returns An identifier as sessions give it to a store: its group, and 43 more characters.
 */
export function newId(group: string = randomIdentifier().slice(0, 2)): string {
  return group + randomIdentifier()
}

/**
 * @param id An identifier.
 * @returns Another one that a rotation may move it to.
 */
export function idAfter(id: string): string {
  return newId(id.slice(0, 2))
}

/**
 * @param entries JSON by key.
 * @returns Entries of a record.
 */
export function texts(entries: Readonly<Record<string, string>>): Map<string, string> {
  return new Map(Object.entries(entries))
}

/**
 * @param changes Entries to write, JSON by key.
 * @returns Changes that remove nothing.
 */
export function set(changes: Readonly<Record<string, string>>): SessionChanges {
  return { set: texts(changes), removed: new Set() }
}

/**
 * @param record A record returned by the store.
 * @param expected Its entries, in any order.
 * @throws {AssertionError} If the entries differ, or the record is not live.
 */
export function assertEntries(
  record: SessionRecord | null,
  expected: Iterable<readonly [string, string]>,
): void {
  assert.equal(record?.ended, false)
  assert.deepEqual(new Map(record.data), new Map(expected))
}

/**
 * @param store The store.
 * @param id An identifier that has ended.
 * @param successor Its successor, or null for a destroyed identifier. Default: either.
 * @throws {AssertionError} If there is no such tombstone.
 */
export async function assertTombstone(
  store: SessionStore,
  id: string,
  successor?: string | null,
): Promise<void> {
  const record = await store.read(id)
  assert.equal(record?.ended, true)
  assert.equal(record.data.size, 0)
  if (successor !== undefined) assert.equal(record.successor, successor)
}
