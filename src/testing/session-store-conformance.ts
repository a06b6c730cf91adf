import type { SessionStore } from '../session/index.ts'
import { FrozenClock } from './frozen-clock.ts'
import { testClocks } from './session-store/clocks.ts'
import { testDestruction, testExpiry, testRotation } from './session-store/ends.ts'
import { testInterleavings } from './session-store/interleavings.ts'
import { testMalformedRecords } from './session-store/malformed.ts'
import { testOwners } from './session-store/owners.ts'
import { testParallelWrites } from './session-store/parallel-writes.ts'
import { testSessionRaces } from './session-store/races.ts'
import { testRecords, testTexts } from './session-store/records.ts'
import { type ConformanceRun, idAfter, newId } from './session-store/run.ts'

/** Opens a store that uses the given clock. It need not be empty: every test uses identifiers of its own. */
export type OpenSessionStore<S extends SessionStore> = (clock: FrozenClock) => S | Promise<S>

/** Optional helpers for tests that need access behind the store. */
export interface SessionStoreSubject<S extends SessionStore> {
  /**
   * Replaces the stored record of an identifier, without the store, by a value that is not a session. The suite then checks
   * that the store reports it. Default: not checked.
   */
  readonly spoil?: (store: S, id: string) => void | Promise<void>
}

const LIFETIME_MILLISECONDS = 3_600_000

/**
 * Declares the tests that every session store must pass, with `node:test`: records, ends, rotations, times, keys, sizes,
 * parallel writes, races of whole requests, and the sessions of an owner if the store
 * implements `sessionsOf()`.
 *
 * @example
 * ```ts
 * import { describe } from 'node:test'
 * import { SqliteSessionStore } from 'sallyport/session/sqlite'
 * import { proveSessionStore } from 'sallyport/testing'
 *
 * describe('SqliteSessionStore', () => {
 *   proveSessionStore(
 *     (clock) => new SqliteSessionStore({ path: ':memory:', clock }),
 *     (store) => store.close(),
 *   )
 * })
 * ```
 *
 * The clock starts at 2026-01-01 and moves only when a test moves it, also backwards and by years. A store whose server deletes
 * expired records must pass the server a duration instead of a point in time, and decide by the clock what has expired.
 *
 * @param open Opens the store, once for each test.
 * @param close Closes it. Default: nothing to close.
 * @param subject Helpers for tests that need access behind the store. Default: none; these tests are left out.
 */
export function proveSessionStore<S extends SessionStore>(
  open: OpenSessionStore<S>,
  close: (store: S) => unknown = () => undefined,
  { spoil }: SessionStoreSubject<S> = {},
): void {
  const start = async (): Promise<ConformanceRun & { store: S }> => {
    const clock = new FrozenClock()
    const store = await open(clock)
    const now = clock.milliseconds()
    const id = newId()
    const dispose = async (): Promise<void> => {
      await close(store)
    }
    return {
      store,
      clock,
      lifetime: { createdAt: now, expiresAt: now + LIFETIME_MILLISECONDS },
      id,
      to: idAfter(id),
      [Symbol.asyncDispose]: dispose,
    }
  }
  testRecords(start)
  testTexts(start)
  testExpiry(start)
  testRotation(start)
  testDestruction(start)
  testParallelWrites(start)
  testOwners(start)
  testSessionRaces(start)
  testInterleavings(start)
  if (spoil !== undefined) testMalformedRecords(start, spoil)
  // Last, because sweeps of a clock that was ahead may continue for a moment.
  testClocks(start)
}
