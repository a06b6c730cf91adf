import { type IncomingMessage, ServerResponse } from 'node:http'
import type { App, Visitor, WhoOptions } from '../app/index.ts'
import { asking } from '../app/internal.ts'
import { assertOptions } from '../core/internal.ts'
import { NodeRequest } from './node-request.ts'
import { requestOptions } from './request-options.ts'
import type { ServeOptions } from './serve-options.ts'

/** Options of {@link toNodeWho}: the middlewares that authenticate, and those of `serve()` that say where a request comes from. */
export interface NodeWhoOptions extends WhoOptions, Pick<ServeOptions, 'trustedProxies'> {}

/** Tells who is behind a request of `node:http`, which Express has as `request` and Fastify as `request.raw`. */
export type NodeWho = (message: IncomingMessage) => Promise<Visitor>

/**
 * Does for `node:http`, Express, Fastify and Connect what `toWho()` does for fetch handlers: tells another framework in the same
 * process who is behind its requests.
 *
 * @param app The application. It boots with the first request, unless it has booted before.
 * @param options The middlewares; origin and proxies must be those of `toNodeListener()`, because the name of the cookie depends
 * on them.
 * @returns The function. It rejects as that of `toWho()`.
 * @throws {TypeError} If it is not an application, there is no middleware, or an option is unknown or malformed.
 * @example
 * ```ts
 * import assert from 'node:assert/strict'
 * import { once } from 'node:events'
 * import { createServer } from 'node:http'
 * import type { AddressInfo } from 'node:net'
 * import { App, type HttpContext, inject } from 'sallyport'
 * import { SessionAuthentication } from 'sallyport/auth'
 * import type { Middleware, Next } from 'sallyport/http'
 * import { toNodeWho } from 'sallyport/node'
 *
 * class ResolveUser implements Middleware<HttpContext> {
 *   readonly #sessions = inject(SessionAuthentication)
 *
 *   async process(context: HttpContext, next: Next): Promise<Response> {
 *     const name = await this.#sessions.identifier(context.session())
 *     if (name !== null) context.auth().authenticate({ name })
 *     return next()
 *   }
 * }
 * const who = toNodeWho(App.default(), { through: [ResolveUser] })
 *
 * const server = createServer(async (request, response) => {
 *   const { identifier } = await who(request)
 *   response.end(identifier ?? 'You are not signed in')
 * }).listen(0, '127.0.0.1')
 * await once(server, 'listening')
 * const { port } = server.address() as AddressInfo
 *
 * assert.equal(await (await fetch(`http://127.0.0.1:${port}`)).text(), 'You are not signed in')
 * server.close()
 * ```
 */
export function toNodeWho(app: App, options: NodeWhoOptions): NodeWho {
  assertOptions(options, ['through', 'origin', 'trustedProxies'], 'toNodeWho()')
  const ask = asking(app, options)
  const { through: _, ...known } = options
  const request = requestOptions(app, known)
  return (message) =>
    ask(() => {
      const source = { ...request, bodyBytes: app.currentLimits().bodyBytes }
      // Its response is the host's to write, and the body the host's to read.
      return new NodeRequest({ message, outgoing: new ServerResponse(message) }, source, false)
    })
}
