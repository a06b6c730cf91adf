// Our contestant of scenario 8: a signed-in page, like an ordinary application renders it, with all defaults on. Contract:
// PORT and HOST in the environment, and `../application.ts`.
import { App, Controller, defineModule, type HttpContext, inject } from 'sallyport'
import { SessionAuthentication } from 'sallyport/auth'
import { ForbiddenException, type Middleware, type Next, UnauthorizedException } from 'sallyport/http'
import type { StandardSchema } from 'sallyport/input'
import { CsrfMiddleware } from 'sallyport/middleware'
import { serve } from 'sallyport/node'
import { input, param, type Actions } from 'sallyport/routing'
import { MemorySessionStore, SessionStore } from 'sallyport/session'
import { ViewEngine, type View } from 'sallyport/view'
import { EdgeViewEngine } from 'sallyport/view/edge'
import { findEvents, findUser, settings, type User } from '../application.ts'

/** A schema that accepts any input: the bench measures the framework, not a validator. */
const anything: StandardSchema<Record<string, string>> = {
  '~standard': {
    version: 1,
    vendor: 'bench',
    // Input of a form: strings by name.
    validate: (value) => ({ value: value as Record<string, string> }),
  },
}

class IdentifyUser implements Middleware {
  readonly #sessions = inject(SessionAuthentication)

  async process(context: HttpContext, next: Next): Promise<Response> {
    const identifier = await this.#sessions.identifier(context.session())
    const user = identifier === null ? null : await findUser(identifier)
    if (user !== null) context.auth().authenticate(user, user.permissions)
    return next()
  }
}

class RequireLogin implements Middleware {
  process(context: HttpContext, next: Next): Promise<Response> {
    if (!context.auth().isAuthenticated()) throw new UnauthorizedException('Bearer')
    return next()
  }
}

class PageController extends Controller {
  static readonly actions = {
    home: [],
    login: [input(anything)],
    logout: [],
    page: [],
    article: [param.int('number')],
  } satisfies Actions<PageController>

  readonly #sessions = inject(SessionAuthentication)

  home(): string {
    return 'home'
  }

  async login(fields: Record<string, string>): Promise<null> {
    const user = await findUser(fields['user'] ?? '')
    if (user === null) throw new ForbiddenException()
    await this.#sessions.login(this.context.session(), this.context.auth(), user.id, user, user.permissions)
    return null
  }

  async logout(): Promise<Response> {
    await this.#sessions.logout(this.context.session(), this.context.auth())
    return this.redirectToRoute('home')
  }

  async page(): Promise<View> {
    // The middleware has authenticated a user of the bench.
    const user = this.context.auth().principalAs(Object) as User
    return this.view('page', { events: await findEvents(user.id) })
  }

  article(number: number): object {
    return { number }
  }
}

const bench = defineModule('Bench', (module) =>
  module
    .mount('/')
    .middleware(IdentifyUser)
    .routes((routes) => {
      routes.get('/', [PageController, 'home']).name('home')
      routes.post('/login', [PageController, 'login'])
      routes.post('/logout', [PageController, 'logout']).name('logout').middleware(CsrfMiddleware)
      routes.get('/page', [PageController, 'page']).name('page').middleware(RequireLogin)
      routes.get('/articles/{number}', [PageController, 'article']).name('article')
    }),
)
const app = App.create()
  .modules(bench)
  .configure((definitions) =>
    definitions
      .set(SessionStore, new MemorySessionStore())
      .set(ViewEngine, new EdgeViewEngine({ directory: new URL('../views/', import.meta.url) })),
  )
await serve(app, { port: settings.port, host: settings.host })
