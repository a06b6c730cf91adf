/** A resolver that serves two modules, one of them behind a gate. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { App, Controller, defineModule } from 'sallyport'
import type { Middleware } from 'sallyport/http'
import { type Actions, type Resolver, Route, type RouteRequest, RouteTarget } from 'sallyport/routing'

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
    const kept = (memory.get('route') ?? request.route(PageController, 'show')) as Route
    memory.set('route', kept)
    return new Route(kept.target, [], null)
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
      it(`ROUTE-26: does not open the guarded one with ${way}${isLate ? ', by a promise' : ''}`, async () => {
        const { app, faults } = twoModules(keeper(remember, isLate))

        assert.equal(await get(app, '/site/about'), '200 the page')
        assert.equal(await get(app, '/admin/users'), '500')

        assert.equal(faults.length, 1)
        assert.match(faults[0] ?? '', /^RoutingException: .*module "Admin".*PageController::show.*module "/)
        assert.match(faults[0] ?? '', way.includes('own') ? /for module "Admin"/ : /for module "Site"/)
      })
    }
  }

  it('ROUTE-26: answers each with a route that it makes for it', async () => {
    const { app } = twoModules({ resolve: (request) => request.route(PageController, 'show') })

    assert.equal(await get(app, '/site/about'), '200 the page')
    assert.equal(await get(app, '/admin/about'), '401 gated')
  })

  it('ROUTE-26: may keep a route for each of them', async () => {
    const routes = new Map<string, Route>()
    const { app } = twoModules({
      resolve: (request) => {
        const route = routes.get(request.module) ?? request.route(PageController, 'show')
        routes.set(request.module, route)
        return route
      },
    })

    for (const path of ['/site/a', '/admin/a', '/site/b', '/admin/b'])
      assert.equal(await get(app, path), path.startsWith('/site') ? '200 the page' : '401 gated')
  })
})
