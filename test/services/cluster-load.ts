/**
 * Users of a cluster: each writes to a session of its own, one operation after another, and knows what was confirmed.
 *
 * @module
 */
import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import { type SessionStore, SessionStoreException } from '../../src/session/index.ts'
import { idAfter, newId } from '../../src/testing/session-store/run.ts'

const REFUSED_PAUSE_MILLISECONDS = 20

/** One session, and what was confirmed of it. */
interface User {
  id: string
  /** The value that was confirmed last. */
  value: number
  /** A value that was refused last: it may have been written. */
  refused: number | null
  /** Whether nothing of it was confirmed since: a login may be at another identifier. */
  maybeAt: string | null
}

/** What the load has seen. */
export interface Seen {
  confirmed: number
  refused: number
  slowestMilliseconds: number
  readonly errors: Set<string>
}

/** Users that write until they are told to stop. */
export class ClusterLoad {
  readonly seen: Seen = { confirmed: 0, refused: 0, slowestMilliseconds: 0, errors: new Set() }
  readonly #store: SessionStore
  readonly #users: User[] = []
  #isStopped = false
  #running: Promise<unknown> = Promise.resolve()

  private constructor(store: SessionStore) {
    this.#store = store
  }

  /** Creates the sessions. */
  static async create(store: SessionStore, users: number): Promise<ClusterLoad> {
    const load = new ClusterLoad(store)
    for (let i = 0; i < users; i++) {
      const user = { id: newId(), value: 0, refused: null, maybeAt: null }
      await store.create(user.id, new Map([['n', '0']]), lifetime())
      load.#users.push(user)
    }
    return load
  }

  /** Identifiers of the sessions at the moment. */
  get ids(): readonly string[] {
    return this.#users.map(({ id }) => id)
  }

  /** Lets some users write at once, each with a share of the sessions. */
  begin(parallel = 16): void {
    const writers = Array.from({ length: parallel }, async (_, writer) => {
      const mine = this.#users.filter((_user, index) => index % parallel === writer)
      for (let turn = 0; !this.#isStopped; turn++) {
        for (const user of mine) {
          if (this.#isStopped) return
          if (!(await this.#step(user, turn))) await pause(REFUSED_PAUSE_MILLISECONDS)
        }
      }
    })
    this.#running = Promise.all(writers)
  }

  /** Stops, and waits for what is on its way. */
  async end(): Promise<Seen> {
    this.#isStopped = true
    await this.#running
    return this.seen
  }

  /** Checks that each session has what was confirmed, or what may have been written although it was refused. */
  async assertConfirmed(isMine: (id: string) => boolean = () => true): Promise<void> {
    const lost: string[] = []
    for (const user of this.#users) {
      if (!isMine(user.id)) continue
      const [here, there] = [await this.#valueAt(user.id), await this.#valueAt(user.maybeAt)]
      const values = [here, there].filter((value) => value !== null)
      const known = [user.value, user.refused]
      const [value] = values
      if (values.length !== 1 || !known.includes(value ?? null))
        lost.push(`${values.join()} of ${known.join()}`)
    }
    assert.deepEqual(lost, [], 'sessions that lost what was confirmed')
  }

  async #valueAt(id: string | null): Promise<number | null> {
    const record = id === null ? null : await this.#store.read(id)
    return record === null || record.ended ? null : Number(record.data.get('n'))
  }

  async #step(user: User, turn: number): Promise<boolean> {
    if (user.maybeAt !== null && !(await this.#settle(user))) return false
    const value = Math.max(user.value, user.refused ?? 0) + 1
    const changes = { set: new Map([['n', String(value)]]), removed: new Set<string>() }
    const isRotation = turn % 3 === 2
    const next = isRotation ? idAfter(user.id) : user.id
    user.refused = value
    user.maybeAt = isRotation ? next : null
    const isDone = await this.#attempt(async () => {
      const isWritten = isRotation
        ? await this.#store.rotate(user.id, next, changes, lifetime())
        : await this.#store.update(user.id, changes, lifetime())
      assert.equal(isWritten, true, 'a live session was not found')
    })
    if (!isDone) return false
    Object.assign(user, { id: next, value, refused: null, maybeAt: null })
    return true
  }

  // A browser whose login was refused goes on with whichever cookie works.
  async #settle(user: User): Promise<boolean> {
    return this.#attempt(async () => {
      const value = await this.#valueAt(user.maybeAt)
      if (value !== null) Object.assign(user, { id: user.maybeAt, value, refused: null })
      user.maybeAt = null
    })
  }

  async #attempt(work: () => Promise<void>): Promise<boolean> {
    const started = performance.now()
    try {
      await work()
      this.seen.confirmed++
      return true
    } catch (error) {
      if (error instanceof assert.AssertionError) throw error
      this.seen.refused++
      this.seen.errors.add(error instanceof SessionStoreException ? error.code : String(error))
      return false
    } finally {
      this.seen.slowestMilliseconds = Math.max(this.seen.slowestMilliseconds, performance.now() - started)
    }
  }
}

function lifetime(): { createdAt: number; expiresAt: number } {
  const now = Date.now()
  return { createdAt: now, expiresAt: now + 3_600_000 }
}
