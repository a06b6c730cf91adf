/** A served application whose pages do one deed each, and wait for it in one of three ways. @module */
import { setTimeout as sleep } from 'node:timers/promises'
import type { TestContext } from 'node:test'

import { App, Controller, defineModule } from '../../../src/app/index.ts'
import type { HttpContext } from '../../../src/context/index.ts'
import type { Middleware, Next } from '../../../src/http/index.ts'
import { serve } from '../../../src/node/index.ts'
import { type Actions } from '../../../src/routing/index.ts'
import { MemorySessionStore, type SessionRecord, SessionStore } from '../../../src/session/index.ts'
import type { Deed } from './deeds.ts'

/** When an action waits for the promise of its deed. */
export const WAITS = ['at once', 'late', 'never'] as const

/**
 * When an action waits for the promise of its deed; `after`: the deed itself comes after the response; `returned`: what the
 * deed gives is what the action returns.
 */
export type Wait = (typeof WAITS)[number] | 'after' | 'returned'

/** A store in memory that can fail as one on the network does. */
class FailingStore extends MemorySessionStore {
  isFailing = false

  override async read(id: string): Promise<SessionRecord | null> {
    await sleep(1)
    if (this.isFailing) throw new Error('connect ECONNREFUSED')
    return super.read(id)
  }
}

/** Reads the session before the action runs, as a middleware does that resolves the identity. */
class SessionReader implements Middleware {
  readonly #isMeant: () => boolean

  constructor(isMeant: () => boolean) {
    this.#isMeant = isMeant
  }

  async process(context: HttpContext, next: Next): Promise<Response> {
    if (this.#isMeant()) await context.session().get('a')
    return next()
  }
}

/** What a request came to. */
export interface Outcome {
  /** Status of the response; 0 when there was none. */
  readonly status: number
  /** Names of the errors that `onError()` got. */
  readonly heard: readonly string[]
  /** Messages of rejections that nobody had handled. */
  readonly unhandled: readonly string[]
}

/** The application, its server and all that was heard of it. */
export class Site {
  readonly store: FailingStore = new FailingStore()
  readonly heard: string[] = []
  readonly unhandled: string[] = []
  deed: Deed = () => undefined
  wait: Wait = 'at once'
  isRead = false
  url = ''
  cookie = ''
  body = ''
  #sent = ''
  readonly #application: App = this.#app()
  #settled = Promise.withResolvers<void>()

  /**
   * @param context Ends the server after the test.
   * @returns A site with a session that has an entry and a message, and no secret.
   */
  static async open(context: TestContext): Promise<Site> {
    const site = new Site()
    const server = await serve(site.#application, { port: 0, host: '127.0.0.1', signals: [] })
    const listen = (reason: unknown): void => void site.unhandled.push(String(reason))
    process.on('unhandledRejection', listen)
    context.after(async () => {
      await server.close()
      process.off('unhandledRejection', listen)
    })
    site.url = `http://127.0.0.1:${server.port}`
    await site.begin()
    return site
  }

  /** Begins a new session. */
  async begin(): Promise<void> {
    const response = await fetch(`${this.url}/begin`)
    this.cookie = response.headers.get('set-cookie')?.split(';')[0] ?? ''
  }

  /**
   * @param deed What the action does.
   * @param wait When it waits for that.
   * @param init The request. Default: a POST without a body.
   * @returns What it came to.
   */
  run(deed: Deed, wait: Wait, init: RequestInit = {}): Promise<Outcome> {
    const headers = { cookie: this.cookie, connection: 'close', ...init.headers }
    return this.#run(deed, wait, () => fetch(`${this.url}/deed`, { method: 'POST', ...init, headers }))
  }

  /**
   * As `run()`, with a request that another host than `serve()` received.
   *
   * @param deed What the action does.
   * @param wait When it waits for that.
   * @param request The request.
   * @returns What it came to.
   */
  receive(deed: Deed, wait: Wait, request: Request): Promise<Outcome> {
    return this.#run(deed, wait, () => this.#application.fetch(request))
  }

  async #run(deed: Deed, wait: Wait, send: () => Promise<Response>): Promise<Outcome> {
    this.deed = deed
    this.wait = wait
    this.heard.length = 0
    this.unhandled.length = 0
    this.#settled = Promise.withResolvers()
    const status = await send().then(
      async (response) => {
        this.body = await response.text()
        this.#sent = response.headers.get('set-cookie')?.split(';')[0] ?? this.cookie
        return response.status
      },
      () => 0,
    )
    if (wait === 'after') await this.#settled.promise
    // A rejection counts as unhandled when the microtasks of its turn have run.
    await sleep(8)
    return { status, heard: [...this.heard], unhandled: [...this.unhandled] }
  }

  /**
   * As `run()`, and the next request is of the same browser.
   *
   * @param deed What the action does.
   * @param wait When it waits for that.
   * @returns What it came to.
   */
  async follow(deed: Deed, wait: Wait): Promise<Outcome> {
    const outcome = await this.run(deed, wait)
    this.cookie = this.#sent
    return outcome
  }

  /**
   * @param deed What the action does.
   * @returns What it gave, as JSON read back.
   */
  async value(deed: Deed): Promise<unknown> {
    await this.follow(async (context) => ({ value: await deed(context) }), 'returned')
    return (JSON.parse(this.body) as { value: unknown }).value
  }

  /**
   * Does the deed. What waits for nothing is a plain function, whose answer is committed in the same turn.
   *
   * @param context Context of the request.
   * @returns The answer.
   */
  act(context: HttpContext): unknown {
    if (this.wait !== 'never') return this.#actLater(context)
    void this.deed(context)
    return 'done'
  }

  async #actLater(context: HttpContext): Promise<unknown> {
    if (this.wait === 'after') {
      setTimeout(() => {
        void this.deed(context)
        setTimeout(this.#settled.resolve, 5)
      }, 5)
      return 'done'
    }
    const begun = this.deed(context)
    if (this.wait === 'returned') return begun
    if (this.wait === 'late') await sleep(5)
    await begun
    return 'done'
  }

  #app(): App {
    const act = (context: HttpContext): unknown => this.act(context)
    class DeedController extends Controller {
      static readonly actions = { begin: [], deedPost: [], deed: [] } satisfies Actions<DeedController>

      async begin(): Promise<string> {
        await this.context.session().set('a', 1)
        await this.context.flash().add('notice', 'Welcome')
        return 'begun'
      }

      deedPost(): unknown {
        return act(this.context)
      }

      deed(): unknown {
        return act(this.context)
      }
    }
    const app = App.create()
    app.middleware().incoming(new SessionReader(() => this.isRead))
    return app
      .modules(
        defineModule('Site', (module) =>
          module.mount('/').routes((routes) => {
            routes.get('/begin', [DeedController, 'begin'])
            routes.post('/deed', [DeedController, 'deedPost'])
            routes.get('/deed', [DeedController, 'deed'])
          }),
        ),
      )
      .configure((definitions) => definitions.set(SessionStore, this.store))
      .onError((error) => void this.heard.push(error instanceof Error ? error.name : String(error)))
  }
}
