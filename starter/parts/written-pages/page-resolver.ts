import { inject } from 'sallyport'
import { MethodNotAllowedException } from 'sallyport/http'
import type { Resolver, Route, RouteRequest } from 'sallyport/routing'
import { Pages } from './pages.ts'
import { PublishedPageController } from './published-page-controller.ts'

/**
 * Finds pages that are data. It keeps nothing of a request: what it found goes with the route. The table and every other module are asked
 * before it, so no page takes the place of one of the program's own.
 */
export class PageResolver implements Resolver {
  readonly #pages = inject(Pages)

  /**
   * @returns The route of the page; null for none, or a draft.
   * @throws {MethodNotAllowedException} If a page is there, and something else than reading is asked for.
   */
  async resolve(request: RouteRequest): Promise<Route | null> {
    const [slug, ...others] = request.segments
    if (slug === undefined || others.length > 0) return null
    const page = await this.#pages.published(slug)
    if (page === undefined) return null
    if (request.method !== 'GET' && request.method !== 'HEAD') throw new MethodNotAllowedException(['GET'])
    return request.route(PublishedPageController, 'show', { bindings: { page } })
  }
}
