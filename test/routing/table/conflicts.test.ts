import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type Router, type Routes, TrailingSlash } from 'sallyport/routing'
import { ask, fails, module, PageController, router, site, table } from '../fixture.ts'
import type { RouterOptions } from '../../../src/routing/router.ts'

type Options = Omit<RouterOptions, 'modules'>

function compile(declare: (routes: Routes) => void, options: Options = {}): Router {
  const app = site(declare, options)
  app.match('GET', '/-')
  return app
}

describe('assertCompatible()', () => {
  it('equivalent paths with a method in common and equal priority fail, in either order [TABLE-22 TABLE-23]', () => {
    const one = (r: Routes): unknown => r.get('/a/{slug}', [PageController, 'show'])
    const two = (r: Routes): unknown => r.map(['POST', 'GET'], '/a/{id}', [PageController, 'item'])

    for (const order of [
      [one, two],
      [two, one],
    ]) {
      const declare = (r: Routes): void => order.forEach((step) => step(r))
      assert.throws(
        () => compile(declare),
        fails('route-conflict', '/a/{slug}', '/a/{id}', 'conflicts.test.ts:', 'priority()'),
      )
    }
  })

  it('equivalent paths of different priority are accepted and the higher one answers [TABLE-24 TABLE-12]', () => {
    for (const [one, other] of [
      [1, 0],
      [0, -1],
      [0.5, 0.25],
    ] as const) {
      const app = compile((r) => {
        r.get('/a/{id}', [PageController, 'item']).priority(other)
        r.get('/a/{slug}', [PageController, 'show']).priority(one)
      })
      assert.equal(ask(app, '/a/5'), 'Site PageController.show("5")')
    }
  })

  it('a third path is held against each of the two that are apart by priority [TABLE-22]', () => {
    for (const priority of [0, 1])
      assert.throws(
        () =>
          compile((r) => {
            r.get('/a/{id}', [PageController, 'item'])
            r.get('/a/{slug}', [PageController, 'show']).priority(1)
            r.get('/a/{path}', [PageController, 'file']).priority(priority)
          }),
        fails('route-conflict', '/a/{path}', priority === 0 ? '/a/{id}' : '/a/{slug}'),
      )
  })

  it('equivalent paths without a method in common are accepted [TABLE-25]', () => {
    const app = compile((r) => {
      r.get('/a/{slug}', [PageController, 'show'])
      r.post('/a/{id}', [PageController, 'item'])
    })

    assert.equal(ask(app, '/a/5'), 'Site PageController.show("5")')
    assert.equal(ask(app, 'POST /a/5'), 'Site PageController.item(5)')
  })

  it('tells paths apart by their constraints', () => {
    const app = compile((r) => {
      r.get('/a/{slug}', [PageController, 'show']).where('slug', '[a-z]+')
      r.get('/a/{id}', [PageController, 'item']).where('id', '[0-9]+')
    })

    assert.equal(ask(app, '/a/x'), 'Site PageController.show("x")')
    assert.equal(ask(app, '/a/5'), 'Site PageController.item(5)')
    const dots = compile((r) => {
      r.get('/{path}', [PageController, 'file']).where('path', '.*')
      r.get('/{slug}...', [PageController, 'show'])
    })
    assert.equal(ask(dots, '/x...'), 'Site PageController.show("x")')
    assert.equal(ask(dots, '/x/...'), 'Site PageController.file("x/...")')
    const same = (r: Routes): void => {
      r.get('/a/{slug}', [PageController, 'show']).where('slug', '[a-z]+')
      r.get('/a/{path}', [PageController, 'file']).where('path', '[a-z]+')
    }
    assert.throws(() => compile(same), fails('route-conflict'))
  })

  it('a name used twice in one table fails [TABLE-26]', () => {
    const declare = (r: Routes): void => {
      r.get('/a', [PageController, 'index']).name('home')
      r.get('/b', [PageController, 'other']).name('home')
    }

    assert.throws(
      () => compile(declare),
      fails('duplicate-name', '"home"', 'GET /a', 'GET /b', 'module "Site"'),
    )
  })

  it('under Preserve /foo and /foo/ are not two resources [SLASH-11]', () => {
    const declare = (r: Routes): void => {
      r.get('/foo', [PageController, 'index'])
      r.get('/foo/', [PageController, 'other'])
    }

    assert.throws(() => compile(declare), fails('slash-conflict', 'GET /foo ', 'GET /foo/', 'Preserve'))
    for (const trailingSlash of [TrailingSlash.Add, TrailingSlash.Remove]) {
      assert.throws(() => compile(declare, { trailingSlash }), fails('route-conflict'))
    }
    const methods = compile((r) => {
      r.get('/foo', [PageController, 'index'])
      r.post('/foo/', [PageController, 'save'])
    })
    assert.equal(ask(methods, 'POST /foo'), 'Site PageController.save()')
  })

  it('lets routes of different locales share a path under prefixes', () => {
    const declare = table((r) => {
      r.get({ fr: '/plan', en: '/map' }, [PageController, 'index'])
      r.get({ fr: '/carte', en: '/plan' }, [PageController, 'other'])
    })
    const modules = [module('Site', { localized: true, steps: [declare] })]
    const app = router(modules, { locales: ['fr', 'en'], localePrefixes: true })

    assert.equal(ask(app, '/fr/site/plan'), 'Site PageController.index() [fr]')
    assert.equal(ask(app, '/en/site/plan'), 'Site PageController.other() [en]')
  })

  it('refuses the same without prefixes, where one of the two could never be reached', () => {
    const declare = (r: Routes): void => {
      r.get({ fr: '/plan', en: '/map' }, [PageController, 'index'])
      r.get({ fr: '/carte', en: '/plan' }, [PageController, 'other'])
    }

    assert.throws(() => compile(declare, { locales: ['fr', 'en'] }), fails('route-conflict', '/plan'))
  })

  it('takes variants of one route with the same path for one match, of the first of their locales', () => {
    const app = compile((r) =>
      r.get({ en: '/menu', fr: '/menu', de: '/karte' }, [PageController, 'index']).name('menu'),
    )

    assert.equal(ask(app, '/menu'), 'Site PageController.index() [en]')
    assert.equal(ask(app, '/karte'), 'Site PageController.index() [de]')
    assert.equal(app.url('menu', {}, 'fr'), '/menu')
  })

  it('gives the same answers in every order of declaration', () => {
    const steps: ((r: Routes) => unknown)[] = [
      (r) => r.get('/', [PageController, 'index']),
      (r) => r.get('/users/me', [PageController, 'other']),
      (r) => r.get('/users/{id}', [PageController, 'item']).where('id', '\\d+'),
      (r) => r.get('/users/{slug}', [PageController, 'show']),
      (r) => r.post('/users/{slug}', [PageController, 'edit']),
      (r) => r.get('/users/{path}', [PageController, 'file']).where('path', '.+'),
      (r) => r.head('/users/me', [PageController, 'save']),
    ]
    const paths = [
      '/',
      '/users/me',
      '/users/5',
      '/users/x',
      '/users/x/y',
      'POST /users/me',
      'HEAD /users/me',
      'PUT /users/5',
    ]
    const answers = new Set<string>()
    for (let turn = 0; turn < 100; turn++) {
      const order = steps.toSorted(
        (one, other) => hash(steps.indexOf(one), turn) - hash(steps.indexOf(other), turn),
      )
      const app = compile((r) => order.forEach((step) => step(r)))
      answers.add(paths.map((path) => ask(app, path)).join('\n'))
    }

    assert.deepEqual(
      [...answers],
      [
        [
          'Site PageController.index()',
          'Site PageController.other()',
          'Site PageController.item(5)',
          'Site PageController.show("x")',
          'Site PageController.file("x/y")',
          'Site PageController.edit("me")',
          'Site PageController.save()',
          '405 GET, HEAD, POST',
        ].join('\n'),
      ],
    )
  })
})

function hash(index: number, turn: number): number {
  return Math.imul(index + 1, 2654435761 + turn * 40503) >>> 0
}
