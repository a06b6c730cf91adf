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
    ['a module covers its table routes [TOPO-08 TOPO-15]', '/shop/plain', ['OfModule']],
    [
      'a route has its own, behind those of the module [TOPO-08 TOPO-11 TOPO-15]',
      '/shop/route',
      ['OfModule', 'OfRoute'],
    ],
    [
      'a group stands between module and route [TOPO-08 TOPO-11 TOPO-15]',
      '/shop/group/inner',
      ['OfModule', 'OfGroup', 'OfRoute'],
    ],
    [
      'one that is declared at several levels runs once, at its outermost place [TOPO-12 TOPO-15]',
      '/shop/group/again',
      ['OfModule', 'OfGroup', 'OfRoute'],
    ],
    ['a module covers its claims [TOPO-09]', '/promo/now', ['OfModule', 'OfRoute']],
    ['a module covers its convention routing [TOPO-10]', '/shop/page', ['OfModule']],
    ['a module covers no other module [TOPO-08]', '/open/page', []],
  ] as const) {
    it(title, async () => {
      const response = await client.get(path)

      assert.deepEqual(await response.json(), { ran: expected, effective: expected })
    })
  }

  it('there is no except mechanism: nothing that declares routes can switch a middleware off [TOPO-04]', () => {
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

  it('a route inside a scope has the middlewares of the scope, whatever it declares itself [TOPO-04]', async () => {
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
  it('nothing is redirected that routing() did not enable [LEGACY-01]', async () => {
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
