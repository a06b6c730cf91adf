import type { HttpContext } from 'sallyport'

/**
 * Browsers send the cookies of a host to all its ports and paths, where this application may be once more.
 *
 * @returns Its name here, by port and base path as the session's: `seen-3000_accounts`.
 */
export function cookieName(context: Pick<HttpContext, 'origin' | 'basePath'>, name: string): string {
  const { port } = new URL(context.origin())
  return name + (port && `-${port}`) + context.basePath.replaceAll('/', '_')
}

/**
 * @returns Its name, with the prefix that no other host can set. As with the cookie of the session, browsers accept it over HTTPS
 *   only.
 */
export function hostCookieName(context: HttpContext, name: string): string {
  return `${context.isSecure() ? '__Host-' : ''}${cookieName(context, name)}`
}
