import { randomIdentifier } from '../core/internal.ts'
import type { SessionStore } from '../session/index.ts'
import { FrozenClock } from './frozen-clock.ts'
import { testClocks } from './session-store/clocks.ts'
import { testDestruction, testExpiry, testRotation } from './session-store/ends.ts'
import { testInterleavings } from './session-store/interleavings.ts'
import { testMalformedRecords } from './session-store/malformed.ts'
import { testParallelWrites } from './session-store/parallel-writes.ts'
import { testSessionRaces } from './session-store/races.ts'
import { testRecords, testTexts } from './session-store/records.ts'
import type { ConformanceRun } from './session-store/run.ts'

/** Opens a store that follows a clock. It need not be empty: every test uses identifiers of its own. */
export type OpenSessionStore<S extends SessionStore> = (clock: FrozenClock) => S | Promise<S>

/** What the suite can only prove with help. */
export interface SessionStoreSubject<S extends SessionStore> {
  /**
   * Replaces what is stored under an identifier, behind the store's back, by something that is no session: the suite then
   * proves that the store says so. Default: not proven.
   */
  readonly spoil?: (store: S, id: string) => void | Promise<void>
}

const LIFETIME_MILLISECONDS = 3_600_000

/**
 * Declares the tests that every session store has to pass, under `node:test`: records, ends, rotations, times, keys,
 * sizes, parallel writes, and the races of whole requests.
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
 * The clock stands on 2026-01-01 until a test moves it, also backwards and by years. A store that leaves expired records to its
 * server gives it a duration and not a point in time, and decides itself, by the clock, what has expired.
 *
 * @param open Opens the store, once for each test.
 * @param close Gives back what it holds open. Default: nothing.
 * @param subject What the suite can only prove with help. Default: none, and that is not proven.
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
    const dispose = async (): Promise<void> => {
      await close(store)
    }
    return {
      store,
      clock,
      lifetime: { createdAt: now, expiresAt: now + LIFETIME_MILLISECONDS },
      id: randomIdentifier(),
      to: randomIdentifier(),
      [Symbol.asyncDispose]: dispose,
    }
  }
  testRecords(start)
  testTexts(start)
  testExpiry(start)
  testRotation(start)
  testDestruction(start)
  testParallelWrites(start)
  testSessionRaces(start)
  testInterleavings(start)
  if (spoil !== undefined) testMalformedRecords(start, spoil)
  // Last: sweeps of a clock that was ahead may go on for a moment.
  testClocks(start)
}
