import { inject } from '../container/index.ts'
import { HttpContext } from '../context/index.ts'
import { declarationError, sentence, shown } from '../core/internal.ts'
import { asUnsendable, jsonResponse, redirectResponse, textResponse } from '../http/internal.ts'
import { LocalTarget } from '../http/index.ts'
import { type RouteArguments, type RouteName, RoutingException, type UrlParams } from '../routing/index.ts'
import type { UncheckedUrls } from '../routing/internal.ts'
import { View } from '../view/index.ts'
import { assertNoneShadowed, type ViewOptions } from '../view/internal.ts'

let readHelper: (controller: Controller) => string | null

/**
 * Base class with helpers for controllers. A controller is built for each request; it need not extend this class.
 *
 * @example
 * ```ts
 * import assert from 'node:assert/strict'
 * import { App, Controller, defineModule } from 'sallyport'
 * import { type Actions, param } from 'sallyport/routing'
 * import { TestClient } from 'sallyport/testing'
 *
 * class CartController extends Controller {
 *   static readonly actions = {
 *     index: [],
 *     addPost: [param.int('product')],
 *   } satisfies Actions<CartController>
 *
 *   async index() {
 *     return { products: (await this.context.session().get<number[]>('cart')) ?? [] }
 *   }
 *
 *   async addPost(product: number) {
 *     const session = this.context.session()
 *     await session.set('cart', [...((await session.get<number[]>('cart')) ?? []), product])
 *     return this.redirect('/shop/cart')
 *   }
 * }
 * const shop = defineModule('Shop', (module) => module.controllers(CartController))
 * const client = new TestClient(App.default().modules(shop))
 *
 * const cart = await client.post('/shop/cart/add/7', { follow: true })
 * assert.deepEqual(await cart.json(), { products: [7] })
 * ```
 */
export abstract class Controller {
  static {
    readHelper = (controller) => controller.#helper
  }
  // Which helper made a response last, so that a missing `return` is found.
  #helper: string | null = null
  /** Context of the request. */
  protected readonly context: HttpContext = inject(HttpContext)

  /**
   * @param template Name of a template.
   * @param data Data for the template. Default: none but the reserved names.
   * @param options `status` and `headers`. Default: 200, none.
   * @returns A page, rendered when the action returns it.
   * @throws {TypeError} If a value is a promise, or has a name of which templates never see the data, such as `state`.
   * @example
   * ```ts
   * import assert from 'node:assert/strict'
   * import { App, Controller, defineModule } from 'sallyport'
   * import { ViewEngine } from 'sallyport/view'
   * import { TestClient } from 'sallyport/testing'
   *
   * class PageController extends Controller {
   *   static readonly actions = { index: [] }
   *   index() {
   *     return this.view('page', { title: 'Welcome' }, { status: 201 })
   *   }
   * }
   *
   * // Stands for a template engine, such as EdgeViewEngine of sallyport/view/edge.
   * class Headings extends ViewEngine {
   *   async render(_template: string, data: Readonly<Record<string, unknown>>): Promise<string> {
   *     return `<h1>${String(data['title'])}</h1>`
   *   }
   * }
   * const app = App.default()
   *   .modules(defineModule('Site', (module) => module.controllers(PageController)))
   *   .configure((definitions) => definitions.set(ViewEngine, new Headings()))
   *
   * const page = await new TestClient(app).get('/site/page')
   * assert.deepEqual([page.status, await page.text()], [201, '<h1>Welcome</h1>'])
   * ```
   */
  protected view(template: string, data?: Readonly<Record<string, unknown>>, options?: ViewOptions): View {
    const made = new View(template, data, options)
    assertNoneShadowed(`render "${template}" with`, made.data, this.context.shadowedNames)
    this.#helper = 'view'
    return made
  }

  /**
   * @param text The body.
   * @param status Status of the response. Default: 200.
   * @returns A plain-text response.
   * @throws {TypeError} If it is not a string.
   */
  protected text(text: string, status = 200): Response {
    if (typeof text !== 'string')
      throw declarationError(
        sentence`Cannot respond with ${shown(text)} as text: pass a string, or use json()`,
      )
    this.#helper = 'text'
    return textResponse(status, text, 'text/plain; charset=utf-8')
  }

  /**
   * @param value A value that `JSON.stringify` can write.
   * @param status Status of the response. Default: 200.
   * @returns A JSON response. With status 200 an action can return the value itself.
   * @throws {TypeError} If JSON cannot represent the value or a part of it, such as a `Map` or a promise.
   */
  protected json(value: unknown, status = 200): Response {
    const made = jsonResponse(status, value)
    this.#helper = 'json'
    return made
  }

  /**
   * @param name Name of a route.
   * @param paramsAndStatus Values of its placeholders; further values become the query. Default: none, if none is required.
   * Then the status of the redirect. Default: 303.
   * @returns A redirect to the route in the locale of the request.
   * @throws {RoutingException} If the URL cannot be generated. The client gets a 400 if a value cannot be in a URL.
   * @throws {RangeError} If the status is not a redirect status.
   * @example
   * ```ts
   * import assert from 'node:assert/strict'
   * import { App, Controller, defineModule } from 'sallyport'
   * import { type Actions, param } from 'sallyport/routing'
   * import { TestClient } from 'sallyport/testing'
   *
   * class NoteController extends Controller {
   *   static readonly actions = { show: [param.int('id')], addPost: [] } satisfies Actions<NoteController>
   *
   *   show(id: number) {
   *     return { id }
   *   }
   *
   *   addPost() {
   *     return this.redirectToRoute('notes:note', { id: 7 })
   *   }
   * }
   * const notes = defineModule('Notes', (module) =>
   *   module
   *     .controllers(NoteController)
   *     .routes((routes) => routes.get('/{id}', [NoteController, 'show']).name('note')),
   * )
   *
   * const added = await new TestClient(App.default().modules(notes)).post('/notes/note/add')
   * assert.deepEqual([added.status, added.headers.get('location')], [303, '/notes/7'])
   * ```
   */
  protected redirectToRoute<N extends RouteName>(
    name: N,
    ...paramsAndStatus: RouteArguments<N, [status?: number]>
  ): Response
  protected redirectToRoute(name: string, params?: UrlParams, status = 303): Response {
    const made = this.redirect(this.#urlOf(name, params), status)
    this.#helper = 'redirectToRoute'
    return made
  }

  // A value without a URL, such as "..", may be the client's.
  #urlOf(name: string, params?: UrlParams): string {
    try {
      return (this.context as UncheckedUrls).url(name, params)
    } catch (error) {
      const isOfValue = error instanceof RoutingException && error.code === 'invalid-parameter'
      throw isOfValue ? asUnsendable(error) : error
    }
  }

  /**
   * @param url A path on this origin, an absolute http or https URL, or a `LocalTarget`.
   * @param status Status of the redirect. Default: 303.
   * @returns A redirect.
   * @throws {TypeError} If the URL is none of these. The client gets a 400.
   * @throws {RangeError} If the status is not a redirect status.
   */
  protected redirect(url: string | LocalTarget, status = 303): Response {
    const made = redirectResponse(url instanceof LocalTarget ? url.value : url, status)
    this.#helper = 'redirect'
    return made
  }
}

/**
 * @param controller Any controller, after its action.
 * @returns Which helper of it made a response last, such as `view`; null if none did, or its class is no
 * {@link Controller}.
 */
export function lastHelper(controller: object | null): string | null {
  return controller instanceof Controller ? readHelper(controller) : null
}
