import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import {
  App,
  Controller,
  type Definitions,
  defineModule,
  HttpContext,
  inject,
  type MiddlewareBands,
  type Module,
} from 'sallyport'
import type { Actions, RouteDeclaration, RouteGroup, Routes } from 'sallyport/routing'

class Gate {
  process(): Response {
    return new Response('refused', { status: 403 })
  }
}

class PageController extends Controller {
  static readonly actions: Actions<PageController> = { index: [] }
  index(): string {
    return 'open'
  }
}

/** Everything that declares, kept from an application that has booted and has answered once. */
interface Kept {
  readonly app: App
  readonly module: Module
  readonly routes: Routes
  readonly route: RouteDeclaration
  readonly group: RouteGroup
  readonly claim: Routes
  readonly bands: MiddlewareBands
  readonly definitions: Definitions
}

async function keep(): Promise<Kept> {
  const kept: Partial<Record<keyof Kept, unknown>> = {}
  const app = App.create()
    .modules(
      defineModule('Shop', (module) => {
        kept.module = module
          .controllers(PageController)
          .claim('/news', (routes) => void (kept.claim = routes))
          .routes((routes) => {
            kept.routes = routes
            kept.route = routes.get('/x', [PageController, 'index'])
            const group = routes.prefix('/y')
            group.group(declareNothing)
            kept.group = group
          })
      }),
    )
    .configure((definitions) => void (kept.definitions = definitions))
  await app.boot()
  for (const path of ['/shop/x', '/news/a']) await app.fetch(new Request(`http://shop.test${path}`))
  return { ...kept, app, bands: app.middleware() } as Kept
}

const page = [PageController, 'index'] as const
const declareNothing = (): undefined => undefined

const LATE: Readonly<Record<string, (kept: Kept) => unknown>> = {
  'Module.mount()': ({ module }) => module.mount('other'),
  'Module.localized()': ({ module }) => module.localized(),
  'Module.controllers()': ({ module }) => module.controllers(PageController),
  'Module.middleware()': ({ module }) => module.middleware(Gate),
  'Module.routes()': ({ module }) => module.routes(declareNothing),
  'Module.resolver()': ({ module }) => module.resolver({ resolve: () => null }),
  'Module.claim()': ({ module }) => module.claim('/other', declareNothing),
  'Module.withoutConventionRouting()': ({ module }) => module.withoutConventionRouting(),
  'Module.configure()': ({ module }) => module.configure(declareNothing),
  'Routes.get()': ({ routes }) => routes.get('/late', page),
  'Routes.map()': ({ routes }) => routes.map(['PURGE'], '/late', page),
  'Routes.prefix()': ({ routes }) => routes.prefix('/late'),
  'Routes.middleware()': ({ routes }) => routes.middleware(Gate),
  'Routes.get() of a claim': ({ claim }) => claim.get('/late', page),
  'RouteGroup.prefix()': ({ group }) => group.prefix('/late'),
  'RouteGroup.middleware()': ({ group }) => group.middleware(Gate),
  'RouteGroup.group()': ({ group }) => group.group(declareNothing),
  'RouteDeclaration.middleware()': ({ route }) => route.middleware(Gate),
  'RouteDeclaration.name()': ({ route }) => route.name('late'),
  'RouteDeclaration.where()': ({ route }) => route.where('slug', 'x'),
  'RouteDeclaration.default()': ({ route }) => route.default('slug', 'x'),
  'RouteDeclaration.priority()': ({ route }) => route.priority(1),
  'MiddlewareBands.incoming()': ({ bands }) => bands.incoming(Gate),
  'MiddlewareBands.routed()': ({ bands }) => bands.routed(Gate),
  'MiddlewareBands.outgoing()': ({ bands }) => bands.outgoing({ process: (response) => response }),
  'Definitions.set()': ({ definitions }) => definitions.set(Gate, new Gate()),
  'App.modules()': ({ app }) => app.modules(defineModule('Late', declareNothing)),
  'App.locales()': ({ app }) => app.locales(['fr']),
  'App.routing()': ({ app }) => app.routing('add'),
  'App.configure()': ({ app }) => app.configure(declareNothing),
  'App.limits()': ({ app }) => app.limits({ fields: 3 }),
  'App.errorView()': ({ app }) => app.errorView('error'),
  'App.onTerminate()': ({ app }) => app.onTerminate(declareNothing),
}

