import { inject } from '../container/index.ts'
import { Clock, type Json } from '../core/index.ts'
import { assertClock, publish, readClock } from '../core/internal.ts'
import { ServiceUnavailableException } from '../http/index.ts'
import {
  type OwnedSession,
  type Session,
  SessionPolicy,
  SessionStore,
  SessionStoreException,
} from '../session/index.ts'
import {
  accountEntryOf,
  accountOf,
  assertSession,
  BoundedSessionStore,
  isOver,
  isRequestSession,
  noStore,
  ownerOf,
  UnnamedSessionStore,
} from '../session/internal.ts'

// That many rotations of one session during one call are not a race.
const MAX_ROUNDS = 32
// So that an account with thousands of sessions does not hold up the operations of others.
const ENDED_AT_ONCE = 100

/** A session of an account, for a page that lists them. Nobody can sign in with what it holds. */
export interface AccountSession {
  /** Names the session for `end()`. It stays the same as long as the account is signed in. */
  readonly handle: string
  /** When the account was signed in. */
  readonly startedAt: Date
  /**
   * When the session was last used: to within a minute, or a tenth of the idle time if that is shorter. It stands still at
   * the end of the absolute lifetime, from the idle time before that end on.
   */
  readonly lastUsedAt: Date
  /** What `login()` was given as `details`. */
  readonly details: { readonly [key: string]: Json }
  /**
   * @param session Session of the request.
   * @returns Whether it is this one.
   * @throws {TypeError} If the argument is not a session.
   * @throws {ServiceUnavailableException} If the session store fails.
   */
  isCurrent(session: Session): Promise<boolean>
}

/** A session of the account; its record is null when it is malformed. */
interface Found {
  readonly id: string
  readonly handle: string
  readonly record: OwnedSession['record']
}

/**
 * Lists and ends the sessions of an account, on every store that implements `sessionsOf()`. What `login()` begins is in the
 * list with the same write, and what is ended stays ended: no request that is under way brings it back.
 *
 * A login of the same account that is under way at the same time is not ended, because it is no session yet. After a change
 * of the password, let the application compare a version of the credentials as well.
 *
 * @see Clauses ACCT-01 to ACCT-05.
 */
export class AccountSessions {
  readonly #store: BoundedSessionStore
  readonly #policy: SessionPolicy
  readonly #clock: Clock

  /**
   * @param store Where sessions are kept. Default: the one of the application.
   * @param policy Lifetimes and cookie. Default: that of the application.
   * @param clock Time for lifetimes. Default: that of the application.
   * @throws {Error} If the application runs in production and has registered no store.
   * @throws {TypeError} If the clock is invalid.
   */
  constructor(
    store: SessionStore = inject(SessionStore),
    policy: SessionPolicy = inject(SessionPolicy),
    clock: Clock = inject(Clock),
  ) {
    if (store instanceof UnnamedSessionStore) throw noStore('Cannot use AccountSessions in production')
    assertClock(clock)
    this.#store = new BoundedSessionStore(store, policy.storeTimeoutMilliseconds)
    this.#policy = policy
    this.#clock = clock
  }

