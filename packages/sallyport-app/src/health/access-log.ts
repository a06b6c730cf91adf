import { getLogger } from '@logtape/logtape'
import type { App } from 'sallyport'
import { HEALTH_PATHS } from './modules.ts'

const log = getLogger(['app', 'access'])

/**
 * Logs each response once: who asked for what, and how it went. The path is the pattern of its route, because paths have tokens of links in
 * them; queries are never logged. Questions about the health of the process are not logged.
 *
 * @param app The application, before it boots.
 */
export function logRequests(app: App): void {
  app.onResponse(({ context, status, milliseconds, bytes, isComplete, pattern }) => {
    if (pattern !== null && isAboutHealth(pattern.slice(app.basePath.length))) return
    log.info('{method} {route} {status}', {
      request: context.id(),
      method: context.method(),
      route: pattern ?? 'none',
      status,
      milliseconds: Math.round(milliseconds),
      bytes,
      client: context.clientAddress(),
      ...(isComplete ? {} : { isComplete }),
    })
  })
}

// Whether a path ends with a slash is decided by the application.
function isAboutHealth(path: string): boolean {
  return HEALTH_PATHS.includes(path.replace(/\/$/, ''))
}
