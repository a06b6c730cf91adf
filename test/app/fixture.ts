/**
 * Small applications for tests: a route for each line of a table, answered by a function of the context.
 *
 * @module
 */
import { App, type AppOptions, Controller, defineModule, type HttpContext, type Module } from 'sallyport'
import type { MiddlewareClass } from 'sallyport/http'
import { MemorySessionStore, SessionStore } from 'sallyport/session'
import { TestClient } from 'sallyport/testing'
import type { ControllerClass } from '../../src/routing/index.ts'

/** Answers a request. */
export type Answer = (context: HttpContext) => unknown

/** Answers by method and path: `'GET /cart'`; several methods are joined by a bar: `'GET|POST /cart'`. */
export type Answers = Readonly<Record<string, Answer>>

/** What a test says beside the answers. */
export interface SiteOptions extends AppOptions {
  /** Middlewares of the module, outermost first. */
  readonly middlewares?: readonly MiddlewareClass[]
  /** Configures the application before it boots. */
  readonly configure?: (app: App) => unknown
  /** Configures the module further. */
  readonly module?: (module: Module) => unknown
}

/**
 * @param answers Answers by method and path.
 * @param options Middlewares and configuration.
 * @returns An application whose one module answers at the root.
 */
export function site(answers: Answers, options: SiteOptions = {}): App {
  const { middlewares = [], configure, module: extend, ...appOptions } = options
  const controller = controllerOf(answers)
  const root = defineModule('Site', (module) => {
    module
      .mount('/')
      .withoutConventionRouting()
      .controllers(controller)
      .middleware(...middlewares)
      .routes((routes) => {
        Object.keys(answers).forEach((line, i) => {
          const [methods = '', path = ''] = line.split(' ')
          routes.map(methods.split('|'), path, `Pages::answer${i}`)
        })
      })
    extend?.(module)
  })
  const app = App.create({ debug: false, ...appOptions })
    .modules(root)
    .configure((definitions) => definitions.set(SessionStore, new MemorySessionStore()))
  configure?.(app)
  return app
}

/**
 * @param answers Answers by method and path.
 * @param options Middlewares and configuration.
 * @returns A browser without cookies in front of such an application.
 */
export function browser(answers: Answers, options: SiteOptions = {}): TestClient {
  return new TestClient(site(answers, options))
}

/** Collects what an application reports as unexpected. */
export class Faults {
  readonly seen: unknown[] = []

  /** Listens to an application. */
  listen = (app: App): void => {
    app.onError((error) => {
      this.seen.push(error)
    })
  }

  /** The messages, in order. */
  get messages(): string[] {
    return this.seen.map((fault) => (fault instanceof Error ? fault.message : String(fault)))
  }
}

function controllerOf(answers: Answers): ControllerClass {
  const list = Object.values(answers)
  class Pages extends Controller {
    static readonly actions: Readonly<Record<string, readonly []>> = Object.fromEntries(
      list.map((_, i) => [`answer${i}`, [] as const]),
    )
    answerBy(index: number): unknown {
      return list[index]?.(this.context)
    }
  }
  list.forEach((_, i) => {
    Object.defineProperty(Pages.prototype, `answer${i}`, {
      value(this: Pages): unknown {
        return this.answerBy(i)
      },
    })
  })
  return Pages
}
