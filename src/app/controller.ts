import { inject } from '../container/index.ts'
import { HttpContext } from '../context/index.ts'
import { declarationError, shown } from '../core/internal.ts'
import { jsonResponse, redirectResponse, textResponse } from '../http/internal.ts'
import { LocalTarget } from '../http/index.ts'
import type { PlainRouteName, RouteName, RouteParams, UrlParams } from '../routing/index.ts'
import type { UncheckedUrls } from '../routing/internal.ts'
import { View } from '../view/index.ts'
import type { ViewOptions } from '../view/internal.ts'

/** Helpers for controllers. One is built for each request; a controller need not extend it. */
export abstract class Controller {
  /** Context of the request. */
  protected readonly context: HttpContext = inject(HttpContext)

  /**
   * @param template Name of a template.
   * @param data What it sees. Default: the reserved names only.
   * @param options `status` and `headers`. Default: 200, none.
   * @returns A page, rendered when the action returns it.
   */
  protected view(template: string, data?: Readonly<Record<string, unknown>>, options?: ViewOptions): View {
    return new View(template, data, options)
  }

  /**
   * @param text Text of the body.
   * @param status Status of the response. Default: 200.
   * @returns A plain-text response.
   * @throws {TypeError} If it is no string.
   */
  protected text(text: string, status = 200): Response {
    if (typeof text !== 'string')
      throw declarationError(`Cannot answer with ${shown(text)} as text: give a string, or use json()`)
    return textResponse(status, text, 'text/plain; charset=utf-8')
  }

  /**
   * @param value What `JSON.stringify` can write.
   * @param status Status of the response. Default: 200.
   * @returns A JSON response; return the value itself where the status is 200.
   * @throws {TypeError} If JSON cannot hold the value, or would lose all of it or of a part: a `Map`, a promise.
   */
  protected json(value: unknown, status = 200): Response {
    return jsonResponse(status, value)
  }

  /**
   * @param name Name of a route.
   * @param params Values of its placeholders; the others become the query. Default: none, where none is required.
   * @param status Status of the redirect. Default: 303.
   * @returns A redirect to the route in the locale of the request.
   * @throws {RoutingException} If the URL cannot be generated.
   * @throws {RangeError} If the status is no redirect.
   */
  protected redirectToRoute<N extends PlainRouteName>(
    name: N,
    params?: RouteParams<N>,
    status?: number,
  ): Response
  protected redirectToRoute<N extends RouteName>(name: N, params: RouteParams<N>, status?: number): Response
  protected redirectToRoute(name: string, params?: UrlParams, status = 303): Response {
    return this.redirect((this.context as UncheckedUrls).url(name, params), status)
  }

  /**
   * @param url A path on this origin, an absolute http or https URL, or a checked `LocalTarget`.
   * @param status Status of the redirect. Default: 303.
   * @returns A redirect.
   * @throws {TypeError} If the URL is neither.
   * @throws {RangeError} If the status is no redirect.
   */
  protected redirect(url: string | LocalTarget, status = 303): Response {
    return redirectResponse(url instanceof LocalTarget ? url.value : url, status)
  }
}
