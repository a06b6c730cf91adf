import type { HttpContext } from 'sallyport'
import { type Middleware, type Next, RedirectException } from 'sallyport/http'

/** Where an old path leads. Both are without the base path. */
export interface Moved {
  /** The path that took its place. */
  readonly to: string
  /** Whether that was tried out. Browsers may keep a permanent redirect for good, so a wrong one cannot be taken back. */
  readonly isProven: boolean
}

/** The old paths of this application, and one that password managers know, with those that take their places. */
export const LEGACY_PATHS: Readonly<Record<string, Moved>> = {
  '/signin': { to: '/login', isProven: true },
  '/user/login': { to: '/login', isProven: true },
  '/profile': { to: '/account', isProven: false },
  // W3C, "A Well-Known URL for Changing Passwords". It may lead elsewhere tomorrow.
  '/.well-known/change-password': { to: '/account/password', isProven: false },
}

/**
 * Redirects old paths before routing. Every other path passes. A redirect keeps the query, and leads from every spelling of the
 * path to its target at once.
 */
export class LegacyRedirects implements Middleware<HttpContext> {
  readonly #moved: ReadonlyMap<string, Moved>

  /** @param moved Where old paths lead; a path is written without escapes and without the base path. */
  constructor(moved: Readonly<Record<string, Moved>>) {
    this.#moved = new Map(Object.entries(moved).map(([path, to]) => [keyOf(path.split('/').slice(1)), to]))
  }

  /**
   * @returns The response of the rest of the chain.
   * @throws {RedirectException} If the path is an old one.
   */
  async process(context: HttpContext, next: Next): Promise<Response> {
    const moved = this.#moved.get(keyOf(context.segments()))
    if (moved === undefined) return next()
    const query = context.query()
    const path = context.basePath + moved.to
    const target = query === '' ? path : `${path}?${query}`
    throw new RedirectException(target, moved.isProven ? RedirectException.MOVED_PERMANENTLY_REDIRECT : 302)
  }
}

// A decoded segment may contain a slash, and none contains a control character.
function keyOf(segments: readonly string[]): string {
  return segments.join('\0')
}
