import type { HttpContext } from '../context/index.ts'
import {
  assertCallback,
  assertOptions,
  declarationError,
  lateDeclaration,
  sentence,
  shown,
} from '../core/internal.ts'
import type { MiddlewareClass, Middleware, OutgoingMiddleware } from '../http/index.ts'

/** Order and condition of a middleware in its band. */
export interface BandOptions {
  /** Lower runs first; equal priorities keep the order of registration. Default: 0. */
  readonly priority?: number
  /** Whether it runs for a request; `under('/ops')` decides by path. Default: for every request. */
  readonly when?: (context: HttpContext) => boolean
}

/** A class whose instances process responses; built once through the container. */
export type OutgoingMiddlewareClass = abstract new (...args: never[]) => OutgoingMiddleware

/** One registration. */
export interface BandEntry<Class, Instance> {
  /** The class or the instance. */
  readonly middleware: Class | Instance
  /** Its priority. */
  readonly priority: number
  /** Whether it runs for a request; null for every request. */
  readonly when: ((context: HttpContext) => boolean) | null
}

/** Entries of the incoming and routed bands. */
export type IncomingEntry = BandEntry<MiddlewareClass, Middleware>
/** Entries of the outgoing band. */
export type OutgoingEntry = BandEntry<OutgoingMiddlewareClass, OutgoingMiddleware>

/**
 * The middleware bands of an application. A request passes through incoming, routing, routed, the middlewares of its route,
 * and the dispatcher; then outgoing sees every response once.
 *
 * @example
 * ```ts
 * import assert from 'node:assert/strict'
 * import { App, type HttpContext } from 'sallyport'
 * import type { OutgoingMiddleware } from 'sallyport/http'
 * import { MethodOverrideMiddleware } from 'sallyport/middleware'
 * import { TestClient } from 'sallyport/testing'
 *
 * class RequestId implements OutgoingMiddleware<HttpContext> {
 *   process(response: Response, context: HttpContext): Response {
 *     response.headers.set('x-request-id', context.id())
 *     return response
 *   }
 * }
 * const app = App.default()
 * app.middleware().incoming(MethodOverrideMiddleware).outgoing(RequestId)
 *
 * const response = await new TestClient(app).get('/')
 * assert.equal(response.headers.get('x-request-id')?.length, 16)
 * ```
 */
export class MiddlewareBands {
  readonly #incoming: IncomingEntry[] = []
  readonly #routed: IncomingEntry[] = []
  readonly #outgoing: OutgoingEntry[] = []
  #locked = false

  /**
   * Adds a middleware before routing.
   *
   * @param middleware A class, built once through the container, or an instance.
   * @param options Priority and condition.
   * @returns This, for chaining.
   * @throws {TypeError} If it is not a middleware, or an option is invalid.
   * @throws {Error} If `boot()` has been called, even while it runs.
   */
  incoming(middleware: MiddlewareClass | Middleware, options: BandOptions = {}): this {
    this.#assertOpen('incoming')
    this.#add(this.#incoming, middleware, options)
    return this
  }

  /**
   * Adds a middleware between routing and the middlewares of the route.
   *
   * @param middleware A class, built once through the container, or an instance.
   * @param options Priority and condition.
   * @returns This, for chaining.
   * @throws {TypeError} If it is not a middleware, or an option is invalid.
   * @throws {Error} If `boot()` has been called, even while it runs.
   */
  routed(middleware: MiddlewareClass | Middleware, options: BandOptions = {}): this {
    this.#assertOpen('routed')
    this.#add(this.#routed, middleware, options)
    return this
  }

  /**
   * Adds a step that sees every response, errors included, after session and cookies are written.
   *
   * @param middleware A class, built once through the container, or an instance.
   * @param options Priority and condition.
   * @returns This, for chaining.
   * @throws {TypeError} If it is not a middleware, or an option is invalid.
   * @throws {Error} If `boot()` has been called, even while it runs.
   */
  outgoing(middleware: OutgoingMiddlewareClass | OutgoingMiddleware, options: BandOptions = {}): this {
    this.#assertOpen('outgoing')
    this.#add(this.#outgoing, middleware, options)
    return this
  }

  /**
   * @returns Each band in running order. Nothing can be added afterwards.
   * @internal
   */
  close(): { incoming: IncomingEntry[]; routed: IncomingEntry[]; outgoing: OutgoingEntry[] } {
    this.#locked = true
    return {
      incoming: inOrder(this.#incoming),
      routed: inOrder(this.#routed),
      outgoing: inOrder(this.#outgoing),
    }
  }

  #assertOpen(band: string): void {
    if (!this.#locked) return
    const reason = sentence`the application is booting or has booted, and no request would pass it; add it before boot()`
    throw lateDeclaration(sentence`${band}() of the middlewares of the application`, reason)
  }

  #add<Class, Instance>(
    band: BandEntry<Class, Instance>[],
    middleware: Class | Instance,
    options: BandOptions,
  ): void {
    assertMiddleware(middleware)
    assertBandOptions(options)
    band.push({ middleware, priority: options.priority ?? 0, when: options.when ?? null })
  }
}

function assertMiddleware(middleware: unknown): void {
  const holder: unknown = typeof middleware === 'function' ? middleware.prototype : middleware
  const process: unknown =
    typeof holder === 'object' && holder !== null ? Reflect.get(holder, 'process') : undefined
  if (typeof process !== 'function')
    throw declarationError(
      sentence`Cannot add ${shown(middleware)} as a middleware: pass a class or an object with a method process()`,
    )
}

function assertBandOptions(options: BandOptions): void {
  assertOptions(options, ['priority', 'when'], 'a middleware')
  const { priority, when } = options
  if (priority !== undefined && !Number.isFinite(priority))
    throw declarationError(
      sentence`Cannot use ${shown(priority)} as the priority of a middleware: it must be a finite number`,
    )
  if (when !== undefined) assertCallback(when, 'decide whether a middleware runs')
}

function inOrder<Entry extends { readonly priority: number }>(band: readonly Entry[]): Entry[] {
  return band.toSorted((left, right) => left.priority - right.priority)
}
