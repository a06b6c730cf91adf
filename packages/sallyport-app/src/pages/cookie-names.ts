import type { HttpContext } from 'sallyport'

/**
 * Names a cookie of one application: browsers send the cookies of a host to all its ports and paths, where the application may be once
 * more.
 *
 * @param context The request.
 * @param name What the cookie is called.
 * @returns Its name here, by port and base path as the session's: `language-3000_accounts`.
 */
export function cookieName(context: Pick<HttpContext, 'origin' | 'basePath'>, name: string): string {
  const { port } = new URL(context.origin())
  return name + (port && `-${port}`) + context.basePath.replaceAll('/', '_')
}

/**
 * Names a cookie that no other host can set. As with the cookie of the session, browsers accept it over HTTPS only.
 *
 * @param context The request.
 * @param name What the cookie is called.
 * @returns Its name here, with the prefix `__Host-` over HTTPS.
 */
export function hostCookieName(
  context: Pick<HttpContext, 'origin' | 'basePath' | 'isSecure'>,
  name: string,
): string {
  return `${context.isSecure() ? '__Host-' : ''}${cookieName(context, name)}`
}
