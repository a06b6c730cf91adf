import type { Definitions } from '../container/index.ts'
import { DEFAULT_ACTION_LIMITS } from '../context/internal.ts'
import { DEFAULT_LIMITS } from '../http/internal.ts'
import { DEFAULT_INPUT_LIMITS } from '../input/internal.ts'
import type { TrailingSlash } from '../routing/index.ts'
import { AppHooks } from './app-hooks.ts'
import type { LifecycleHooks } from './lifecycle-hooks.ts'
import { assertErrorRenderer, type ErrorRenderer, type ErrorRendererClass } from './failure.ts'
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
  /** Decides how errors look; null: nothing does. */
  readonly errorRenderer: ErrorRendererClass | ErrorRenderer | null
  /** Template for error pages; null: the built-in page. */
  readonly errorTemplate: string | null
  /** Whether error pages may show stacks. */
  readonly debug: boolean
  /** The path of the host that all URLs begin with; empty for none. */
  readonly basePath: string
}

/** The configuration of an application, open until `boot()` locks it. */
export abstract class AppConfiguration extends AppHooks {
  /** The path of the host below which the application is; empty when it has the whole host. */
  readonly basePath: string
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
  #errorRenderer: ErrorRendererClass | ErrorRenderer | null = null

  /**
   * @param options Languages, debugging and the base path.
   * @param trailingSlash How trailing slashes are treated.
   * @param localePrefixes Whether localized modules have a locale prefix.
   * @throws {TypeError} If an option has the wrong type or is unknown.
   */
  protected constructor(options: AppOptions, trailingSlash: TrailingSlash, localePrefixes: boolean) {
    super()
    assertAppOptions(options)
    this.basePath = options.basePath ?? ''
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
    this.assertOpen('locales')
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
    this.assertOpen('routing')
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
    this.assertOpen('modules')
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
    this.assertOpen('modulesFrom')
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
    this.assertOpen('configure')
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
    this.assertOpen('limits')
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
    this.assertOpen('errorView')
    assertTemplate(template)
    this.#errorTemplate = template
    return this
  }

  /**
   * Decides how errors look, where no module decides. If the renderer gives null or fails, the client gets what it accepts:
   * problem details, or the page of `errorView()`, or the built-in one.
   *
   * @param renderer A class, built once through the container, or an instance.
   * @returns This, for chaining.
   * @throws {TypeError} If it has no method `render`.
   * @throws {Error} If `boot()` has been called, even while it runs.
   */
  errors(renderer: ErrorRendererClass | ErrorRenderer): this {
    this.assertOpen('errors')
    assertErrorRenderer(renderer)
    this.#errorRenderer = renderer
    return this
  }

  /**
   * @returns The middleware bands.
   */
  middleware(): MiddlewareBands {
    return this.#bands
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
    this.lockHooks()
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
      errorRenderer: this.#errorRenderer,
      errorTemplate: this.#errorTemplate,
      debug: this.#debug,
      basePath: this.basePath,
    }
  }
}