describe('a late declaration', () => {
  for (const [what, declare] of Object.entries(LATE)) {
    it(`${what} throws, and names what was called and where [HOLD-35]`, async () => {
      const kept = await keep()
      const method = /\.(\w+)\(/.exec(what)?.[1] ?? ''

      assert.throws(() => declare(kept), {
        message: new RegExp(String.raw`\b(?:${method}\(\)|map\(\)|set Gate).*late\.test\.ts:\d+\)$`),
      })
    })
  }

  it('a guard that a promise adds is refused instead of left out silently [HOLD-35]', async () => {
    const settings = Promise.resolve()
    const declared = Promise.withResolvers<unknown>()
    const app = App.create().modules(
      defineModule('Ops', (module) => {
        module.controllers(PageController)
        declared.resolve(settings.then(() => module.middleware(Gate)))
      }),
    )

    const [refused, booted] = await Promise.allSettled([declared.promise, app.boot()])

    assert.equal(refused.status, 'rejected')
    assert.match(String(refused.reason), /middleware\(\) of module "Ops" .*it has been read/)
    assert.equal(booted.status, 'fulfilled')
  })

  it('a group is locked by group(), so that its routes cannot miss later declarations [HOLD-35]', async () => {
    let message = ''
    const app = App.create().modules(
      defineModule('Shop', (module) =>
        module.routes((routes) => {
          const group = routes.prefix('/y')
          group.group((inner) => void inner.get('/x', page))
          try {
            group.middleware(Gate)
          } catch (error) {
            message = String(error)
          }
        }),
      ),
    )

    await app.boot()
    const inspection = await app.inspection()
    inspection.audit()

    assert.match(message, /middleware\(\) of a group: group\(\) has been called/)
  })

  const UNFINISHED: Readonly<Record<string, readonly [(routes: Routes) => unknown, RegExp]>> = {
    'prefix() alone': [
      (routes) => routes.prefix('/y'),
      /the group by "\/y" without routes: end it with \.group\(/,
    ],
    'middleware() alone': [
      (routes) => routes.middleware(Gate),
      /the group by class Gate without routes: end it/,
    ],
    'both, in a group': [
      (routes) => routes.prefix('/a').group((inner) => void inner.prefix('/b').middleware(Gate)),
      /the group by "\/a\/b", class Gate without routes: end it/,
    ],
    'a callback given to prefix()': [
      (routes) => (routes.prefix as (...given: unknown[]) => unknown)('/y', declareNothing),
      /the group by "\/y" without routes: end it/,
    ],
    'a route behind prefix()': [
      (routes) => (routes.prefix('/y') as unknown as Routes).get('/x', page),
      /get is not a function/,
    ],
  }

  for (const [what, [declare, message]] of Object.entries(UNFINISHED))
    it(`a group that ends with ${what} is refused with its place: it would guard nothing [HOLD-35]`, async () => {
      const app = App.create().modules(
        defineModule('Shop', (module) =>
          module.routes((routes) => {
            declare(routes)
            routes.get('/x', page)
          }),
        ),
      )
      await app.boot()

      const [finding] = (await app.inspection()).audit().findings
      const { status } = await app.fetch(new Request('http://shop.test/shop/x'))

      assert.match(finding?.message ?? '', message)
      assert.match(finding?.message ?? '', /module "Shop" .*\(\S*late\.test\.ts:\d+\)$/)
      assert.equal(status, 500)
    })
})

class Needy {
  readonly realm: string

  constructor(realm: string) {
    this.realm = realm
  }

  process(): Response {
    return new Response(this.realm)
  }
}

class Failing {
  constructor() {
    throw new Error('no key')
  }

  process(): Response {
    return new Response()
  }
}

class Throwing {
  constructor() {
    // oxlint-disable-next-line only-throw-error -- whatever the application throws
    throw 'no error'
  }

  process(): Response {
    return new Response()
  }
}

class OfRequest {
  readonly context: HttpContext = inject(HttpContext)

  process(): Response {
    return new Response()
  }
}

class NeedyController {
  static readonly actions = { index: [] }
  readonly shop: string

  constructor(shop: string) {
    this.shop = shop
  }

  index(): string {
    return this.shop
  }
}

/** What a check tells of a module. */
async function findings(configure: (module: Module) => unknown): Promise<readonly string[]> {
  const app = App.create().modules(defineModule('Shop', (module) => void configure(module)))
  await app.boot()
  const { findings } = (await app.inspection()).audit()
  return findings.map(({ code, message }) => `${code}: ${message}`)
}

describe('a class that cannot be built', () => {
  for (const [type, reason] of [
    [Needy, 'its constructor has arguments without defaults'],
    [Failing, 'no key'],
    [Throwing, 'its constructor threw "no error"'],
    [OfRequest, 'it belongs to one request'],
  ] as const) {
    it(`${type.name} is found when the table of its route or group compiles [HOLD-35]`, async () => {
      const middleware = type as unknown as typeof Gate
      const ofRoute = await findings((module) =>
        module.routes((routes) => void routes.get('/x', page).middleware(middleware)),
      )
      const ofGroup = await findings((module) =>
        module.routes((routes) => {
          routes.middleware(middleware).group((group) => void group.get('/x', page))
        }),
      )

      for (const [message = '', ...more] of [ofRoute, ofGroup]) {
        assert.deepEqual(more, [])
        assert.ok(message.includes(`Cannot use class ${type.name} as a middleware of GET /x`), message)
        assert.ok(message.includes(reason), message)
        assert.match(message, /module "Shop" .*late\.test\.ts:\d+\)/)
      }
    })
  }

  it('a middleware is built once, or registered where it cannot be [HOLD-35]', async () => {
    const app = App.create()
      .configure((definitions) => definitions.set(Needy, new Needy('given')))
      .modules(
        defineModule('Shop', (module) =>
          module.routes((routes) => void routes.get('/x', page).middleware(Needy as never)),
        ),
      )

    const response = await app.fetch(new Request('http://shop.test/shop/x'))

    assert.equal(await response.text(), 'given')
  })

  it('a listed controller is refused at boot, another one when its table compiles [HOLD-35]', async () => {
    const controller = NeedyController as never
    const refusal =
      /Cannot use NeedyController as a controller: its constructor has arguments without defaults.*module "Shop"/

    await assert.rejects(
      findings((module) => module.controllers(controller)),
      refusal,
    )
    const [unlisted] = await findings((module) =>
      module.routes((routes) => void routes.get('/x', [controller, 'index' as never])),
    )

    assert.match(unlisted ?? '', /^does-not-compile: .*module "Shop".*constructor has arguments/)
    assert.match(unlisted ?? '', /late\.test\.ts:\d+\)/)
  })
})
