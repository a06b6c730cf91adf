import type { Authentication } from '../auth/index.ts'
import type { HttpContext } from '../context/index.ts'
import { sessionParts } from '../context/internal.ts'
import { assertOptions, declarationError, shown } from '../core/internal.ts'
import { emptyResponse, FetchSource, type RequestSource } from '../http/internal.ts'
import { type Middleware, type MiddlewareClass, ServedHosts } from '../http/index.ts'
import { IDENTITY_KEY, LateChange } from '../session/internal.ts'
import type { App } from './app.ts'
import type { FetchOptions } from './options.ts'
import { pipeline } from './late-pipeline.ts'

const MAX_ATTEMPTS = 5

/** Who is behind a request that another framework answers. */
export interface Visitor {
  /** What `login()` stored, usually the user id; null for anyone that the middlewares did not authenticate. */
  readonly identifier: string | null
  /** Principal and permissions, as the middlewares established them. */
  readonly auth: Authentication
  /** A token for forms that are sent to the application, such as the one that signs out; null without an identifier. */
  readonly csrfToken: string | null
}

/** Options of {@link toWho}. */
export interface WhoOptions extends Pick<FetchOptions, 'origin'> {
  /** The middlewares that authenticate, in their order: those that the application has for its own pages. */
  readonly through: readonly MiddlewareClass[]
}

/** Tells who is behind a request. */
export type Who = (request: Request, known?: Pick<FetchOptions, 'clientAddress'>) => Promise<Visitor>

/**
 * Makes a function that tells another framework in the same process who is behind its requests. It runs the middlewares that
 * authenticate, and nothing else of the application. It never sets a cookie and keeps nothing that a middleware writes: the
 * session is only prolonged, as by a page of the application, and gets a CSRF secret if it has none. The body is not read.
 *
 * @param app The application. It boots with the first request, unless it has booted before.
 * @param options The middlewares, and the origin as for `fetch()`.
 * @returns The function. It rejects with what a middleware throws, with a `ServiceUnavailableException` if the session store
 * fails, and with an `Error` if a middleware changes the session. If a middleware answers without `next()`, the visitor is
 * anonymous.
 * @throws {TypeError} If it is not an application, there is no middleware, or an option is unknown or malformed.
 * @example
 * ```ts
 * import assert from 'node:assert/strict'
 * import { App, type HttpContext, inject, toWho } from 'sallyport'
 * import { SessionAuthentication } from 'sallyport/auth'
 * import type { Middleware, Next } from 'sallyport/http'
 *
 * class ResolveUser implements Middleware<HttpContext> {
 *   readonly #sessions = inject(SessionAuthentication)
 *
 *   async process(context: HttpContext, next: Next): Promise<Response> {
 *     const name = await this.#sessions.identifier(context.session())
 *     if (name !== null) context.auth().authenticate({ name }, ['orders.read'])
 *     return next()
 *   }
 * }
 * const who = toWho(App.default(), { through: [ResolveUser] })
 *
 * // Inside the handler of another framework.
 * const { auth } = await who(new Request('https://shop.example/orders'))
 *
 * assert.equal(auth.allows('orders.read'), false)
 * ```
 */
export function toWho(app: App, options: WhoOptions): Who {
  assertOptions(options, ['through', 'origin'], 'toWho()')
  const { origin } = options
  const ask = asking(app, options)
  const host = origin === undefined ? null : new ServedHosts({ origin })
  return (request, { clientAddress = '' } = {}) =>
    ask(() => {
      const { method, url, headers } = request
      const bodyless = request.body === null ? request : new Request(url, { method, headers })
      const known = { clientAddress, origin: host?.origin ?? null, basePath: app.basePath }
      return new FetchSource(bodyless, app.currentLimits(), known)
    })
}

/**
 * Does the work of {@link toWho}, for requests of any kind.
 *
 * @param app The application.
 * @param options The middlewares.
 * @returns Tells who is behind the request that a function makes once the application has booted.
 * @throws {TypeError} If it is not an application, or there is no middleware.
 */
export function asking(
  app: App,
  { through }: Pick<WhoOptions, 'through'>,
): (source: () => RequestSource) => Promise<Visitor> {
  const [given, list]: unknown[] = [app, through]
  if (typeof given !== 'object' || given === null || typeof Reflect.get(given, 'boot') !== 'function')
    throw declarationError(`Cannot tell who is signed in to ${shown(given)}: pass an application`)
  if (!Array.isArray(list) || list.length === 0 || list.some((each) => typeof each !== 'function'))
    throw declarationError(
      `Cannot tell who is signed in through ${shown(list)}: pass a list of the middleware classes that authenticate`,
    )
  return async (source) => {
    await app.boot()
    return visitorOf(() => readOnlyContext(app, source()), { app, through })
  }
}

interface Asked {
  readonly app: App
  readonly through: readonly MiddlewareClass[]
}

function readOnlyContext(app: App, source: RequestSource): HttpContext {
  const context = app.contextOf(source)
  // Its session and its cookies refuse changes from now on.
  context.answer()
  return context
}

async function visitorOf(newContext: () => HttpContext, asked: Asked): Promise<Visitor> {
  const context = newContext()
  const isThrough = await pass(context, asked)
  if (!isThrough) context.auth().clear()
  const auth = context.auth()
  const session = context.openedSession()
  if (session === null) return { identifier: null, auth, csrfToken: null }
  const { SessionAuthentication } = await sessionParts()
  const stored = await asked.app.get(SessionAuthentication).identifier(session)
  const identifier = auth.isAuthenticated() ? stored : null
  const csrfToken = identifier === null ? null : await tokenOf(context, newContext)
  // Writes nothing but a later expiry, and seldom.
  await session.commit()
  return { identifier, auth, csrfToken }
}

async function pass(context: HttpContext, { app, through }: Asked): Promise<boolean> {
  let isThrough = false
  const layers = through.map((type) => ({
    middleware: app.get<Middleware<HttpContext>>(type),
    type,
    when: null,
  }))
  const end = (): Response => {
    isThrough = true
    return emptyResponse(204)
  }
  const { compose } = await pipeline()
  const run = compose(layers, end, (fault) => {
    app.reportFault(fault, context)
    return emptyResponse(500)
  })
  try {
    await run(context)
  } catch (cause) {
    if (!(cause instanceof LateChange)) throw cause
    throw new Error(
      `Cannot change the session while telling who is signed in: ${through.map(({ name }) => name).join(', ')} must only read`,
      { cause },
    )
  }
  return isThrough
}

// Another request of the browser may make the secret at the same time: then that one counts.
async function tokenOf(context: HttpContext, newContext: () => HttpContext): Promise<string | null> {
  let current = context
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const token = await current.csrf().settledToken()
    if (token !== null) return token
    current = newContext()
    await current.session().has(IDENTITY_KEY)
  }
  return null
}
