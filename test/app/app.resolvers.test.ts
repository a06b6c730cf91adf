/** Resolvers that keep what they should not: for two modules, one of them behind a gate, and for one. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { App, binding, Controller, defineModule, inject } from 'sallyport'
import type { Middleware } from 'sallyport/http'
import {
  type Actions,
  param,
  type Resolver,
  type ResolverClass,
  Route,
  type RouteRequest,
} from 'sallyport/routing'
import { BoundRoute, RouteTarget } from '../../src/routing/route.ts'

class Gate implements Middleware {
  process(): Response {
    return new Response('gated', { status: 401 })
  }
}

class PageController extends Controller {
  static readonly actions = { show: [] } satisfies Actions<PageController>

  show(): string {
    return 'the page'
  }
}

/** Remembers, and answers with what it remembers. */
type Remember = (request: RouteRequest, memory: Map<string, RouteRequest | Route>) => Route | null

function keeper(remember: Remember, isLate: boolean): Resolver {
  const memory = new Map<string, RouteRequest | Route>()
  return {
    resolve: (request) => {
      const route = remember(request, memory)
      return isLate ? Promise.resolve(route) : route
    },
  }
}

const WAYS: Readonly<Record<string, Remember>> = {
  'a route that was kept': (request, memory) => {
    const kept = memory.get('route') ?? request.route(PageController, 'show')
    memory.set('route', kept)
    return kept as Route
  },
  'a route with bindings that was kept': (request, memory) => {
    const kept = memory.get('route') ?? request.route(PageController, 'show', { bindings: { page: {} } })
    memory.set('route', kept)
    return kept as Route
  },
  'a route of a request that was kept': (request, memory) => {
    const kept = (memory.get('request') ?? request) as RouteRequest
    memory.set('request', kept)
    return kept.route(PageController, 'show')
  },
  'a route that copies the target of one that was kept': (request, memory) => {
    const kept = memory.get('route') as Route | undefined
    if (kept !== undefined) return new Route(kept.target, [], null)
    const route = request.route(PageController, 'show')
    memory.set('route', route)
    return route
  },
  'a route with a target of its own': (request) => {
    const { target } = request.route(PageController, 'show')
    if (request.module === 'Site') return request.route(PageController, 'show')
    const parts = {
      module: request.module,
      middlewares: [],
      name: null,
      where: null,
      defaults: null,
      priority: 0,
    }
    return new Route(new RouteTarget(target.action, parts), [], null)
  },
}

function twoModules(resolver: Resolver): { app: App; faults: string[] } {
  const faults: string[] = []
  const app = App.create({ debug: false })
    .modules(
      defineModule('Site', (module) => module.resolver(resolver)),
      defineModule('Admin', (module) => module.middleware(Gate).resolver(resolver)),
    )
    .onError((error) => void faults.push(String(error)))
  return { app, faults }
}

async function get(app: App, path: string): Promise<string> {
  const response = await app.fetch(new Request(`http://h.test${path}`))
  return `${response.status} ${response.status === 500 ? '' : await response.text()}`.trimEnd()
}

