import type { Definitions } from '../container/index.ts'
import { DEFAULT_ACTION_LIMITS } from '../context/internal.ts'
import type { HttpContext } from '../context/index.ts'
import { lateDeclaration } from '../core/internal.ts'
import { DEFAULT_LIMITS } from '../http/internal.ts'
import { DEFAULT_INPUT_LIMITS } from '../input/internal.ts'
import type { TrailingSlash } from '../routing/index.ts'
import type { CloseOptions } from './close-hooks.ts'
import { LifecycleHooks } from './lifecycle-hooks.ts'
import { MiddlewareBands } from './middleware-bands.ts'
import type { ModuleDefinition } from './module.ts'
import {
  type AppLimits,
  type AppOptions,
  assertAppOptions,
  assertDirectory,
  assertLimits,
  assertLocales,
  assertModules,
  assertTemplate,
  readRouting,
  type RoutingOptions,
} from './options.ts'
import { type Registration, registration } from './registration.ts'

/** Everything configured before an application is built. */
export interface Configuration {
  /** Modules as listed. */
  readonly modules: readonly ModuleDefinition[]
  /** Folders with further modules. */
  readonly directories: readonly URL[]
  /** Callbacks of the composition root. */
  readonly configurations: readonly ((definitions: Definitions) => void)[]
  /** The middleware bands. */
  readonly bands: MiddlewareBands
  /** The hooks. */
  readonly hooks: LifecycleHooks
  /** Language tags, the first one the default. */
  readonly locales: readonly string[]
  /** How trailing slashes are treated. */
  readonly trailingSlash: TrailingSlash
  /** Whether localized modules have a locale prefix. */
  readonly localePrefixes: boolean
  /** Limits of what is read from a client. */
  readonly limits: AppLimits
  /** Template for error pages; null: the built-in page. */
  readonly errorTemplate: string | null
  /** Whether error pages may show stacks. */
  readonly debug: boolean
}

/** The configuration of an application, open until `boot()` locks it. */
export abstract class AppConfiguration {
  /** Hooks for errors, for completed responses and for the end. @internal */
  protected readonly hooks: LifecycleHooks = new LifecycleHooks()

  readonly #debug: boolean
  readonly #modules: ModuleDefinition[] = []
  readonly #directories: URL[] = []
  readonly #configurations: Registration[] = []
  readonly #bands = new MiddlewareBands()
  #locales: readonly string[]
  #trailingSlash: TrailingSlash
  #localePrefixes: boolean
  #limits: AppLimits = { ...DEFAULT_LIMITS, ...DEFAULT_INPUT_LIMITS, ...DEFAULT_ACTION_LIMITS }
  #errorTemplate: string | null = null
  #isLocked = false

  /**
   * @param options Languages and debugging.
   * @param trailingSlash How trailing slashes are treated.
   * @param localePrefixes Whether localized modules have a locale prefix.
   * @throws {TypeError} If an option has the wrong type or is unknown.
   */
  protected constructor(options: AppOptions, trailingSlash: TrailingSlash, localePrefixes: boolean) {
    assertAppOptions(options)
    this.#locales = [...(options.locales ?? [])]
    this.#debug = options.debug ?? process.env['NODE_ENV'] === 'development'
    this.#trailingSlash = trailingSlash
    this.#localePrefixes = localePrefixes
  }

  /**
   * @param locales BCP 47 tags; the first one is the default.
   * @returns This, for chaining.
   * @throws {TypeError} If it is not a list of strings.
   * @throws {Error} If `boot()` has been called, even while it runs.
   */
  locales(locales: readonly string[]): this {
    this.#assertOpen('locales')
    assertLocales(locales)
    this.#locales = [...locales]
    return this
  }

  /**
   * Overrides parts of the profile; parts that are not named stay.
   *
   * @param trailingSlash The policy, or parts by name.
   * @param localePrefixes Whether localized modules have a locale prefix. Default: unchanged.
   * @returns This, for chaining.
   * @throws {TypeError} If the policy or a part is invalid.
   * @throws {Error} If `boot()` has been called, even while it runs.
   * @example
   * ```ts
   * import assert from 'node:assert/strict'
   * import { App, Controller, defineModule } from 'sallyport'
   * import { TrailingSlash } from 'sallyport/routing'
   * import { TestClient } from 'sallyport/testing'
   *
   * class CartController extends Controller {
   *   static readonly actions = { index: [] }
   *   index() {}
   * }
   * const shop = defineModule('Shop', (module) => module.controllers(CartController))
   * const client = new TestClient(App.default().routing(TrailingSlash.Add).modules(shop))
   *
   * const redirect = await client.get('/shop/cart')
   * assert.equal(redirect.headers.get('location'), '/shop/cart/')
   * ```
   */
  routing(trailingSlash: TrailingSlash | RoutingOptions, localePrefixes?: boolean): this {
    this.#assertOpen('routing')
    const options = readRouting(trailingSlash, localePrefixes)
    this.#trailingSlash = options.trailingSlash ?? this.#trailingSlash
    this.#localePrefixes = options.localePrefixes ?? this.#localePrefixes
    return this
  }

