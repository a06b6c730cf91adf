import { types } from 'node:util'
import { SessionAuthentication } from '../auth/internal.ts'
import type { Container } from '../container/internal.ts'
import { Clock } from '../core/index.ts'
import { MemorySessionStore, SessionPolicy, SessionStore } from '../session/index.ts'
import {
  type SessionServices,
  BoundedSessionStore,
  noStore,
  UnnamedSessionStore,
} from '../session/internal.ts'

// Tracing and tests replace methods.
const MEMORY_METHODS = Object.entries(Object.getOwnPropertyDescriptors(MemorySessionStore.prototype))

/**
 * @param clock Time for expiry.
 * @returns The store of an application that names none: in production one that refuses to be used.
 */
export function defaultStore(clock: Clock): SessionStore {
  return process.env['NODE_ENV'] === 'production'
    ? new UnnamedSessionStore()
    : new MemorySessionStore({ clock })
}

/**
 * Refuses an application in production that names no store, when something tells that it uses sessions: a policy, the
 * session login, a middleware that says so. What cannot be known before a request is refused with its first use.
 *
 * @param container Shared services.
 * @param middlewares Middlewares that are known, classes or instances.
 * @throws {Error} If sessions are used and no store is named.
 */
export function assertStoreNamed(container: Container, middlewares: Iterable<object>): void {
  if (!(container.get(SessionStore) instanceof UnnamedSessionStore)) return
  if (container.has(SessionPolicy)) throw noStore('Cannot boot in production with SessionPolicy')
  assertNoLogin(container)
  for (const middleware of middlewares) {
    const type = typeof middleware === 'function' ? middleware : middleware.constructor
    if (usesSession(type)) throw noStore(`Cannot boot in production with ${type.name}`)
  }
}

/**
 * Refuses the same of a middleware of a route or a group, which is known when its table compiles.
 *
 * @param container Shared services.
 * @param middleware The middleware.
 * @throws {Error} If it says that it uses sessions and no store is named.
 */
export function assertStoreFor(container: Container, middleware: object): void {
  if (usesSession(middleware) && container.get(SessionStore) instanceof UnnamedSessionStore)
    throw noStore('Cannot use sessions in production')
}

function usesSession(type: object): boolean {
  return 'usesSession' in type && type.usesSession === true
}

/**
 * Refuses the same of a session login that the middlewares of bands and modules have asked for while they were built.
 *
 * @param container Shared services.
 * @throws {Error} If there is one and no store is named.
 */
export function assertNoLogin(container: Container): void {
  if (container.get(SessionStore) instanceof UnnamedSessionStore && container.has(SessionAuthentication))
    throw noStore('Cannot boot in production with SessionAuthentication')
}

/**
 * @param container Shared services.
 * @returns What the sessions of an application need. Every call of the store has a time limit, whoever made it.
 */
export function sessionServices(container: Container): SessionServices {
  const store = container.get(SessionStore)
  const policy = container.get(SessionPolicy)
  const clock = container.get(Clock)
  const isInstant = isMemoryStore(store) || store instanceof UnnamedSessionStore
  return {
    store: isInstant ? store : new BoundedSessionStore(store, policy.storeTimeoutMilliseconds),
    policy,
    clock,
  }
}

// The one in memory answers at once. A class that extends it, a proxy of it and one with replaced methods may do anything.
function isMemoryStore(store: SessionStore): boolean {
  const prototype: object = MemorySessionStore.prototype
  if (Object.getPrototypeOf(store) !== prototype || types.isProxy(store)) return false
  if (Reflect.ownKeys(store).length > 0) return false
  return MEMORY_METHODS.every(
    ([name, method]) => Object.getOwnPropertyDescriptor(prototype, name)?.value === method.value,
  )
}
