import type { Container } from '../container/index.ts'
import { Clock } from '../core/index.ts'
import {
  BoundedSessionStore,
  MemorySessionStore,
  SessionPolicy,
  type SessionServices,
  SessionStore,
} from '../session/index.ts'

/**
 * @param container Shared services.
 * @returns What the sessions of an application need. Every call of the store has a time limit, whoever made it.
 */
export function sessionServices(container: Container): SessionServices {
  const store = container.get(SessionStore)
  const policy = container.get(SessionPolicy)
  const clock = container.get(Clock)
  // The one in memory answers at once; a class that extends it may do anything.
  const isInstant = store.constructor === MemorySessionStore
  return {
    store: isInstant ? store : new BoundedSessionStore(store, policy.storeTimeoutMilliseconds),
    policy,
    clock,
  }
}
