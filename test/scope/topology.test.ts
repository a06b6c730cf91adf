import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { App, Controller, defineModule, type HttpContext, Module } from 'sallyport'
import type { Middleware, Next } from 'sallyport/http'
import { type Actions, RouteDeclaration, RouteGroup, Routes } from 'sallyport/routing'
import { TestClient } from 'sallyport/testing'

class Passing implements Middleware {
  process(_context: HttpContext, next: Next): Promise<Response> {
    return next()
  }
}
class OfModule extends Passing {}
class OfGroup extends Passing {}
class OfRoute extends Passing {}

class PageController extends Controller {
  static readonly actions: Actions<PageController> = { index: [], trace: [] }
  index(): object {
    return this.trace()
  }
  trace(): object {
    const { middlewares } = this.context.route()
    return { ran: this.context.middlewares(), effective: middlewares.map(({ name }) => name) }
  }
}

const shop = defineModule('Shop', (module) =>
  module
    .controllers(PageController)
    .middleware(OfModule)
    .routes((routes) => {
      routes.get('/plain', [PageController, 'trace'])
      routes.get('/route', [PageController, 'trace']).middleware(OfRoute)
      routes
        .prefix('/group')
        .middleware(OfGroup)
        .group((group) => {
          group.get('/inner', [PageController, 'trace']).middleware(OfRoute)
          group.get('/again', [PageController, 'trace']).middleware(OfRoute, OfModule, OfGroup)
        })
    })
    .claim('/promo', (routes) => {
      routes.get('/now', [PageController, 'trace']).middleware(OfRoute)
    }),
)
const open = defineModule('Open', (module) => module.controllers(PageController))

describe('middlewares of modules, groups and routes', () => {
  const client = new TestClient(App.create().modules(shop, open))

  for (const [title, path, expected] of [
    ['TOPO-08, TOPO-15: a module covers its table routes', '/shop/plain', ['OfModule']],
    [
      'TOPO-08, TOPO-11, TOPO-15: a route has its own, behind those of the module',
      '/shop/route',
      ['OfModule', 'OfRoute'],
    ],
    [
      'TOPO-08, TOPO-11, TOPO-15: a group stands between module and route',
      '/shop/group/inner',
      ['OfModule', 'OfGroup', 'OfRoute'],
    ],
    [
      'TOPO-12, TOPO-15: one that is declared at several levels runs once, at its outermost place',
      '/shop/group/again',
      ['OfModule', 'OfGroup', 'OfRoute'],
    ],
    ['TOPO-09: a module covers its claims', '/promo/now', ['OfModule', 'OfRoute']],
    ['TOPO-10: a module covers its convention routing', '/shop/page', ['OfModule']],
    ['TOPO-08: a module covers no other module', '/open/page', []],
  ] as const) {
    it(title, async () => {
      const response = await client.get(path)

      assert.deepEqual(await response.json(), { ran: expected, effective: expected })
    })
  }

  it('TOPO-04: there is no except mechanism: nothing that declares routes can switch a middleware off', () => {
    const members = [Module, Routes, RouteGroup, RouteDeclaration].flatMap((type) =>
      Object.getOwnPropertyNames(type.prototype),
    )

    assert.deepEqual(
      members.filter((name) =>
        /except|without(?!ConventionRouting|TrailingSlash)|skip|exclude|omit|disable|unless/i.test(name),
      ),
      [],
    )
  })

  it('TOPO-04: a route inside a scope has the middlewares of the scope, whatever it declares itself', async () => {
    for (const path of [
      '/shop/plain',
      '/shop/route',
      '/shop/group/inner',
      '/shop/group/again',
      '/promo/now',
      '/shop/page',
    ]) {
      const { ran } = (await (await client.get(path)).json()) as { ran: string[] }
      assert.equal(ran[0], 'OfModule', path)
    }
  })
})

describe('old addresses', () => {
  it('LEGACY-01: nothing is redirected that routing() did not enable', async () => {
    const client = new TestClient(App.create().modules(shop))

    for (const path of [
      '/shop/plain/',
      '/shop/plain.html',
      '/index.php',
      '/Promo/now',
      '/old-shop',
      '/shop.php?x=1',
      '/index.html',
    ]) {
      const response = await client.get(path)
      assert.equal(response.headers.get('location'), null, path)
    }
  })
})
