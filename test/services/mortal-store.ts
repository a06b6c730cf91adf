/**
 * What a process does to a session that is signed in, or about to be, and a client that ends in the middle of it.
 *
 * @module
 */
import type { RedisCommands } from '../../src/session/redis-connection.ts'
import type { Lifetime, SessionChanges } from '../../src/session/index.ts'
import type { RedisSessionStore } from '../../src/session/redis.ts'

/** Changes of no entry. */
export const noChanges: SessionChanges = { set: new Map<string, string>(), removed: new Set<string>() }

const HOUR = 3_600_000

/** A client that can also look behind the store. */
export interface Client extends RedisCommands {
  pTTL(key: string): Promise<number>
  zRange(key: string, min: number, max: number): Promise<string[]>
  zAdd(key: string, member: { score: number; value: string }): Promise<unknown>
  del(key: string): Promise<unknown>
}

/** From now on. */
export function lifetime(milliseconds: number = HOUR): Lifetime {
  const now = Date.now()
  return { createdAt: now, expiresAt: now + milliseconds }
}

/** A client that counts what it sends, and stops sending after some commands, as a process that is killed does. */
export function mortal(
  client: Client,
  lives: number,
): { client: Client; sent: () => number; stopped: Promise<void> } {
  let sent = 0
  const stopped = Promise.withResolvers<void>()
  const proxy = new Proxy(client, {
    get(inner, name) {
      const member: unknown = Reflect.get(inner, name, inner)
      if (typeof member !== 'function') return member
      return (...args: unknown[]): unknown => {
        if (sent >= lives) {
          stopped.resolve()
          return new Promise(() => undefined)
        }
        sent++
        return Reflect.apply(member, inner, args)
      }
    },
  })
  return { client: proxy, sent: () => sent, stopped: stopped.promise }
}

/** The session of a process. */
export interface Life {
  readonly own: RedisSessionStore
  readonly owner: string
  readonly id: string
  readonly next: string
}

/** What a process does when it is killed, to a session that is signed in before, or not. */
export interface Deed {
  readonly isSignedIn: boolean
  run(life: Life): Promise<unknown>
}

/** All of them, by name. */
export const deeds: Readonly<Record<string, Deed>> = {
  login: {
    isSignedIn: false,
    run: ({ own, owner, id, next }) => own.rotate(id, next, { ...noChanges, owner }, lifetime()),
  },
  'login without a session': {
    isSignedIn: false,
    run: ({ own, owner, next }) => own.create(next, new Map(), { ...lifetime(), owner }),
  },
  rotation: {
    isSignedIn: true,
    run: ({ own, id, next }) => own.rotate(id, next, noChanges, lifetime()),
  },
  'rotation after a read': {
    isSignedIn: true,
    run: async ({ own, id, next }) => {
      await own.read(id)
      await own.rotate(id, next, noChanges, lifetime())
    },
  },
  logout: {
    isSignedIn: true,
    run: ({ own, id, next }) => own.rotate(id, next, { ...noChanges, owner: null }, lifetime()),
  },
}
