import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { input, param, type Router, type Routes, RoutingException } from 'sallyport/routing'
import { ask, claim, fails, module, PageController, router, site, table } from '../fixture.ts'

class Gate {
  process(): Response {
    return new Response()
  }
}
class InvokableController {
  static readonly actions = { __invoke: [], other: [] }
  __invoke(): void {}
  other(): void {}
}
class SecretController {
  static readonly actions = { open: [] }
  static helper(): void {}
  open(): void {}
  hidden(): void {}
}

const schema = {
  '~standard': { version: 1 as const, vendor: 'test', validate: (value: unknown) => ({ value }) },
}

class FormController {
  static readonly actions = {
    save: [param.int('id'), param.string('tab').optional(), input(schema)],
    tags: [param.string('first'), param.rest(param.int('more'))],
  }
  save(): void {}
  tags(): void {}
}

function compile(declare: (routes: Routes) => unknown): void {
  site((routes) => void declare(routes)).match('GET', '/')
}

describe('compileRoutes()', () => {
  it('keeps one list of middlewares for the routes of a group', () => {
    const app = site((routes) => {
      routes.middleware(Gate).group((group) => {
        group.get('/a', [PageController, 'index'])
        group.get('/b', [PageController, 'other'])
      })
    })
    const [one, other] = ['/a', '/b'].map((path) => app.match('GET', path))

    assert.ok(one?.kind === 'found' && other?.kind === 'found')
    assert.deepEqual(one.route.middlewares, [Gate])
    assert.equal(one.route.target.middlewares, other.route.target.middlewares)
  })

  it('handlers are a pair, an invokable controller and a string [TABLE-13 TABLE-14 TABLE-15]', () => {
    const controllers = [PageController]
    const declared = table((r) => {
      r.get('/pair', [PageController, 'index'])
      r.get('/invoke', InvokableController)
      r.get('/string', 'PageController::other')
    })
    const app = router([module('Site', { mount: '/', controllers, steps: [declared] })])

    assert.equal(ask(app, '/pair'), 'Site PageController.index()')
    assert.equal(ask(app, '/invoke'), 'Site InvokableController.__invoke()')
    assert.equal(ask(app, '/string'), 'Site PageController.other()')
  })

  it('a method that the action table does not name cannot be routed to [TABLE-16]', () => {
    const names = ['hidden', 'helper', 'constructor', 'toString', '__proto__', 'nothing']

    for (const name of names) {
      // A name that the compiler would refuse too, as an untyped caller might give it.
      const handler = [SecretController, name as 'open'] as const
      assert.throws(
        () => compile((r) => r.get('/', handler)),
        fails('invalid-action', `SecretController::${name}`),
      )
    }
    assert.throws(() => compile((r) => r.get('/', SecretController)), fails('invalid-action', '__invoke'))
  })

  it('refuses handlers of another form and unknown controllers by name', () => {
    assert.throws(
      () => compile((r) => r.get('/', 'PageController')),
      fails('invalid-action', 'PageController'),
    )
    assert.throws(
      () => compile((r) => r.get('/', 'Nobody::index')),
      fails('invalid-action', 'no controller "Nobody"'),
    )
    assert.throws(() => compile((r) => r.get('/', 'A::b::c')), fails('invalid-action'))
    const odd = JSON.parse('[["x"], null, 5, {}]') as string[]
    for (const handler of odd)
      assert.throws(() => compile((r) => r.get('/', handler)), fails('invalid-action'))
  })

  it('a class that is no middleware fails when the table compiles [TOPO-13]', () => {
    class NotOne {}
    const unfit = [NotOne, undefined, 'Gate', () => undefined] as unknown as (typeof Gate)[]

    for (const middleware of unfit) {
      const app = site((r) => r.get('/', [PageController, 'index']).middleware(Gate, middleware))
      assert.throws(() => app.match('GET', '/'), fails('invalid-middleware', 'GET /', 'process'))
      const group = site((r) => r.middleware(middleware).group((g) => g.get('/', [PageController, 'index'])))
      assert.throws(() => group.match('GET', '/'), fails('invalid-middleware'))
    }
  })

  it('has the error behind a refusal among its causes', () => {
    const broken = new Error('no port')
    const prepare = (): void => {
      throw broken
    }
    const gated = site((r) => r.get('/a', [PageController, 'index']).middleware(Gate), { prepare })
    const garbled = site((r) => r.get('/{slug}', [PageController, 'show']).where('slug', '('))
    const causes = (app: Router): unknown[] => {
      try {
        app.match('GET', '/a')
        return []
      } catch (error) {
        const chain = [error]
        for (let at = error; at instanceof Error && at.cause !== undefined; at = at.cause)
          chain.push(at.cause)
        return chain
      }
    }

    assert.equal(causes(gated).at(-1), broken)
    assert.match(String(causes(gated)[0]), /Gate.*GET \/a \(.*: no port/)
    assert.ok(causes(garbled).length > 2 && !(causes(garbled).at(-1) instanceof RoutingException))
  })

  it('an unfit middleware of a module fails at boot, so before any conventional match [TOPO-14]', () => {
    class NotOne {}
    const middlewares = [NotOne] as unknown as (typeof Gate)[]

    const boot = (): unknown => router([module('Shop', { middlewares, controllers: [PageController] })])

    assert.throws(boot, fails('invalid-middleware', 'NotOne', 'module "Shop"'))
  })

  it('middlewares of the module cover its claims [TOPO-09]', () => {
    const steps = [claim('/promo', (r) => r.get('/{slug}', [PageController, 'show']))]
    const app = router([module('Shop', { middlewares: [Gate], steps })])

    const match = app.match('GET', '/promo/x')
    assert.deepEqual(match.kind === 'found' && match.route.middlewares, [Gate])
  })

  it('binds placeholders to parameters by name, in the order of the parameters', () => {
    const app = site((r) => {
      r.get('/{b}/{a}', [PageController, 'pair'])
      r.post('/x/{id}', [FormController, 'save'])
      r.post('/x/{tab}/{id}', [FormController, 'save'])
      r.get('/tags/{more}/of/{first}', [FormController, 'tags'])
      r.get('/all/{first}/{more}', [FormController, 'tags']).where('more', '.*')
    })

    assert.equal(ask(app, '/1/2'), 'Site PageController.pair("2", "1")')
    assert.equal(ask(app, 'POST /x/7'), 'Site FormController.save(7, undefined)')
    assert.equal(ask(app, 'POST /x/t/7'), 'Site FormController.save(7, "t")')
    assert.equal(ask(app, '/tags/5/of/a'), 'Site FormController.tags("a", 5)')
    assert.equal(ask(app, '/all/a/5/6/7'), 'Site FormController.tags("a", 5, 6, 7)')
    assert.equal(ask(app, '/all/a/5/x'), '404')
    const match = app.match('POST', '/x/7')
    assert.equal(match.kind === 'found' && match.route.input, schema)
  })

  it('gives arguments by the name of their parameter', () => {
    const app = site((r) => {
      r.get('/{b}/{a}', [PageController, 'pair'])
      r.get('/all/{first}/{more}', [FormController, 'tags']).where('more', '.*')
    })

    const pair = app.match('GET', '/1/2')
    const all = app.match('GET', '/all/a/5/6')
    assert.ok(pair.kind === 'found' && all.kind === 'found')
    assert.deepEqual([pair.route.argument('a'), pair.route.argument('nothing')], ['2', undefined])
    assert.deepEqual(all.route.argument('more'), [5, 6])
  })

  it('refuses placeholders without parameter and required parameters without placeholder', () => {
    assert.throws(
      () => compile((r) => r.get('/{id}', [PageController, 'index'])),
      fails('invalid-parameter', '{id}'),
    )
    assert.throws(
      () => compile((r) => r.get('/x', [PageController, 'show'])),
      fails('invalid-parameter', '"slug"'),
    )
    assert.doesNotThrow(() => compile((r) => r.get('/{from}', [PageController, 'range'])))
  })

  it('refuses constraints and defaults of placeholders that the path lacks', () => {
    const where = (): void => compile((r) => r.get('/{slug}', [PageController, 'show']).where('slag', 'x'))
    const filled = (): void => compile((r) => r.get('/{slug}', [PageController, 'show']).default('slag', 'x'))

    assert.throws(where, fails('invalid-pattern', '"slag"'))
    assert.throws(filled, fails('invalid-pattern', '"slag"'))
  })

  it('refuses paths per locale that do not hold the same placeholders', () => {
    const paths = { fr: '/produit/{slug}', en: '/product' }

    assert.throws(
      () => compile((r) => r.get(paths, [PageController, 'show'])),
      fails('invalid-parameter', 'slug'),
    )
    const optional = { fr: '/de/{from}/{to}', en: '/from/{from}' }
    assert.throws(
      () => compile((r) => r.get(optional, [PageController, 'range'])),
      fails('invalid-pattern', 'from, to'),
    )
    assert.throws(() => compile((r) => r.get({}, [PageController, 'index'])), fails('invalid-pattern'))
    const turned = { fr: '/{a}/de/{b}', en: '/{b}/of/{a}' }
    assert.doesNotThrow(() => compile((r) => r.get(turned, [PageController, 'pair'])))
  })

  it('with prefixes on, paths per locale without localized() fail when the table compiles [LOC-11]', () => {
    const steps = [table((r) => r.get({ fr: '/a', en: '/b' }, [PageController, 'index']))]
    const app = router([module('Shop', { steps })], { locales: ['fr', 'en'], localePrefixes: true })

    assert.throws(
      () => app.match('GET', '/shop/a'),
      fails('localized-required', 'module "Shop"', 'localized()'),
    )
  })

  it('refuses a path for a locale that the application does not declare', () => {
    const steps = [table((r) => r.get({ fr: '/a', de: '/b' }, [PageController, 'index']))]
    const app = router([module('Shop', { localized: true, steps })], {
      locales: ['fr'],
      localePrefixes: true,
    })

    assert.throws(() => app.match('GET', '/fr/shop/a'), fails('locales-undeclared', '"de"'))
  })

  it('refuses it without prefixes too; an application without locales may name any [ROUTE-12]', () => {
    const steps = [table((r) => r.get({ FR: '/a', de: '/b' }, [PageController, 'index']))]
    const declaring = (...locales: string[]): Router => router([module('Shop', { steps })], { locales })

    assert.throws(() => declaring('fr').match('GET', '/shop/a'), fails('locales-undeclared', '"de"'))
    assert.equal(ask(declaring('fr', 'de'), '/shop/a'), 'Shop PageController.index() [fr]')
    assert.equal(ask(declaring(), '/shop/b'), 'Shop PageController.index() [de]')
  })
})
