import type { HttpContext } from 'sallyport'
import { type Middleware, type Next, RedirectException } from 'sallyport/http'

/** Where an old path leads, and with which status: browsers may keep a 301 for good. */
export type MovedTo = readonly [to: string, status: 301 | 302]

/** Redirects old paths before routing, whichever way they are spelled, with their query. Every other path passes. */
export class MovedPaths implements Middleware<HttpContext> {
  readonly #moved: ReadonlyMap<string, MovedTo>

  /** @param moved The old paths, with those that take their places: all without the base path. */
  constructor(moved: Readonly<Record<string, MovedTo>>) {
    const entries = Object.entries(moved)
    this.#moved = new Map(entries.map(([path, to]) => [keyOf(path.split('/').slice(1)), to]))
  }

  /**
   * Redirects.
   *
   * @param context The request.
   * @param next The rest of the chain.
   * @returns The response of the rest of the chain.
   * @throws {RedirectException} If the path is an old one.
   */
  async process(context: HttpContext, next: Next): Promise<Response> {
    const [to, status] = this.#moved.get(keyOf(context.segments())) ?? []
    if (to === undefined) return next()
    const query = context.query()
    throw new RedirectException(`${context.basePath}${to}${query === '' ? '' : `?${query}`}`, status)
  }
}

// A decoded segment may contain a slash, and none contains a control character.
function keyOf(segments: readonly string[]): string {
  return segments.join('\0')
}
