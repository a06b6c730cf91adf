import assert from 'node:assert/strict'
import type { Clock } from '../../core/index.ts'
import { type CookieChange, RequestSession } from '../../session/internal.ts'
import { SessionPolicy, type SessionStore } from '../../session/index.ts'

/** What a race needs: a store and its clock. */
export interface RaceRun extends AsyncDisposable {
  /** The store under test. */
  readonly store: SessionStore
  /** Its clock. */
  readonly clock: Clock
}

/** What a request does with its session between reading and committing. */
export type Work = (session: RequestSession) => Promise<void>

/** Lifetimes and sizes of the sessions. */
export const policy: SessionPolicy = new SessionPolicy()

/** Every key that the tests write, except `start`. */
const KNOWN_KEYS: readonly string[] = [
  'first',
  'second',
  'early',
  'late',
  'key',
  'small',
  'large',
  'w0',
  'w1',
  'w2',
].concat(Array.from({ length: 50 }, (_, i) => [`old${i}`, `new${i}`]).flat())

/**
 * @param key Key of an entry.
 * @returns Work that writes it.
 */
export function write(key: string): Work {
  return (session) => session.set(key, 1)
}

/**
 * Gives the session a new identifier.
 *
 * @param session Session of a request.
 * @returns A promise that resolves when it is recorded.
 */
export function rotate(session: RequestSession): Promise<void> {
  return session.regenerateId()
}

/**
 * Destroys the session.
 *
 * @param session Session of a request.
 * @returns A promise that resolves when it is recorded.
 */
export function destroy(session: RequestSession): Promise<void> {
  return session.destroy()
}

/**
 * @param run Store and clock.
 * @param cookie The browser's cookie; undefined for none.
 * @returns The session of a new request.
 */
export function visit({ store, clock }: RaceRun, cookie: string | undefined): RequestSession {
  return new RequestSession({ store, clock, policy }, cookie)
}

/**
 * @param run Store and clock.
 * @param cookie The browser's cookie; undefined for none.
 * @param work What the request does.
 * @returns The session of a request that has read it and recorded changes, but not committed them.
 */
export async function request(run: RaceRun, cookie: string | undefined, work: Work): Promise<RequestSession> {
  const session = visit(run, cookie)
  await session.has('start')
  await work(session)
  return session
}

/**
 * Ends a request in the same way as an application.
 *
 * @param session Its session.
 * @returns What the response does with the cookie.
 */
export async function end(session: RequestSession): Promise<CookieChange> {
  return session.seal() ? session.commit() : null
}

/**
 * @param run Store and clock.
 * @returns Cookie of a new session with the entry `start`.
 */
export async function open(run: RaceRun): Promise<string> {
  const cookie = await end(await request(run, undefined, write('start')))
  assert.ok(cookie !== null && cookie !== '')
  return cookie
}

/**
 * @param run Store and clock.
 * @param cookie The browser's cookie.
 * @returns Sorted keys of its session; empty when it has no session.
 */
export async function keys(run: RaceRun, cookie: string): Promise<string[]> {
  const session = visit(run, cookie)
  const found: string[] = []
  for (const key of ['start', ...KNOWN_KEYS]) if (await session.has(key)) found.push(key)
  return found.sort()
}
