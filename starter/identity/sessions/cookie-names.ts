import type { HttpContext } from 'sallyport'

/**
 * The name of a cookie below the base path: an application elsewhere on the same host, also one at its root, may be this one
 * once more, and browsers send its cookies here. The session has such a name, too.
 *
 * @param context Context of the request.
 * @param name Name of the cookie where the application has the whole host.
 * @returns Its name: `language-accounts` below `/accounts`.
 */
export function cookieName(context: HttpContext, name: string): string {
  return name + context.basePath.replace('/', '-').replaceAll('/', '_')
}

/**
 * @param context Context of the request.
 * @param name Name of the cookie.
 * @returns Its name, with the prefix that no other host can set. As with the cookie of the session, browsers accept it over HTTPS
 *   only.
 */
export function hostCookieName(context: HttpContext, name: string): string {
  return `${context.isSecure() ? '__Host-' : ''}${cookieName(context, name)}`
}
