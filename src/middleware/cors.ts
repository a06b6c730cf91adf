import { type CrossOriginPolicy, giveCrossOriginPolicy } from '../context/internal.ts'
import type { HttpContext } from '../context/index.ts'
import { isPromiseLike } from '../core/internal.ts'
import { type Next, ParameterizedMiddleware } from '../http/index.ts'
import { addVary, emptyResponse, type LightResponse } from '../http/internal.ts'
import { type CorsOptions, type CorsRules, readCorsOptions, readOrigin } from './cors-options.ts'

/**
 * Lets pages of other origins read the responses of a module (CORS). It counts for every URL of the module as the client
 * sent it: preflights are answered before any other middleware and before routing, and every response is marked, also a
 * refusal that never reaches the module. It protects nothing: a request from an origin that is not named is answered too,
 * but its page cannot read the response.
 *
 * @example
 * ```ts
 * import assert from 'node:assert/strict'
 * import { App, Controller, defineModule } from 'sallyport'
 * import { Cors } from 'sallyport/middleware'
 * import { TestClient } from 'sallyport/testing'
 *
 * class TeaController extends Controller {
 *   static readonly actions = { index: [] }
 *   index() {
 *     return ['green']
 *   }
 * }
 * const api = defineModule('Api', (module) =>
 *   module.controllers(TeaController).middleware(Cors.of({ origins: ['https://shop.example'] })),
 * )
 * const client = new TestClient(App.default().modules(api))
 *
 * const response = await client.get('/api/tea', { headers: { origin: 'https://shop.example' } })
 * assert.equal(response.headers.get('access-control-allow-origin'), 'https://shop.example')
 * ```
 * @see The Fetch standard, section 3.3, "CORS protocol".
 */
export class Cors extends ParameterizedMiddleware<HttpContext> {
  /**
   * @param options Who may read, and what they may send.
   * @throws {TypeError} If an option is unknown or has the wrong type, an origin is malformed, or `*` is combined
   * with credentials.
   * @throws {RangeError} If the age is not an integer from 0 on.
   */
  constructor(options: CorsOptions) {
    super()
    giveCrossOriginPolicy(this, new CorsPolicy(readCorsOptions(options)))
  }

  /**
   * @param _context Context of the request.
   * @param next Runs the rest of the chain.
   * @returns The response of the rest of the chain; it is marked when it leaves, as all others are.
   */
  process(_context: HttpContext, next: Next): Promise<Response> {
    return next()
  }
}

class CorsPolicy implements CrossOriginPolicy {
  readonly #rules: CorsRules
  // A function of the application decides once for each request.
  readonly #decided = new WeakMap<HttpContext, boolean>()

  constructor(rules: CorsRules) {
    this.#rules = rules
  }

  preflight(context: HttpContext): LightResponse | null {
    const source = context.received()
    if (source.method !== 'OPTIONS' || source.header('origin') === null) return null
    if (source.header('access-control-request-method') === null) return null
    const response = emptyResponse(204)
    if (this.#allows(context))
      for (const [name, value] of this.#rules.preflightLines) response.append(name, value)
    return response
  }

  mark(response: LightResponse, context: HttpContext): void {
    const { origins, credentials, exposed } = this.#rules
    // What is cached for one origin must not be given to another, also where the first one sent no `Origin`.
    if (origins !== '*') addVary(response, 'Origin')
    // One place decides. Two lines of one name would be read as a value that matches nothing.
    remove(response, 'access-control-allow-origin')
    remove(response, 'access-control-allow-credentials')
    if (!this.#allows(context)) return
    const origin = context.received().header('origin')
    response.append('access-control-allow-origin', origins === '*' ? '*' : (origin ?? ''))
    if (credentials) response.append('access-control-allow-credentials', 'true')
    if (exposed === null) return
    remove(response, 'access-control-expose-headers')
    response.append('access-control-expose-headers', exposed)
  }

  #allows(context: HttpContext): boolean {
    const { origins } = this.#rules
    if (origins === '*') return true
    const origin = readOrigin(context.received().header('origin') ?? '')
    if (origin === undefined) return false
    if (typeof origins !== 'function') return origins.has(origin)
    let decided = this.#decided.get(context)
    if (decided === undefined) {
      // If the function throws, that is reported once, and the page cannot read the error.
      this.#decided.set(context, false)
      decided = asked(origins, origin)
      this.#decided.set(context, decided)
    }
    return decided
  }
}

function asked(allows: (origin: string) => boolean, origin: string): boolean {
  const answer: unknown = allows(origin)
  if (!isPromiseLike(answer)) return answer === true
  answer.then(undefined, () => undefined)
  throw new TypeError(
    'Cannot use a promise to decide about an origin: make the function "origins" synchronous',
  )
}

function remove(response: LightResponse, name: string): void {
  if (response.header(name) !== null) response.headers.delete(name)
}
