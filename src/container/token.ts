/** A class that can be injected; an abstract class needs a registered value. */
export type Constructor<T = unknown> = abstract new (...args: never[]) => T

/** Names a value that a resolver bound for one request. */
export class Binding<T> {
  /** Name under which the resolver bound it. */
  readonly name: string
  /** Type of the value; exists for the compiler only. */
  declare protected readonly type: T

  /**
   * @param name Name under which the resolver bound it.
   */
  constructor(name: string) {
    this.name = name
  }
}

/** The argument of `inject()` and `App.get()`. */
export type Token<T> = Constructor<T> | Binding<T>

/**
 * Names a value that a resolver bound, for `inject(binding<Page>('page'))` in a controller.
 *
 * @param name Name in `RouteRequest.route(…, { bindings })`.
 * @returns A token.
 * @example
 * ```ts
 * import assert from 'node:assert/strict'
 * import { App, binding, Controller, defineModule, inject } from 'sallyport'
 * import type { Resolver, Route, RouteRequest } from 'sallyport/routing'
 * import { TestClient } from 'sallyport/testing'
 *
 * type Page = { title: string }
 * const pages = new Map<string, Page>([['about', { title: 'About us' }]])
 *
 * class PageController extends Controller {
 *   static readonly actions = { show: [] }
 *   readonly #page = inject(binding<Page>('page'))
 *   show() {
 *     return this.#page
 *   }
 * }
 * class PageResolver implements Resolver {
 *   resolve(request: RouteRequest): Route | null {
 *     const page = pages.get(request.segments.join('/'))
 *     return page === undefined ? null : request.route(PageController, 'show', { bindings: { page } })
 *   }
 * }
 * const site = defineModule('Site', (module) =>
 *   module.mount('/').controllers(PageController).resolver(PageResolver),
 * )
 *
 * const about = await new TestClient(App.default().modules(site)).get('/about')
 * assert.deepEqual(await about.json(), { title: 'About us' })
 * ```
 */
export function binding<T>(name: string): Binding<T> {
  return new Binding<T>(name)
}

/**
 * @param token Any token.
 * @returns Its name, for messages.
 */
export function describe(token: unknown): string {
  if (token instanceof Binding) return `binding "${token.name}"`
  return typeof token === 'function' && token.name !== '' ? token.name : 'an unnamed class'
}
