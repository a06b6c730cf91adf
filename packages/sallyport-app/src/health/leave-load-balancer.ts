import { setTimeout as pause } from 'node:timers/promises'
import type { App } from 'sallyport'
import { Readiness } from './readiness.ts'

const MAX_DRAIN_SECONDS = 300

/** Somewhat more than a process may go on after it was asked to stop, which is five minutes. */
export const MAX_DRAIN_MILLISECONDS: number = (MAX_DRAIN_SECONDS + 1) * 1000

/**
 * Makes the beginning of the end of a process: `/readyz` says so at once, and the server goes on for as long as a load balancer needs to
 * notice.
 *
 * @param app The application.
 * @param settings `drainSeconds`: how long that is.
 * @returns What runs when the process begins to stop, for `app.onClosing()`.
 */
export function leaveLoadBalancer(
  app: App,
  settings: { readonly drainSeconds: number },
): () => Promise<void> {
  return async () => {
    app.get(Readiness).stop()
    await pause(settings.drainSeconds * 1000)
  }
}