  /**
   * Lists the live sessions of an account, the one that was used last first. A session that was signed in before the
   * framework knew owners appears with its next write, at most a minute after its next use.
   *
   * @param identifier The account reference that `login()` was given.
   * @returns Its sessions.
   * @throws {TypeError} If the identifier is empty.
   * @throws {SessionStoreException} If the store does not implement `sessionsOf()`; the code is
   * `ERR_SESSION_STORE_UNSUPPORTED`.
   * @throws {ServiceUnavailableException} If the session store fails.
   */
  async list(identifier: string): Promise<readonly AccountSession[]> {
    assertIdentifier(identifier, 'list')
    const found = await this.#asking('list', () => this.#find(identifier))
    const now = readClock(this.#clock)
    // By handle: a session that was rotated meanwhile may have been found under both identifiers.
    const sessions = new Map<string, AccountSession>()
    for (const { record, ...session } of found)
      if (record !== null && !isOver(record, this.#policy, now))
        sessions.set(session.handle, this.#described(identifier, { ...session, record }, now))
    return [...sessions.values()].sort((a, b) => b.lastUsedAt.getTime() - a.lastUsedAt.getTime())
  }

  /**
   * Ends one session of an account. When the call has returned, no request of that session is signed in any more, and none
   * that is under way brings it back. Check first that the one who asks may: the account is usually that of the request.
   *
   * @param identifier The account reference that `login()` was given.
   * @param handle Handle of the session, as `list()` gave it.
   * @returns Whether there was such a session.
   * @throws {TypeError} If the identifier is empty.
   * @throws {SessionStoreException} If the store does not implement `sessionsOf()`.
   * @throws {ServiceUnavailableException} If the session store fails.
   */
  async end(identifier: string, handle: string): Promise<boolean> {
    assertIdentifier(identifier, 'end')
    return (await this.#end(identifier, (session) => session.handle === handle)) > 0
  }

  /**
   * Ends all sessions of an account except the one that asks. That one stays, also when this request or another one rotates
   * it at the same time.
   *
   * @param session Session of the request; the account must be signed in on it.
   * @param identifier The account reference that `login()` was given.
   * @returns How many were ended.
   * @throws {TypeError} If the identifier is empty, or the account is not signed in on the session; nothing is ended then.
   * @throws {SessionStoreException} If the store does not implement `sessionsOf()`.
   * @throws {ServiceUnavailableException} If the session store fails.
   */
  async endOthers(session: Session, identifier: string): Promise<number> {
    assertIdentifier(identifier, 'end')
    const kept = await handleOf(session, identifier)
    if (kept === null)
      throw new TypeError(
        'Cannot end the other sessions of an account that is not signed in on the given session',
      )
    return this.#end(identifier, ({ handle }) => handle !== kept)
  }

  /**
   * Ends all sessions of an account, that of the request included if it is one of them. To keep that one, use
   * `endOthers()`.
   *
   * @param identifier The account reference that `login()` was given.
   * @returns How many were ended.
   * @throws {TypeError} If the identifier is empty.
   * @throws {SessionStoreException} If the store does not implement `sessionsOf()`.
   * @throws {ServiceUnavailableException} If the session store fails.
   */
  async endAll(identifier: string): Promise<number> {
    assertIdentifier(identifier, 'end')
    return this.#end(identifier, () => true)
  }

  // A session has one handle through all rotations, and only a live record hands it on. So when none of the handles is listed
  // any more, the sessions have ended for good. One that was rotated meanwhile is found again by its handle.
  async #end(identifier: string, isMeant: (session: Found) => boolean): Promise<number> {
    const count = await this.#asking('end', async () => {
      let left = (await this.#find(identifier)).filter(isMeant)
      const handles = new Set(left.map(({ handle }) => handle))
      for (let round = 0; left.length > 0; round++) {
        if (round === MAX_ROUNDS)
          throw new Error(`Cannot end the sessions: they were rotated ${MAX_ROUNDS} times in the meantime`)
        for (let start = 0; start < left.length; start += ENDED_AT_ONCE)
          await Promise.all(left.slice(start, start + ENDED_AT_ONCE).map(({ id }) => this.#store.destroy(id)))
        left = (await this.#find(identifier)).filter(({ handle }) => handles.has(handle))
      }
      return handles.size
    })
    for (let left = count; left > 0; left--) publish('logout', { identifier })
    if (count > 0) publish('sessions-ended', { identifier, count })
    return count
  }

  // Also what has expired by the clock and the policy of this process: by those of another it may be live.
  async #find(identifier: string): Promise<Found[]> {
    const owned = await this.#store.sessionsOf(ownerOf(identifier, this.#policy))
    return owned.flatMap(({ id, record }): Found[] => {
      // A malformed record signs nobody in here, but another version of the application may understand it.
      if (record === null) return [{ id, record, handle: accountEntryOf(id, new Map()).handle }]
      if (record.ended || accountOf(record.data) !== identifier) return []
      return [{ id, record, handle: accountEntryOf(id, record.data).handle }]
    })
  }

  async #asking<T>(operation: 'list' | 'end', work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (cause) {
      if (cause instanceof SessionStoreException && cause.code === 'ERR_SESSION_STORE_UNSUPPORTED')
        throw cause
      publish('store-failed', { operation, cause })
      throw new ServiceUnavailableException(`Sessions cannot be ${operation}ed at the moment`, { cause })
    }
  }

  #described(
    identifier: string,
    { id, handle, record }: Found & { readonly record: NonNullable<Found['record']> },
    now: number,
  ): AccountSession {
    const { createdAt, expiresAt } = record
    const startedAt = Math.min(createdAt, now)
    const lastUsedAt = Math.min(Math.max(expiresAt - this.#policy.idleMilliseconds, startedAt), now)
    return {
      handle,
      startedAt: new Date(startedAt),
      lastUsedAt: new Date(lastUsedAt),
      details: accountEntryOf(id, record.data).details,
      isCurrent: async (session) => (await handleOf(session, identifier)) === handle,
    }
  }
}

// A session that the application implements is in no store of the framework.
function handleOf(session: Session, identifier: string): Promise<string | null> {
  if (isRequestSession(session)) return session.accountHandle(identifier)
  assertSession(session, 'compare sessions')
  return Promise.resolve(null)
}

function assertIdentifier(identifier: unknown, verb: 'list' | 'end'): void {
  if (typeof identifier === 'string' && identifier !== '') return
  throw new TypeError(
    `Cannot ${verb} the sessions of an account without its identifier: it must be a non-empty string`,
  )
}
