import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { MethodNotAllowedException, NotFoundException } from 'sallyport/http'
import type { Resolver, Route, Router, RouteRequest } from 'sallyport/routing'
import { ask, conventional, fails, module, PageController, resolver, router, show, table } from './fixture.ts'
import type { ModuleRouting } from '../../src/routing/internal.ts'

class IndexController {
  static readonly actions = { index: [] }
  index(): void {}
}

type Answer = (request: RouteRequest) => Route | null | Promise<Route | null>

/** A resolver that notes when it is asked. */
function spy(name: string, log: string[], answer: Answer = () => null): Resolver {
  return { resolve: (request) => (log.push(name), answer(request)) }
}

function shop(steps: ModuleRouting['steps']): Router {
  return router([conventional('Shop', [IndexController], { steps })])
}

describe('RoutedModule', () => {
  it('asks by priority, then by declaration [ROUTE-18 ROUTE-19 ROUTE-21 ROUTE-23 ROUTE-24]', () => {
    const log: string[] = []
    const tables = table(() => void log.push('table'))
    const app = shop([
      resolver(spy('late', log), 1001),
      resolver(spy('after', log), 1),
      resolver(spy('before the table', log)),
      tables,
      resolver(spy('behind the table', log)),
      tables,
      resolver(spy('first', log), -1),
      resolver(spy('last before the convention', log), 1000),
    ])

    assert.equal(ask(app, '/shop'), 'Shop IndexController.index()')
    assert.deepEqual(log, [
      'first',
      'before the table',
      'table',
      'table',
      'behind the table',
      'after',
      'last before the convention',
    ])
    log.length = 0
    assert.equal(ask(app, '/shop/nothing'), '404')
    assert.deepEqual(log.slice(-2), ['last before the convention', 'late'])
  })

  it('the first resolver that returns a route wins [ROUTE-20]', () => {
    const log: string[] = []
    const other: Answer = (request) => request.route(PageController, 'other')
    const app = shop([
      resolver(spy('one', log)),
      resolver(spy('two', log, other)),
      resolver(spy('three', log)),
    ])

    assert.equal(ask(app, '/shop/x'), 'Shop PageController.other()')
    assert.deepEqual(log, ['one', 'two'])
  })

  it('a resolver below 0 runs before the 405 of the table', () => {
    const steps = [
      table((r) => r.post('/x', [PageController, 'save'])),
      resolver(
        spy('x', [], (request) => request.route(PageController, 'other')),
        -1,
      ),
    ]

    assert.equal(ask(shop(steps), '/shop/x'), 'Shop PageController.other()')
  })

  it('a resolver class is taken from the container, one instance for all requests [ROUTE-26]', () => {
    const built: object[] = []
    class Pages implements Resolver {
      resolve(request: RouteRequest): Route {
        return request.route(PageController, 'show', { args: [request.segments.join('+')] })
      }
    }
    const service = <T extends object>(type: new () => T): T => {
      const instance = new type()
      built.push(instance)
      return instance
    }
    const app = router([module('Shop', { steps: [resolver(Pages)] })], { service })

    assert.equal(ask(app, '/shop/a/b'), 'Shop PageController.show("a+b")')
    assert.equal(ask(app, '/shop/c'), 'Shop PageController.show("c")')
    assert.equal(built.length, 1)
  })

  it('a route carries the objects that it binds [ROUTE-28 ROUTE-29]', () => {
    const page = { title: 'About' }
    const app = shop([
      resolver({ resolve: (request) => request.route(PageController, 'index', { bindings: { page } }) }),
    ])

    const match = app.match('GET', '/shop/about')
    assert.ok(match.kind === 'found')
    assert.equal(match.route.bindings.page, page)
    assert.deepEqual([match.route.name, match.route.module, match.route.locale], [null, 'Shop', null])
    const plain = router([conventional('Shop', [IndexController])]).match('GET', '/shop')
    assert.ok(plain.kind === 'found')
    assert.deepEqual(plain.route.bindings, {})
  })

  it('a request gives segments, prefix, module, locale and method [ROUTE-31]', () => {
    const seen: unknown[] = []
    const note: Answer = ({ segments, prefix, module: name, locale, method }) => {
      seen.push({ segments, prefix, module: name, locale, method })
      return null
    }
    const modules = [
      module('Shop', { localized: true, mount: { fr: 'boutique' }, steps: [resolver(spy('', [], note))] }),
      module('Site', { mount: '/', steps: [resolver(spy('', [], note))] }),
    ]
    const app = router(modules, { locales: ['fr'], localePrefixes: true })

    ask(app, 'POST /FR/Boutique/a%2Fb/%C3%A9/')
    ask(app, '/x')
    assert.deepEqual(seen, [
      { segments: ['a/b', 'é'], prefix: '/fr/boutique', module: 'Shop', locale: 'fr', method: 'POST' },
      { segments: ['x'], prefix: '', module: 'Site', locale: null, method: 'GET' },
    ])
  })

  it('the answer of a resolver is a route or null, and nothing else [ROUTE-32]', () => {
    const odd = [
      {},
      'x',
      5,
      Symbol('x'),
      () => null,
      { controller: PageController, action: 'index' },
    ] as unknown as Route[]

    for (const answer of odd)
      assert.throws(() => ask(shop([resolver({ resolve: () => answer })]), '/shop/x'), {
        name: 'TypeError',
        message: /Cannot use the answer of a resolver in module "Shop": it is /,
      })
    assert.equal(ask(shop([resolver({ resolve: () => undefined as unknown as null })]), '/shop/x'), '404')
  })

  it('redirects the spelling of the prefix, and keeps the segments of the resolver', () => {
    const app = shop([
      resolver({
        resolve: (request) => (request.segments[0] === 'A b' ? request.route(PageController, 'index') : null),
      }),
    ])

    assert.equal(ask(app, '/SHOP/A%20b'), '-> /shop/A%20b')
    assert.equal(ask(app, '/shop/A%20b'), 'Shop PageController.index()')
    assert.equal(ask(app, '/SHOP/b'), '404')
  })

  it('takes NotFoundException for null and MethodNotAllowedException for final', () => {
    const log: string[] = []
    const missing = resolver({
      resolve: () => {
        throw new NotFoundException()
      },
    })
    const refusing = resolver({
      resolve: () => Promise.reject(new MethodNotAllowedException(['PUT', 'GET'])),
    })
    const broken = resolver({
      resolve: () => {
        throw new RangeError('broken')
      },
    })

    assert.equal(ask(shop([missing, resolver(spy('asked', log))]), '/shop/x'), '404')
    assert.deepEqual(log, ['asked'])
    assert.throws(() => ask(shop([broken]), '/shop/x'), RangeError)
    return assert.doesNotReject(async () => {
      const match = await shop([refusing, resolver(spy('never', log))]).resolve('GET', '/shop/x')
      assert.equal(show(match), '405 GET, HEAD, PUT')
      assert.deepEqual(log, ['asked'])
    })
  })

  it('resolve() waits for a resolver that answers with a promise, and match() says so', async () => {
    const log: string[] = []
    const late: Answer = async (request) =>
      request.segments[0] === 'late' ? request.route(PageController, 'other') : null
    const app = shop([
      table((r) => r.get('/now', [PageController, 'index'])),
      resolver(spy('late', log, late)),
      resolver(spy('next', log)),
    ])

    assert.throws(() => app.match('GET', '/shop/late'), /resolve\(\)/)
    assert.equal(show(await app.resolve('GET', '/shop/late')), 'Shop PageController.other()')
    assert.equal(show(await app.resolve('GET', '/SHOP/late')), '-> /shop/late')
    assert.equal(show(await app.resolve('GET', '/shop/else')), '404')
    assert.equal(show(await app.resolve('GET', '/shop/')), 'Shop IndexController.index()')
    assert.ok(!(app.resolve('GET', '/shop/now') instanceof Promise))
    assert.deepEqual(log.slice(-2), ['late', 'next'])
  })

  it('checks the routes that resolvers make', () => {
    const make = (answer: (request: RouteRequest) => Route): Router => shop([resolver({ resolve: answer })])

    assert.throws(
      () =>
        ask(
          make((r) => r.route(PageController, 'nothing')),
          '/shop/x',
        ),
      fails('invalid-action', 'PageController::nothing'),
    )
    assert.throws(
      () =>
        ask(
          make((r) => r.route(PageController, 'show')),
          '/shop/x',
        ),
      fails('invalid-parameter', 'PageController::show'),
    )
    assert.throws(
      () =>
        ask(
          make((r) => r.route(PageController, 'index', { args: [1] })),
          '/shop/x',
        ),
      fails('invalid-parameter'),
    )
    assert.equal(
      ask(
        make((r) => r.route(PageController, 'show', { args: ['a'], locale: 'de' })),
        '/shop/x',
      ),
      'Shop PageController.show("a") [de]',
    )
  })
})
