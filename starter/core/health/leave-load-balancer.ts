import { setTimeout as pause } from 'node:timers/promises'
import type { App } from 'sallyport'
import { Readiness } from './readiness.ts'

/** The most seconds that a process may go on after it was asked to stop, and somewhat more in milliseconds. */
export const MAX_DRAIN_SECONDS = 300
export const MAX_DRAIN_MILLISECONDS: number = (MAX_DRAIN_SECONDS + 1) * 1000

/**
 * @returns What runs when the process begins to stop: `/readyz` says so at once, and the server goes on for as long as a load balancer
 *   needs to notice.
 */
export function leaveLoadBalancer(
  app: App,
  { drainSeconds }: { readonly drainSeconds: number },
): () => Promise<void> {
  return async () => {
    app.get(Readiness).stop()
    await pause(drainSeconds * 1000)
  }
}