  /**
   * @param modules Modules to add.
   * @returns This, for chaining.
   * @throws {TypeError} If a module was not created by `defineModule()`.
   * @throws {Error} If `boot()` has been called, even while it runs.
   */
  modules(...modules: ModuleDefinition[]): this {
    this.#assertOpen('modules')
    assertModules(modules)
    this.#modules.push(...modules)
    return this
  }

  /**
   * Adds every module of a folder at boot: the default export of each `<folder>/module.ts` (or `.js`), in the order of
   * the folder names. Links to folders are followed. A folder without such a file is skipped with a warning, unless its
   * name starts with `.` or `_`.
   *
   * @param directory The folder that contains the module folders.
   * @returns This, for chaining.
   * @throws {TypeError} If it is not a file URL.
   * @throws {Error} If `boot()` has been called, even while it runs.
   */
  modulesFrom(directory: URL): this {
    this.#assertOpen('modulesFrom')
    assertDirectory(directory)
    this.#directories.push(directory)
    return this
  }

  /**
   * Adds to the composition root.
   *
   * @param callback Registers services; it runs at boot, after the callbacks of modules.
   * @returns This, for chaining.
   * @throws {TypeError} If it is not a function or is an async one: open connections before you configure.
   * @throws {Error} If `boot()` has been called, even while it runs.
   * @example
   * ```ts
   * import assert from 'node:assert/strict'
   * import { App, Secret } from 'sallyport'
   *
   * class Mailer {
   *   readonly key: Secret
   *   constructor(key: Secret) {
   *     this.key = key
   *   }
   * }
   *
   * const app = App.default().configure((definitions) => {
   *   definitions.set(Mailer, new Mailer(new Secret(process.env.MAIL_KEY ?? 'development')))
   * })
   * await app.boot()
   *
   * assert.equal(String(app.get(Mailer).key), '[redacted]')
   * ```
   */
  configure(callback: (definitions: Definitions) => void): this {
    this.#assertOpen('configure')
    this.#configurations.push(registration(callback))
    return this
  }

  /**
   * @param limits Limits to change. Defaults: `bodyBytes` 1 MiB, `fields` 1000, `jsonDepth` 64, `handlerMilliseconds`
   * `Infinity`.
   * @returns This, for chaining.
   * @throws {Error} If `boot()` has been called, even while it runs.
   * @throws {TypeError} If a limit is unknown.
   * @throws {RangeError} If a limit is not a positive number.
   * @example
   * ```ts
   * import assert from 'node:assert/strict'
   * import { App, Controller, defineModule } from 'sallyport'
   * import { TestClient } from 'sallyport/testing'
   *
   * class NoteController extends Controller {
   *   static readonly actions = { indexPost: [] }
   *   async indexPost() {
   *     return { length: (await this.context.form())?.text('note')?.length }
   *   }
   * }
   * const notes = defineModule('Notes', (module) => module.controllers(NoteController))
   * const app = App.default().limits({ bodyBytes: 1000, handlerMilliseconds: 5000 }).modules(notes)
   *
   * const response = await new TestClient(app).post('/notes/note', { form: { note: 'x'.repeat(2000) } })
   * assert.equal(response.status, 413)
   * ```
   */
  limits(limits: Partial<AppLimits>): this {
    this.#assertOpen('limits')
    assertLimits(limits, this.#limits)
    this.#limits = { ...this.#limits, ...limits }
    return this
  }

  /**
   * Renders error pages with a template of the application. It receives `error` with `status`, `code`, `title`, `message`,
   * `lines`, `violations`, `requestId` and `trace`. If the template fails, the built-in page is sent.
   *
   * @param template Name of the template.
   * @returns This, for chaining.
   * @throws {TypeError} If it is not a valid name.
   * @throws {Error} If `boot()` has been called, even while it runs.
   */
  errorView(template: string): this {
    this.#assertOpen('errorView')
    assertTemplate(template)
    this.#errorTemplate = template
    return this
  }

  /**
   * @returns The middleware bands.
   */
  middleware(): MiddlewareBands {
    return this.#bands
  }

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
   * @param hook Runs after the outgoing band, when the response has been handed to the adapter. A body may still be on its
   * way to the client then.
   * @returns This, for chaining.
   * @throws {TypeError} If it is not a function.
   * @throws {Error} If `boot()` has been called, even while it runs.
   */
  onTerminate(hook: (context: HttpContext) => void): this {
    this.#assertOpen('onTerminate')
    this.hooks.onTerminate(hook)
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

  /**
   * @returns The current limits, for adapters.
   * @internal
   */
  currentLimits(): AppLimits {
    return this.#limits
  }

  /**
   * Locks the configuration: later declarations are refused, because they would have no effect.
   *
   * @returns The configuration.
   * @internal
   */
  protected lock(): Configuration {
    this.#isLocked = true
    return {
      modules: this.#modules,
      directories: this.#directories,
      configurations: this.#configurations,
      bands: this.#bands,
      hooks: this.hooks,
      locales: this.#locales,
      trailingSlash: this.#trailingSlash,
      localePrefixes: this.#localePrefixes,
      limits: this.#limits,
      errorTemplate: this.#errorTemplate,
      debug: this.#debug,
    }
  }

  #assertOpen(what: string): void {
    if (this.#isLocked)
      throw lateDeclaration(`${what}()`, 'the application is booting or has booted; call it before boot()')
  }
}
