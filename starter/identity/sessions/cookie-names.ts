import type { HttpContext } from 'sallyport'

/**
 * What the name of every cookie ends with, the session's included. The host may have this application once more, below another
 * path or on another port, and browsers send the cookies of both to both.
 *
 * @param place Base path of the application; and its port, where that parts it from others, as on a development machine.
 * @returns `-accounts` below `/accounts`, `-3000` on that port, both where there are both; empty for the whole host.
 */
export function cookieMark({
  basePath,
  port,
}: {
  readonly basePath: string
  readonly port?: string
}): string {
  return basePath.replace('/', '-').replaceAll('/', '_') + (port ? `-${port}` : '')
}

/**
 * @param context Context of the request.
 * @param name Name of the cookie where the application has the whole host.
 * @returns Its name here, by the port of the origin.
 */
export function cookieName(context: HttpContext, name: string): string {
  const { port } = new URL(context.origin())
  return name + cookieMark({ basePath: context.basePath, port })
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
