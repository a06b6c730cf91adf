import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type RouteGroup, Router, type Routes, TrailingSlash } from 'sallyport/routing'
import { inspect, ask, fails, module, PageController, router, site, table } from '../fixture.ts'

class Outer {
  process(): Response {
    return new Response()
  }
}
class Inner extends Outer {}
class Own extends Outer {}

function fail(): never {
  throw new Error('on purpose')
}

describe('Routes', () => {
  it('paths are relative to the entry point of the module [TABLE-01]', () => {
    const app = router([module('Shop', { steps: [table((r) => r.get('/cart', [PageController, 'index']))] })])

    assert.equal(ask(app, '/shop/cart'), 'Shop PageController.index()')
    assert.equal(ask(app, '/cart'), '404')
  })

  it('get, post, put, patch and delete declare a route for their method [TABLE-03]', () => {
    const app = site((r) => {
      r.get('/a', [PageController, 'index'])
      r.post('/b', [PageController, 'index'])
      r.put('/c', [PageController, 'index'])
      r.patch('/d', [PageController, 'index'])
      r.delete('/e', [PageController, 'index'])
    })

    const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']
    for (const [index, path] of ['/a', '/b', '/c', '/d', '/e'].entries()) {
      for (const [other, method] of methods.entries()) {
        const expected =
          other === index
            ? 'Site PageController.index()'
            : `405 ${index === 0 ? 'GET, HEAD' : methods[index]}`
        assert.equal(ask(app, `${method} ${path}`), expected)
      }
    }
  })

  it('map declares one route for several methods [TABLE-04]', () => {
    const app = site((r) => r.map(['PUT', 'patch', 'PUT'], '/a', [PageController, 'save']))

    assert.equal(ask(app, 'PUT /a'), 'Site PageController.save()')
    assert.equal(ask(app, 'PATCH /a'), 'Site PageController.save()')
    assert.equal(ask(app, '/a'), '405 PATCH, PUT')
    const [put, patch] = ['PUT', 'PATCH'].map((method) => app.match(method, '/a'))
    assert.ok(put?.kind === 'found' && patch?.kind === 'found' && put.route.target === patch.route.target)
  })

  it('refuses methods that HTTP does not know the form of, and none at all', () => {
    assert.throws(() => site((r) => r.map([], '/a', [PageController, 'save'])).match('GET', '/a'), TypeError)
    assert.throws(
      () => site((r) => r.map(['GET IT'], '/a', [PageController, 'save'])).match('GET', '/a'),
      TypeError,
    )
  })

  it('refuses methods that are no list of names, and those that reach no application [HOLD-35]', () => {
    const declare = (methods: unknown) => () =>
      site((r) => r.map(methods as string[], '/a', [PageController, 'save'])).match('GET', '/a')

    for (const methods of ['GET', null, {}])
      assert.throws(declare(methods), {
        name: 'TypeError',
        message: /pass a list of methods, such as \["GET"\] /,
      })
    assert.throws(declare([]), {
      name: 'TypeError',
      message:
        /^Cannot compile the routes of module "Site"\. Cannot declare a route without a method: name at least one/,
    })
    for (const method of ['', 'GET ', ' GET', 'GÉT', 5, undefined, null])
      assert.throws(declare(['POST', method]), { name: 'TypeError', message: /: name HTTP methods / })
    for (const method of ['CONNECT', 'connect', 'TRACE', 'TRACK'])
      assert.throws(declare([method]), {
        name: 'TypeError',
        message: /: no application receives such a request /,
      })
  })

  it('takes a method once, in any letter case', () => {
    const app = site((r) => r.map(['post', 'POST', 'get'], '/a', [PageController, 'index']))

    assert.deepEqual(inspect(app).routes()[0]?.methods, ['POST', 'GET', 'HEAD'])
    assert.equal(ask(app, 'POST /a'), 'Site PageController.index()')
  })

  it('takes an expression of either kind, with the flags that change nothing', () => {
    const app = site((r) => {
      r.get('/u/{slug}', [PageController, 'show']).where('slug', /[a-c]/u)
      r.get('/v/{slug}', [PageController, 'show']).where('slug', /[a-c]/v)
      r.get('/s/{slug}', [PageController, 'show']).where('slug', '[a-c]')
    })

    for (const kind of ['u', 'v', 's'])
      assert.deepEqual(
        [ask(app, `/${kind}/a`), ask(app, `/${kind}/d`)],
        ['Site PageController.show("a")', '404'],
      )
  })

  it('declares HEAD and OPTIONS by name, and nothing answers OPTIONS by itself', () => {
    const app = site((r) => {
      r.head('/a', [PageController, 'index'])
      r.options('/b', [PageController, 'index'])
      r.get('/c', [PageController, 'index'])
    })

    assert.equal(ask(app, 'HEAD /a'), 'Site PageController.index()')
    assert.equal(ask(app, '/a'), '405 HEAD')
    assert.equal(ask(app, 'OPTIONS /b'), 'Site PageController.index()')
    assert.equal(ask(app, 'OPTIONS /c'), '405 GET, HEAD')
  })

  it('a group gives its routes prefix and middlewares, outermost first [TABLE-07 TOPO-08 TOPO-11 TOPO-15]', () => {
    const declared = table((r) => {
      r.prefix('/admin')
        .middleware(Outer)
        .group((admin) => {
          admin.get('/', [PageController, 'index'])
          admin
            .middleware(Inner)
            .prefix('/orders/')
            .group((orders) => orders.get('/{slug}', [PageController, 'show']).middleware(Own))
        })
      r.get('/open', [PageController, 'index'])
    })
    class Whole extends Outer {}
    const app = router([module('Site', { mount: '/', middlewares: [Whole], steps: [declared] })])

    const middlewares = (path: string): unknown => {
      const match = app.match('GET', path)
      return match.kind === 'found' ? match.route.middlewares : match
    }
    assert.deepEqual(middlewares('/admin'), [Whole, Outer])
    assert.deepEqual(middlewares('/admin/orders/7'), [Whole, Outer, Inner, Own])
    assert.deepEqual(middlewares('/open'), [Whole])
  })

  it('a middleware of several levels runs once, at its outermost place [TOPO-12]', () => {
    const declared = table((r) => {
      r.middleware(Inner, Outer).group((g) =>
        g.get('/a', [PageController, 'index']).middleware(Own, Inner, Own, Outer),
      )
    })
    const app = router([module('Site', { mount: '/', middlewares: [Outer], steps: [declared] })])

    const match = app.match('GET', '/a')
    assert.deepEqual(match.kind === 'found' && match.route.middlewares, [Outer, Inner, Own])
  })

  it('a route cannot take a middleware of its scope away [TOPO-04]', () => {
    const declared = table((r) => r.get('/login', [PageController, 'index']).middleware(Own))
    const app = router([module('Site', { mount: '/', middlewares: [Outer], steps: [declared] })])

    const match = app.match('GET', '/login')
    assert.deepEqual(match.kind === 'found' && match.route.middlewares, [Outer, Own])
    assert.equal(Object.isFrozen(match.kind === 'found' && match.route.middlewares), true)
  })

  it('a route carries name, constraints, defaults and priority [ROUTE-30]', () => {
    const app = site((r) => {
      r.get('/{slug}', [PageController, 'show'])
        .name('page')
        .where('slug', /[a-z]+/)
        .default('slug', 'home')
        .priority(3)
      r.get('/', [PageController, 'index'])
    })

    const page = app.match('GET', '/about')
    assert.ok(page.kind === 'found')
    const { name, where, defaults, priority, locale, middlewares } = page.route
    assert.deepEqual(
      { name, where, defaults, priority, locale, middlewares },
      {
        name: 'page',
        where: { slug: '[a-z]+' },
        defaults: { slug: 'home' },
        priority: 3,
        locale: null,
        middlewares: [],
      },
    )
    const home = app.match('GET', '/')
    assert.ok(home.kind === 'found')
    assert.deepEqual(
      [home.route.name, home.route.where, home.route.defaults, home.route.priority],
      [null, {}, {}, 0],
    )
  })

  it('a group stands before the path of each locale [TABLE-07]', () => {
    const app = site(
      (r) =>
        r.prefix('/p/').group((group) => {
          group.get({ fr: '/livre', en: '/book' }, [PageController, 'index'])
          group.get({ fr: '', en: '/' }, [PageController, 'other'])
        }),
      { locales: ['fr', 'en'] },
    )

    assert.deepEqual(
      ['/p/livre', '/p/book', '/p', '/p/', '/livre'].map((path) => ask(app, path)),
      [
        'Site PageController.index() [fr]',
        'Site PageController.index() [en]',
        'Site PageController.other() [fr]',
        'Site PageController.other() [fr]',
        '404',
      ],
    )
  })

  it('refuses names, prefixes, constraints and priorities that cannot be', () => {
    const declare = (
      refine: (r: ReturnType<Parameters<Parameters<typeof site>[0]>[0]['get']>) => void,
    ): void => {
      site((r) => refine(r.get('/{slug}', [PageController, 'show']))).match('GET', '/a')
    }

    assert.throws(() => declare((route) => route.name('')), TypeError)
    assert.throws(() => declare((route) => route.name('shop:page')), TypeError)
    for (const name of ['a\rb', 'a\nb', '\u0000', 'a\u2028', '\ud800'])
      assert.throws(() => declare((route) => route.name(name)), TypeError)
    for (const [expression, message] of [
      [/a/i, /Cannot constrain "slug" with \/a\/i: flags are not supported/],
      [5, /Cannot constrain "slug" with 5: pass a regular expression/],
      [null, /Cannot constrain "slug" with null: /],
    ] as const)
      assert.throws(() => declare((route) => route.where('slug', expression as never)), {
        name: 'TypeError',
        message,
      })
    for (const [path, message] of [
      [null, /Cannot route null: pass a path/],
      [undefined, /Cannot route undefined: /],
      [['/a'], /Cannot route /],
      [{ fr: '/a', en: 5 }, /Cannot route 5: /],
    ] as const)
      assert.throws(() => site((r) => r.get(path as never, [PageController, 'index'])).match('GET', '/'), {
        name: 'TypeError',
        message,
      })
    for (const param of ['', 5, null, undefined]) {
      const message = / Cannot (?:constrain|fill) the placeholder .*: name a placeholder of the path /
      assert.throws(() => declare((route) => route.where(param as string, 'a')), {
        name: 'TypeError',
        message,
      })
      assert.throws(() => declare((route) => route.default(param as string, 'a')), {
        name: 'TypeError',
        message,
      })
    }
    for (const value of [null, undefined])
      assert.throws(() => declare((route) => route.default('slug', value as never)), {
        name: 'TypeError',
        message: new RegExp(`Cannot fill "slug" with ${value}: pass a value`),
      })
    for (const prefix of [5, null, undefined])
      assert.throws(() => site((r) => r.prefix(prefix as never)).match('GET', '/'), {
        name: 'TypeError',
        message: / Cannot group routes under .*: the path must start with/,
      })
    for (const priority of [NaN, Infinity, '1', null])
      assert.throws(() => declare((route) => route.priority(priority as number)), RangeError)
    assert.throws(() => site((r) => r.prefix('x').group(() => undefined)).match('GET', '/'), TypeError)
  })

  it('names what a group was given that has no routes [TABLE-07]', () => {
    for (const [declare, given] of [
      [(r: Routes) => r.prefix('/admin').middleware(Own), '"/admin", class Own'],
      [(r: Routes) => r.middleware(Own), 'class Own'],
      [(r: Routes) => r.prefix('/admin').limits({ bodyBytes: 5 }), '"/admin", the limit bodyBytes 5'],
    ] as const)
      assert.throws(() => site((r) => void declare(r)).match('GET', '/'), {
        name: 'TypeError',
        message: new RegExp(`Cannot declare the group by ${given} without routes: end it with `),
      })
  })

  type Declare = (outer: Routes, inner: Routes, kept: RouteGroup) => unknown
  const AROUND: Readonly<Record<string, Declare>> = {
    'get()': (outer) => outer.get('/purge', [PageController, 'index']),
    'map()': (outer) => outer.map(['PURGE'], '/purge', [PageController, 'index']),
    'prefix()': (outer) =>
      outer.prefix('/deep').group((deep) => void deep.get('/x', [PageController, 'index'])),
    'middleware()': (outer) =>
      outer.middleware(Own).group((own) => void own.get('/x', [PageController, 'index'])),
    'group()': (_outer, _inner, kept) => kept.group((own) => void own.get('/x', [PageController, 'index'])),
    'get() from a nested group': (outer, inner) =>
      inner.prefix('/deep').group(() => void outer.get('/purge', [PageController, 'index'])),
    'get() of a group around a nested one': (_outer, inner) =>
      inner.middleware(Inner).group(() => void inner.get('/purge', [PageController, 'index'])),
  }
  for (const [what, declare] of Object.entries(AROUND)) {
    it(`${what} around a group is refused while that is declared, for its gate would be open [HOLD-35]`, () => {
      const app = site((outer) => {
        const kept = outer.prefix('/kept')
        outer
          .prefix('/admin')
          .middleware(Outer)
          .group((inner) => {
            inner.get('/first', [PageController, 'index'])
            declare(outer, inner, kept)
          })
        kept.group((own) => void own.get('/last', [PageController, 'index']))
      })

      for (const path of ['/purge', '/admin/purge', '/admin/first'])
        assert.throws(() => app.match('GET', path), {
          name: 'TypeError',
          message:
            /Cannot call \w+\(\) around a group .*use the argument of group\(\) \(.*routes\.test\.ts:\d+\)$/,
        })
    })
  }

  it('routes around a group are declared before and behind it, also behind one that failed [HOLD-35]', () => {
    const app = site((outer) => {
      outer.get('/before', [PageController, 'index'])
      outer.prefix('/a').group((a) => {
        a.get('/x', [PageController, 'index'])
        a.prefix('/b').group((b) => void b.get('/x', [PageController, 'index']))
        a.get('/y', [PageController, 'index'])
        assert.throws(() => a.prefix('/c').group(fail), /on purpose/)
        a.get('/z', [PageController, 'index'])
      })
      outer.get('/behind', [PageController, 'index'])
    })

    for (const path of ['/before', '/a/x', '/a/b/x', '/a/y', '/a/z', '/behind'])
      assert.equal(ask(app, path), 'Site PageController.index()')
  })

  it('a faulty table does not stop the boot and fails at the first match or generation [TABLE-20]', () => {
    let calls = 0
    const faulty = module('Shop', {
      steps: [table((r) => (calls++, r.get('/{a', [PageController, 'index'])))],
    })

    const app = new Router({ modules: [faulty] })
    assert.equal(calls, 0)
    assert.throws(
      () => app.match('GET', '/shop/x'),
      fails('invalid-pattern', 'module "Shop"', '/{a', 'routes.test.ts:'),
    )
    assert.throws(() => app.url('shop:x'), fails('invalid-pattern'))
    assert.equal(ask(app, '/other'), '404')
  })

  it('a compiled table is kept [TABLE-21]', () => {
    let calls = 0
    const app = site((r) => (calls++, r.get('/', [PageController, 'index']).name('home')))

    for (let turn = 0; turn < 3; turn++) assert.equal(ask(app, '/'), 'Site PageController.index()')
    assert.equal(app.url('home'), '/')
    assert.equal(calls, 1)
  })

  it('several calls of routes() feed one table [ROUTE-22]', () => {
    const steps = [
      table((r) => r.get('/a', [PageController, 'index']).name('same')),
      table((r) => r.get('/b', [PageController, 'index']).name('same')),
    ]
    const app = router([module('Shop', { steps })])

    assert.throws(
      () => app.match('GET', '/shop/a'),
      fails('duplicate-name', 'GET /a', 'GET /b', 'routes.test.ts'),
    )
  })

  it('table paths follow the slash policy in force [TABLE-02]', () => {
    const declare = (policy: TrailingSlash): Router => {
      return site((r) => r.get('/a', [PageController, 'index']), { trailingSlash: policy })
    }

    assert.equal(ask(declare(TrailingSlash.Add), '/a'), '-> /a/')
    assert.equal(ask(declare(TrailingSlash.Remove), '/a/'), '-> /a')
    assert.equal(ask(declare(TrailingSlash.Preserve), '/a/'), 'Site PageController.index()')
  })
})
