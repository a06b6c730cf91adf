// Our contestant: plays the scenarios like an ordinary application, with all defaults on. Contract: PORT, HOST, SCENARIO, TABLE
// and REDIS_URL in the environment, and `../application.ts`.
import { App, Controller, defineModule, type HttpContext, inject, type Module } from 'sallyport'
import { SessionAuthentication } from 'sallyport/auth'
import { ForbiddenException, type Middleware, type Next, UnauthorizedException } from 'sallyport/http'
import { input, param, type Actions } from 'sallyport/routing'
import type { StandardSchema } from 'sallyport/input'
import { MemorySessionStore, SessionStore } from 'sallyport/session'
import { CsrfMiddleware } from 'sallyport/middleware'
import { serve } from 'sallyport/node'
import {
  findUser,
  neededPermission,
  publicUser,
  readTable,
  settings,
  type TableRoute,
  type User,
} from '../application.ts'
import type { ControllerClass } from '../../src/routing/index.ts'

/** A schema that accepts any input: the bench measures the framework, not a validator. */
const anything: StandardSchema<Record<string, string>> = {
  '~standard': {
    version: 1,
    vendor: 'bench',
    // Input of a form: strings by name.
    validate: (value) => ({ value: value as Record<string, string> }),
  },
}

class HelloController extends Controller {
  static readonly actions = { hello: [] } satisfies Actions<HelloController>

  hello(): Response {
    return this.text('Hello, world!')
  }
}

class UserController {
  static readonly actions = { show: [param.string('id')] } satisfies Actions<UserController>

  show(id: string): object {
    return { id, name: `User ${id}` }
  }
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

class RequirePermission implements Middleware {
  process(context: HttpContext, next: Next): Promise<Response> {
    const auth = context.auth()
    if (!auth.isAuthenticated()) throw new UnauthorizedException('Bearer')
    if (!auth.allows(neededPermission)) throw new ForbiddenException()
    return next()
  }
}

class AccountController extends Controller {
  static readonly actions = {
    login: [input(anything)],
    me: [],
    form: [],
    submit: [input(anything)],
    state: [],
  } satisfies Actions<AccountController>

  readonly #sessions = inject(SessionAuthentication)

  async login(fields: Record<string, string>): Promise<null> {
    const user = await findUser(fields['user'] ?? '')
    if (user === null) throw new ForbiddenException()
    await this.#sessions.login(this.context.session(), this.context.auth(), user.id, user, user.permissions)
    return null
  }

  me(): object {
    return publicUser(this.context.auth().principalAs(Object) as User)
  }

  async form(): Promise<object> {
    return { csrf: await this.context.csrf().token() }
  }

  async submit(fields: Record<string, string>): Promise<Response> {
    const session = this.context.session()
    await session.set('count', ((await session.get<number>('count')) ?? 0) + 1)
    await session.set('title', fields['title'] ?? '')
    return this.redirect('/form/done')
  }

  async state(): Promise<object> {
    const session = this.context.session()
    return {
      count: (await session.get<number>('count')) ?? 0,
      title: (await session.get<string>('title')) ?? null,
    }
  }
}

/** One action for each route of the table, with the placeholders of its path as parameters. */
function tableController(route: TableRoute): ControllerClass {
  const names = [...route.path.matchAll(/:(\w+)/g)].map((match) => match[1] ?? '')
  return class TableController {
    static readonly actions = { run: names.map((name) => param.string(name)) }

    run(...values: string[]): object {
      return { route: route.id, params: Object.fromEntries(names.map((name, i) => [name, values[i]])) }
    }
  }
}

function scenarioModules(): ((module: Module) => unknown)[] {
  const { scenario } = settings
  if (scenario === 1)
    return [(m) => m.mount('/').routes((routes) => routes.get('/hello', [HelloController, 'hello']))]
  if (scenario === 2)
    return [(m) => m.mount('/').routes((routes) => routes.get('/users/{id}', [UserController, 'show']))]
  if (scenario === 3) {
    const modules = Map.groupBy(readTable(), (route) => route.path.split('/')[1] ?? '')
    return [...modules].map(
      ([segment, own]) =>
        (m: Module) =>
          m
            .mount(segment)
            .withoutConventionRouting()
            .routes((declare) => {
              for (const route of own) {
                const path = route.path.slice(segment.length + 1).replace(/:(\w+)/g, '{$1}') || '/'
                declare.map([route.method], path, [tableController(route), 'run' as never])
              }
            }),
    )
  }
  return [
    (m) =>
      m
        .mount('/')
        .middleware(IdentifyUser)
        .routes((routes) => {
          routes.post('/login', [AccountController, 'login'])
          routes.get('/me', [AccountController, 'me']).middleware(RequirePermission)
          routes.get('/form', [AccountController, 'form'])
          routes.get('/form/state', [AccountController, 'state'])
          routes.post('/form', [AccountController, 'submit']).middleware(CsrfMiddleware)
        }),
  ]
}

const app = App.create()
app.modules(...scenarioModules().map((configure, i) => defineModule(`Bench${i}`, configure)))
if (settings.scenario === 5) {
  const { RedisSessionStore } = await import('sallyport/session/redis')
  const store = await RedisSessionStore.connect({ url: process.env['REDIS_URL'] ?? '' })
  app.configure((definitions) => definitions.set(SessionStore, store))
} else if (settings.scenario >= 4) {
  app.configure((definitions) => definitions.set(SessionStore, new MemorySessionStore()))
}
await serve(app, { port: settings.port, host: settings.host })
