import type { HttpContext } from 'sallyport'
import { type Middleware, type Next, RedirectException } from 'sallyport/http'

// Browsers may keep a permanent redirect for good, so only what was tried out is one. All paths are without the base path.
const { MOVED_PERMANENTLY_REDIRECT: FOR_GOOD } = RedirectException
const FOR_NOW = 302

/** Old paths, and one that password managers know, with those that take their places. */
const MOVED: ReadonlyMap<string, readonly [to: string, status: 301 | 302]> = new Map([
  [keyOf(['signin']), ['/login', FOR_GOOD]],
  [keyOf(['user', 'login']), ['/login', FOR_GOOD]],
  [keyOf(['profile']), ['/account', FOR_NOW]],
  // W3C, "A Well-Known URL for Changing Passwords". It may lead elsewhere tomorrow.
  [keyOf(['.well-known', 'change-password']), ['/account/password', FOR_NOW]],
])

/** Redirects old paths before routing, whichever way they are spelled, with their query. Every other path passes. */
export class LegacyRedirects implements Middleware<HttpContext> {
  /** @throws {RedirectException} If the path is an old one. */
  async process(context: HttpContext, next: Next): Promise<Response> {
    const [to, status] = MOVED.get(keyOf(context.segments())) ?? []
    if (to === undefined) return next()
    const query = context.query()
    throw new RedirectException(`${context.basePath}${to}${query === '' ? '' : `?${query}`}`, status)
  }
}

// A decoded segment may contain a slash, and none contains a control character.
function keyOf(segments: readonly string[]): string {
  return segments.join('\0')
}
