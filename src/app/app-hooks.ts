import type { HttpContext } from '../context/index.ts'
import { lateDeclaration, sentence } from '../core/internal.ts'
import type { CloseOptions } from './close-hooks.ts'
import { LifecycleHooks } from './lifecycle-hooks.ts'
import type { ResponseEvent } from './response-watch.ts'

/** The hooks of an application: for errors, for completed responses and for the end. */
export abstract class AppHooks {
  /** What was registered. @internal */
  protected readonly hooks: LifecycleHooks = new LifecycleHooks()
  #isLocked = false

  /**
   * @param hook Receives every unexpected error once, and every 5xx with a cause, such as a failing store. Without a hook
   * they are written to standard error.
   * @returns This, for chaining.
   * @throws {TypeError} If it is not a function.
   * @example
   * ```ts
   * import assert from 'node:assert/strict'
   * import { App, Controller, defineModule } from 'sallyport'
   * import { TestClient } from 'sallyport/testing'
   *
   * class ReportController extends Controller {
   *   static readonly actions = { index: [] }
   *   index(): never {
   *     throw new Error('No paper')
   *   }
   * }
   * const reports = defineModule('Reports', (module) => module.controllers(ReportController))
   * const lines: string[] = []
   * const app = App.default()
   *   .modules(reports)
   *   .onError((error, context) => lines.push(`${context.path()} ${String(error)}`))
   *
   * const response = await new TestClient(app).get('/reports/report')
   * assert.equal(response.status, 500)
   * assert.deepEqual(lines, ['/reports/report Error: No paper'])
   * ```
   */
  onError(hook: (error: unknown, context: HttpContext) => void): this {
    this.hooks.onError(hook)
    return this
  }

  /**
   * Registers a hook for access logs and metrics. It receives every response once, whoever made it: also refusals before
   * routing and those that the server makes itself. A stream is received when it has ended.
   *
   * @param hook Receives `context`, `status`, `milliseconds`, `bytes`, `isComplete` and `pattern`, after the response has
   * been handed to the adapter. If it fails, that is reported to `onError()`.
   * @returns This, for chaining.
   * @throws {TypeError} If it is not a function.
   * @throws {Error} If `boot()` has been called, even while it runs.
   * @example
   * ```ts
   * import assert from 'node:assert/strict'
   * import { setImmediate } from 'node:timers/promises'
   * import { App } from 'sallyport'
   * import { TestClient } from 'sallyport/testing'
   *
   * const lines: string[] = []
   * const app = App.default().onResponse(({ context, status, milliseconds }) => {
   *   lines.push(`${context.method()} ${context.path()} ${status} ${milliseconds >= 0}`)
   * })
   *
   * await new TestClient(app).get('/nowhere')
   * await setImmediate()
   * assert.deepEqual(lines, ['GET /nowhere 404 true'])
   * ```
   */
  onResponse(hook: (event: ResponseEvent) => void): this {
    this.assertOpen('onResponse')
    this.hooks.onResponse(hook)
    return this
  }

  /**
   * @param hook Runs after the outgoing band, when the response has been handed to the adapter. A body may still be on its
   * way to the client then.
   * @returns This, for chaining.
   * @throws {TypeError} If it is not a function.
   * @throws {Error} If `boot()` has been called, even while it runs.
   */
  onTerminate(hook: (context: HttpContext) => void): this {
    this.assertOpen('onTerminate')
    this.hooks.onTerminate(hook)
    return this
  }

  /**
   * Registers a hook that runs when closing begins, before the server waits for pending requests: to end what would keep
   * connections open, and to tell load balancers. All hooks run at the same time. After them the event streams end.
   *
   * @param hook Runs while requests are still answered; its promise is awaited.
   * @param options `milliseconds`: how long it may take. Default: 5000. `serve()` waits for at most half of its
   * `drainMilliseconds`.
   * @returns This, for chaining.
   * @throws {TypeError} If it is not a function.
   * @throws {RangeError} If the time is not above 0.
   * @throws {Error} If closing has begun.
   * @example
   * ```ts
   * import assert from 'node:assert/strict'
   * import { App } from 'sallyport'
   *
   * const steps: string[] = []
   * const app = App.default()
   *   .onClose(() => void steps.push('close the database'))
   *   .onClosing(() => void steps.push('end the WebSockets'))
   *
   * await app.close()
   * assert.deepEqual(steps, ['end the WebSockets', 'close the database'])
   * ```
   */
  onClosing(hook: () => void | Promise<void>, options?: CloseOptions): this {
    this.hooks.closing.addFirst(hook, options)
    return this
  }

  /**
   * Registers a hook for `close()`, to close what the application opened. Hooks run in reverse order; each runs even if
   * another fails or hangs.
   *
   * @param hook Closes something; its promise is awaited.
   * @param options `milliseconds`: how long it may take until the next hook runs. Default: 5000.
   * @returns This, for chaining.
   * @throws {TypeError} If it is not a function.
   * @throws {RangeError} If the time is not above 0.
   * @throws {Error} If the application has been closed.
   * @example
   * ```ts
   * import assert from 'node:assert/strict'
   * import { DatabaseSync } from 'node:sqlite'
   * import { App } from 'sallyport'
   *
   * const database = new DatabaseSync(':memory:')
   * const app = App.default()
   *   .configure((definitions) => definitions.set(DatabaseSync, database))
   *   .onClose(() => database.close())
   *
   * await app.close()
   * assert.equal(database.isOpen, false)
   * ```
   */
  onClose(hook: () => void | Promise<void>, options?: CloseOptions): this {
    this.hooks.closing.add(hook, options)
    return this
  }

  /** Refuses hooks and declarations that would come too late. @internal */
  protected lockHooks(): void {
    this.#isLocked = true
  }

  /**
   * @param what Name of a method.
   * @throws {Error} If `boot()` has been called.
   * @internal
   */
  protected assertOpen(what: string): void {
    if (this.#isLocked)
      throw lateDeclaration(
        `${what}()`,
        sentence`the application is booting or has booted; call it before boot()`,
      )
  }
}