describe('A resolver that two modules share', () => {
  for (const [way, remember] of Object.entries(WAYS)) {
    for (const isLate of [false, true]) {
      it(`does not open the guarded module with ${way}${isLate ? ', by a promise' : ''} [ROUTE-26]`, async () => {
        const { app, faults } = twoModules(keeper(remember, isLate))

        assert.equal(await get(app, '/site/about'), '200 the page')
        assert.equal(await get(app, '/admin/users'), '500')

        assert.equal(faults.length, 1)
        assert.match(faults[0] ?? '', /^RoutingException: .*module "Admin".*PageController::show.*module "/)
        assert.match(faults[0] ?? '', way.includes('own') ? /for module "Admin"/ : /for module "Site"/)
      })
    }
  }

  it('returns a separate route for each module [ROUTE-26]', async () => {
    const { app } = twoModules({ resolve: (request) => request.route(PageController, 'show') })

    assert.equal(await get(app, '/site/about'), '200 the page')
    assert.equal(await get(app, '/admin/about'), '401 gated')
  })

  it('must not keep a route for each of them [ROUTE-27]', async () => {
    const routes = new Map<string, Route>()
    const { app, faults } = twoModules({
      resolve: (request) => {
        const route = routes.get(request.module) ?? request.route(PageController, 'show')
        routes.set(request.module, route)
        return route
      },
    })

    assert.equal(await get(app, '/site/a'), '200 the page')
    assert.equal(await get(app, '/admin/a'), '401 gated')
    for (const path of ['/site/b', '/admin/b']) assert.equal(await get(app, path), '500')
    assert.equal(faults.length, 2)
  })
})

/** Shows whose request it believes to serve. */
class PersonController extends Controller {
  static readonly actions = { show: [param.string('name')] } satisfies Actions<PersonController>

  readonly #person = inject(binding<{ name: string }>('person'))

  show(name: string): string {
    return `${name}, ${this.#person.name}, ${this.context.locale()}`
  }
}

function personOf(request: RouteRequest): Route {
  const name = request.segments[0] ?? ''
  return request.route(PersonController, 'show', { args: [name], bindings: { person: { name } } })
}

function people(resolver: Resolver | ResolverClass): { app: App; faults: string[] } {
  const faults: string[] = []
  const app = App.default({ debug: false, locales: ['fr', 'en'] })
    .modules(defineModule('People', (module) => module.localized().resolver(resolver)))
    .onError((error) => void faults.push(String(error)))
  return { app, faults }
}

/** Keeps what it gave first, in every way that it can be kept. */
const KEPT: Readonly<Record<string, () => Resolver['resolve']>> = {
  'the route of an earlier request': () => {
    let kept: Route | undefined
    return (request) => (kept ??= personOf(request))
  },
  'an earlier request that creates the route again': () => {
    let kept: RouteRequest | undefined
    return (request) => personOf((kept ??= request))
  },
  'an earlier route in a new one': () => {
    let kept: Route | undefined
    return (request) => {
      if (kept === undefined) return (kept = personOf(request))
      return new BoundRoute(new Route(kept.target, kept.args, kept.locale), kept.bindings)
    }
  },
}

/** What looks like a route that was kept, and is none. */
const DISGUISED: Readonly<Record<string, (kept: Route) => Route>> = {
  'made of it': (kept) => Object.create(kept) as Route,
  'a proxy of it': (kept) => new Proxy(kept, {}),
  'a copy of it': (kept) => ({ ...kept, target: kept.target, args: kept.args }) as unknown as Route,
}

describe('A resolver of one module', () => {
  for (const [way, keep] of Object.entries(KEPT)) {
    for (const isLate of [false, true]) {
      it(`serves no client ${way}${isLate ? ', by a promise' : ''} [ROUTE-27]`, async () => {
        const resolve = keep()
        const { app, faults } = people({
          resolve: (request) => (isLate ? Promise.resolve(resolve(request)) : resolve(request)),
        })

        assert.equal(await get(app, '/fr/people/ada'), '200 ada, ada, fr')
        assert.equal(await get(app, '/en/people/bob'), '500')
        assert.equal(await get(app, '/fr/people/ada'), '500')

        assert.equal(faults.length, 2)
        assert.match(
          faults[0] ?? '',
          /^RoutingException: .*module "People".*PersonController::show.*request\.route/,
        )
      })
    }
  }

  for (const [way, disguise] of Object.entries(DISGUISED)) {
    it(`serves no client an earlier route as an object that is ${way} [ROUTE-27]`, async () => {
      let kept: Route | undefined
      const { app, faults } = people({
        resolve: (request) => (kept === undefined ? (kept = personOf(request)) : disguise(kept)),
      })

      assert.equal(await get(app, '/fr/people/ada'), '200 ada, ada, fr')
      assert.equal(await get(app, '/en/people/bob'), '500')

      assert.match(faults.join(), /^TypeError: .*module "People".*request\.route/)
    })
  }

  it('serves neither of two concurrent requests the route that it keeps for the other [ROUTE-27]', async () => {
    class Racing implements Resolver {
      #route: Route | null = null

      async resolve(request: RouteRequest): Promise<Route | null> {
        this.#route = personOf(request)
        await new Promise((resolve) => setTimeout(resolve, 5))
        return this.#route
      }
    }
    const { app, faults } = people(Racing)

    const answers = await Promise.all(['/fr/people/ada', '/en/people/bob'].map((path) => get(app, path)))

    assert.deepEqual(answers, ['500', '200 bob, bob, en'])
    assert.equal(faults.length, 1)
  })

  it('answers each of many concurrent requests with its own route [ROUTE-27]', async () => {
    const { app, faults } = people({
      resolve: async (request) => {
        const route = personOf(request)
        await new Promise((resolve) => setTimeout(resolve, 5))
        return route
      },
    })

    const names = Array.from({ length: 20 }, (_, index) => `person${index}`)
    const answers = await Promise.all(names.map((name) => get(app, `/en/people/${name}`)))

    assert.deepEqual(
      answers,
      names.map((name) => `200 ${name}, ${name}, en`),
    )
    assert.deepEqual(faults, [])
  })

  it('may create several routes of a request, ask another resolver with it, and return any of them [ROUTE-27]', async () => {
    const inner: Resolver = { resolve: personOf }
    const { app } = people({
      resolve: (request) => {
        const first = inner.resolve(request)
        personOf(request)
        return first
      },
    })

    for (const name of ['ada', 'bob', 'ada'])
      assert.equal(await get(app, `/en/people/${name}`), `200 ${name}, ${name}, en`)
  })

  it('may be an object without a class [ROUTE-32]', async () => {
    const { app, faults } = people(
      Object.assign(Object.create(null) as object, {
        resolve: (request: RouteRequest) =>
          request.segments[0] === 'odd' ? ('odd' as unknown as Route) : personOf(request),
      }),
    )

    assert.equal(await get(app, '/en/people/ada'), '200 ada, ada, en')
    assert.equal(await get(app, '/en/people/odd'), '500')

    assert.match(faults.join(), /^TypeError: Cannot use the answer of a resolver in module "People"/)
    const explanation = await (await app.inspection()).explain('GET', '/en/people/ada')
    assert.match(explanation.toText(), /PersonController/)
    assert.equal((await app.inspection()).routes().length, 1)
  })

  it('is explained whatever arguments it returns [ROUTE-32]', async () => {
    const odd: unknown = Object.create(null)
    const { app } = people({
      resolve: (request) => request.route(PersonController, 'show', { args: [odd] }),
    })
    await app.boot()

    const explanation = await (await app.inspection()).explain('GET', '/en/people/ada')

    assert.match(explanation.toText(), /PersonController::show\("an object"\)/)
  })

  it('is refused by explain() too when it keeps a route [ROUTE-27]', async () => {
    let kept: Route | undefined
    const { app } = people({ resolve: (request) => (kept ??= personOf(request)) })
    await app.boot()

    await (await app.inspection()).explain('GET', '/en/people/ada')

    const { result, steps } = await (await app.inspection()).explain('GET', '/en/people/bob')
    assert.deepEqual([result.kind, result.status], ['failed', 500])
    assert.match(
      result.text,
      /of module "People".*: it threw RoutingException: Cannot use the answer of .*each resolver receives its own request/,
    )
    assert.ok(steps.length > 1)
  })
})
