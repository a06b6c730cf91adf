import type { App } from 'sallyport'
import { RoutingException } from 'sallyport/routing'
import { StartupError } from '../settings/index.ts'

/**
 * Boots an application. Only its modules know with which paths `BASE_PATH` is in conflict.
 *
 * @param app The application.
 * @param basePath The path of the host below which its pages are; empty for none.
 * @throws {StartupError} If a page has a path like it.
 */
export async function bootBelow(app: App, basePath: string): Promise<void> {
  try {
    await app.boot()
  } catch (cause) {
    if (!(cause instanceof RoutingException) || cause.code !== 'base-path-conflict') throw cause
    throw new StartupError(
      `BASE_PATH must not begin like a page of the application, and ${JSON.stringify(basePath)} does: choose another path`,
      { cause },
    )
  }
}
