import { sentence } from '../core/internal.ts'
import type { Container } from '../container/internal.ts'
import type { Definitions } from '../container/index.ts'
import { type RequestSessions, type SessionParts, sessionParts } from '../context/internal.ts'
import { Clock } from '../core/index.ts'
import { SessionStore } from '../session/index.ts'
import { noStore, UnnamedSessionStore } from '../session/internal.ts'

/**
 * Loads what sessions are made of, unless the application cannot have any: in production they need a registered store.
 *
 * @param definitions What the application has registered.
 * @returns It; null where each use of a session is refused.
 */
export async function loadSessions(definitions: Definitions): Promise<SessionParts | null> {
  const hasStore = definitions.values().has(SessionStore)
  return hasStore || process.env['NODE_ENV'] !== 'production' ? await sessionParts() : null
}

/**
 * Adds the store and the policy of an application that has not registered them itself.
 *
 * @param values Services by class.
 * @param parts What sessions are made of; null where there are none.
 * @param basePath Path of the application.
 */
export function addSessionDefaults(
  values: Map<unknown, unknown>,
  parts: SessionParts | null,
  basePath: string,
): void {
  if (parts === null) {
    values.set(SessionStore, new UnnamedSessionStore())
    return
  }
  const { MemorySessionStore, SessionPolicy } = parts
  const policy = values.get(SessionPolicy) as InstanceType<typeof SessionPolicy> | undefined
  if (basePath !== '') values.set(SessionPolicy, (policy ?? new SessionPolicy()).below(basePath))
  const clock = values.get(Clock) as Clock
  if (!values.has(SessionStore)) values.set(SessionStore, new MemorySessionStore({ clock }))
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
  if (!lacksStore(container)) return
  assertUnused(definitions.values().keys())
  assertNoLogin(container)
  assertUnused(middlewares)
}

/**
 * Does the same for a middleware of a route or a group, which is known when its table is compiled.
 *
 * @param container Shared services.
 * @param middleware The middleware.
 * @throws {Error} If it declares that it uses sessions and no store is registered.
 */
export function assertStoreFor(container: Container, middleware: object): void {
  if (usesSession(middleware) && lacksStore(container))
    throw noStore(sentence`Cannot use sessions in production`)
}

/**
 * Does the same for a session login that middlewares of bands and modules have injected.
 *
 * @param container Shared services.
 * @throws {Error} If there is one and no store is registered.
 */
export function assertNoLogin(container: Container): void {
  if (lacksStore(container)) assertUnused(container.tokens())
}

/**
 * @param container Shared services.
 * @param parts What sessions are made of; null where there are none.
 * @returns How requests get their sessions. Every call of the store has a time limit.
 */
export function requestSessions(container: Container, parts: SessionParts | null): RequestSessions | null {
  if (parts === null) return null
  const store = container.get(SessionStore)
  const policy = container.get(parts.SessionPolicy)
  const clock = container.get(Clock)
  // The store in memory answers at once.
  const bounded = parts.isMemorySessionStore(store)
    ? store
    : new parts.BoundedSessionStore(store, policy.storeTimeoutMilliseconds)
  return { parts, services: { store: bounded, policy, clock } }
}

function lacksStore(container: Container): boolean {
  return container.get(SessionStore) instanceof UnnamedSessionStore
}

// Classes say it themselves: an application without sessions does not load them.
function assertUnused(given: Iterable<unknown>): void {
  for (const each of given) {
    const type: unknown = typeof each === 'object' && each !== null ? each.constructor : each
    if (typeof type === 'function' && usesSession(type))
      throw noStore(sentence`Cannot boot in production with ${type.name}`)
  }
}

function usesSession(type: object): boolean {
  return 'usesSession' in type && type.usesSession === true
}
