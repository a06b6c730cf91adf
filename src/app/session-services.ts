import { types } from 'node:util'
import { SessionAuthentication } from '../auth/internal.ts'
import type { Container } from '../container/internal.ts'
import type { Definitions } from '../container/index.ts'
import { Clock } from '../core/index.ts'
import { MemorySessionStore, SessionPolicy, SessionStore } from '../session/index.ts'
import {
  type SessionServices,
  BoundedSessionStore,
  noStore,
  UnnamedSessionStore,
} from '../session/internal.ts'

// Compared later: tracing tools and tests replace methods.
const MEMORY_METHODS = Object.entries(Object.getOwnPropertyDescriptors(MemorySessionStore.prototype))

/**
 * @param clock Clock for expiry.
 * @returns The store of an application that has registered none; in production one that refuses every use.
 */
export function defaultStore(clock: Clock): SessionStore {
  return process.env['NODE_ENV'] === 'production'
    ? new UnnamedSessionStore()
    : new MemorySessionStore({ clock })
}

/**
 * Refuses an application in production without a registered store if something shows that it uses sessions: a policy, the
 * session login, or a middleware that declares it. Other uses are refused in the first request.
 *
 * @param container Shared services.
 * @param definitions What the application has registered itself.
 * @param middlewares The known middlewares, classes or instances.
 * @throws {Error} If sessions are used and no store is registered.
 */
export function assertStoreNamed(
  container: Container,
  definitions: Definitions,
  middlewares: Iterable<object>,
): void {
  if (!(container.get(SessionStore) instanceof UnnamedSessionStore)) return
  if (definitions.values().has(SessionPolicy)) throw noStore('Cannot boot in production with SessionPolicy')
  assertNoLogin(container)
  for (const middleware of middlewares) {
    const type = typeof middleware === 'function' ? middleware : middleware.constructor
    if (usesSession(type)) throw noStore(`Cannot boot in production with ${type.name}`)
  }
}

/**
 * Does the same for a middleware of a route or a group, which is known when its table is compiled.
 *
 * @param container Shared services.
 * @param middleware The middleware.
 * @throws {Error} If it declares that it uses sessions and no store is registered.
 */
export function assertStoreFor(container: Container, middleware: object): void {
  if (usesSession(middleware) && container.get(SessionStore) instanceof UnnamedSessionStore)
    throw noStore('Cannot use sessions in production')
}

function usesSession(type: object): boolean {
  return 'usesSession' in type && type.usesSession === true
}

/**
 * Does the same for a session login that middlewares of bands and modules have injected.
 *
 * @param container Shared services.
 * @throws {Error} If there is one and no store is registered.
 */
export function assertNoLogin(container: Container): void {
  if (container.get(SessionStore) instanceof UnnamedSessionStore && container.has(SessionAuthentication))
    throw noStore('Cannot boot in production with SessionAuthentication')
}

/**
 * @param container Shared services.
 * @returns What the sessions of an application need. Every call of the store has a time limit.
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

// The store in memory answers at once. A subclass, a proxy or replaced methods may behave differently.
function isMemoryStore(store: SessionStore): boolean {
  const prototype: object = MemorySessionStore.prototype
  if (Object.getPrototypeOf(store) !== prototype || types.isProxy(store)) return false
  if (Reflect.ownKeys(store).length > 0) return false
  return MEMORY_METHODS.every(
    ([name, method]) => Object.getOwnPropertyDescriptor(prototype, name)?.value === method.value,
  )
}
