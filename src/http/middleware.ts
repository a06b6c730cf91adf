/**
 * Goes on to what stands behind the middleware.
 *
 * @param request Replaces the current request when given.
 * @returns The response of what stands behind; rejects with what it threw.
 */
export type Next = (request?: Request) => Promise<Response>

/**
 * A step around everything behind it. One instance serves all requests at once, so it keeps nothing of a request.
 * The context is a parameter of the type so that this folder need not know it: write
 * `class Gate implements Middleware { process(context: HttpContext, next: Next) { … } }`.
 *
 * @example
 * ```ts
 * import assert from 'node:assert/strict'
 * import { App, type HttpContext } from 'sallyport'
 * import { type Middleware, type Next, ServiceUnavailableException } from 'sallyport/http'
 * import { TestClient } from 'sallyport/testing'
 *
 * class Maintenance implements Middleware<HttpContext> {
 *   process(context: HttpContext, next: Next): Promise<Response> {
 *     if (context.path() === '/health') return next()
 *     throw new ServiceUnavailableException('Back in ten minutes', { retryAfterSeconds: 600 })
 *   }
 * }
 * const app = App.default()
 * app.middleware().incoming(Maintenance)
 *
 * const response = await new TestClient(app).get('/shop')
 * assert.deepEqual([response.status, response.headers.get('retry-after')], [503, '600'])
 * ```
 */
export interface Middleware<Context = never> {
  /**
   * @param context Context of the request.
   * @param next Goes on to what stands behind; call it at most once.
   * @returns The response, of its own or from `next()`.
   */
  process(context: Context, next: Next): Response | Promise<Response>
}

/**
 * A class whose instances are middlewares. It is built once for an application, through the container; one that needs
 * arguments is registered as an instance in the composition root.
 */
export type MiddlewareClass = abstract new (...args: never[]) => Middleware

/** A last look at every response, errors included, after session and cookies are written. */
export interface OutgoingMiddleware<Context = never> {
  /**
   * @param response The response as it would leave.
   * @param context Context of the request.
   * @returns The response that leaves.
   */
  process(response: Response, context: Context): Response | Promise<Response>
}
