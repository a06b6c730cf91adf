/**
 * Runs the rest of the chain: the middlewares after this one and the action.
 *
 * @param request Replaces the current request. Default: the request stays.
 * @returns The response of the rest of the chain; rejects with its exception.
 */
export type Next = (request?: Request) => Promise<Response>

/**
 * A step around the rest of the chain. One instance serves concurrent requests, so it must not store anything about a
 * request. The type takes the context as a parameter because this folder does not know it: write
 * `class Gate implements Middleware<HttpContext> { process(context: HttpContext, next: Next) { … } }`.
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
   * @param next Runs the rest of the chain; call it at most once.
   * @returns A response of its own, or the one of `next()`.
   */
  process(context: Context, next: Next): Response | Promise<Response>
}

/**
 * A class whose instances are middlewares. The container builds it once for each application. One that takes arguments
 * extends `ParameterizedMiddleware`.
 */
export type MiddlewareClass = abstract new (...args: never[]) => Middleware

/** A step that sees every response, errors included, after session and cookies are written. */
export interface OutgoingMiddleware<Context = never> {
  /**
   * @param response The response about to be sent.
   * @param context Context of the request.
   * @returns The response to send.
   */
  process(response: Response, context: Context): Response | Promise<Response>
}
