import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { MethodNotAllowedException } from 'sallyport/http'
import { type Actions, param, type Resolver, type RouteRequest, TrailingSlash } from 'sallyport/routing'

import {
  ask,
  claim,
  conventional,
  module,
  PageController,
  resolver,
  router,
  show,
  table,
} from '../fixture.ts'
import { PathPrefix } from '../../../src/routing/internal.ts'

const LOCALES = { locales: ['fr', 'en'], localePrefixes: true }

class IndexController {
  static readonly actions: Actions<IndexController> = { index: [] }
  index(): void {}
}

class InvokedController {
  static readonly actions: Actions<InvokedController> = { __invoke: [param.string('slug').optional()] }
  __invoke(_slug?: string): void {}
}

/** Answers nothing, and keeps a router from deciding by tables alone. */
const silent = { resolve: () => null }

describe('a resolver', () => {
  it('is refused when it answers with something else than a route', async () => {
    const wrong = { resolve: () => ({ kind: 'found' }) as never }
    const late = { resolve: async () => 'x' as never }
    const at = (answer: typeof wrong | typeof late): ReturnType<typeof router> =>
      router([module('Shop', { convention: false, steps: [resolver(answer)] })])

    assert.throws(() => at(wrong).match('GET', '/shop/x'), TypeError)
    await assert.rejects(async () => at(late).resolve('GET', '/shop/x'), TypeError)
  })

  it('is named when its answer is refused, by its class if it has one', () => {
    class Posts implements Resolver {
      resolve = (): never => 'x' as never
    }
    const bare = Object.assign(Object.create(null) as Resolver, { resolve: () => 'x' as never })
    const answering = (answer: Resolver): (() => unknown) => {
      const app = router([module('Shop', { convention: false, steps: [resolver(answer)] })])
      return () => app.match('GET', '/shop/x')
    }

    assert.throws(answering(new Posts()), /the answer of Posts in module "Shop"/)
    assert.throws(answering(bare), /the answer of a resolver in module "Shop"/)
    assert.throws(answering({ resolve: () => 'x' as never }), /the answer of a resolver in module "Shop"/)
  })

  it('is asked again about a redirect only where it leads to other segments', () => {
    const asked: string[] = []
    const app = router([
      conventional('Shop', [PageController], {
        steps: [
          resolver({
            resolve({ segments }) {
              asked.push(segments.join('/'))
              return null
            },
          }),
        ],
      }),
    ])

    assert.equal(ask(app, '/SHOP/page/other'), '-> /shop/page/other')
    assert.deepEqual(asked.splice(0), ['page/other'])
    assert.equal(ask(app, '/shop/Page/other'), '-> /shop/page/other')
    assert.deepEqual(asked.splice(0), ['Page/other', 'page/other'])
  })

  it('may answer with nothing at all', () => {
    const app = router([
      module('Shop', { convention: false, steps: [resolver({ resolve: () => undefined as never })] }),
    ])

    assert.equal(ask(app, '/shop/x'), '404')
  })

  it('is asked with the segments, the prefix, the method and the locale', () => {
    const asked: unknown[] = []
    const noted = {
      resolve: ({ segments, prefix, method, locale }: RouteRequest) => {
        asked.push([segments, prefix, method, locale])
        return null
      },
    }
    const parts = { localized: true, convention: false, steps: [resolver(noted)] }
    const app = router([module('Shop', parts), module('Site', { ...parts, mount: '/' })], LOCALES)

    for (const request of ['/', '/en', 'POST /en/shop/a%2Fb/c/', '/fr/x']) ask(app, request)

    assert.deepEqual(asked, [
      [[], '/fr', 'GET', 'fr'],
      [[], '/en', 'GET', 'en'],
      [[], '/en', 'GET', 'en'],
      [['a/b', 'c'], '/en/shop', 'POST', 'en'],
      [['x'], '/fr', 'GET', 'fr'],
    ])
  })

  it('of the same priority as the table stands where it was declared, whatever claims stand before', () => {
    const answer = { resolve: (request: RouteRequest) => request.route(PageController, 'other') }
    const declare = table((routes) => routes.get('/x', [PageController, 'index']))
    const promo = claim('/promo', (routes) => routes.get('/', [PageController, 'index']))
    const at = (...steps: NonNullable<Parameters<typeof module>[1]>['steps'] & object): string =>
      ask(router([module('Shop', { convention: false, steps })]), '/shop/x')

    assert.equal(at(promo, resolver(answer), declare), 'Shop PageController.other()')
    assert.equal(at(promo, declare, resolver(answer)), 'Shop PageController.index()')
    assert.equal(
      at(
        promo,
        table(() => undefined),
        resolver(answer),
        declare,
      ),
      'Shop PageController.index()',
    )
    assert.equal(at(promo, declare, resolver(answer, -1)), 'Shop PageController.other()')
  })
})

describe('the home page of a localized module with a resolver', () => {
  it('imposes the default locale [HOLD-30]', () => {
    const app = router(
      [conventional('Site', [IndexController], { mount: '/', localized: true, steps: [resolver(silent)] })],
      LOCALES,
    )

    assert.deepEqual(
      ['/', '/en', '/fr'].map((path) => ask(app, path)),
      ['Site IndexController.index() [fr]', 'Site IndexController.index() [en]', '-> /'],
    )
  })

  it('imposes the default locale by its table, too [HOLD-30]', () => {
    const declare = table((routes) => routes.get('/', [PageController, 'index']))
    const app = router(
      [
        module('Site', {
          mount: '/',
          localized: true,
          convention: false,
          steps: [resolver(silent, -1), declare],
        }),
      ],
      LOCALES,
    )

    assert.deepEqual(
      ['/', '/en', '/fr'].map((path) => ask(app, path)),
      ['Site PageController.index() [fr]', 'Site PageController.index() [en]', '-> /'],
    )
  })
})

describe('the convention', () => {
  it('does not redirect to a URL that a table took', () => {
    const app = router([
      conventional('Shop', [IndexController], {
        steps: [table((routes) => routes.get('/', [PageController, 'other']))],
      }),
    ])

    assert.equal(ask(app, '/shop/index/index'), '404')
    assert.equal(ask(app, '/shop'), 'Shop PageController.other()')
  })

  it('gives a word that two actions or two controllers are spelled by to the first', () => {
    class AbcController {
      static readonly actions: Actions<AbcController> = { aBc: [], abC: [] }
      aBc(): void {}
      abC(): void {}
    }
    class XYzController extends AbcController {}
    class XyZController extends AbcController {}
    const app = router([conventional('Shop', [AbcController, XYzController, XyZController])])

    assert.equal(ask(app, '/shop/abc/abc'), '-> /shop/abc/a-bc')
    assert.equal(ask(app, '/shop/abc/ab-c'), 'Shop AbcController.abC()')
    assert.equal(ask(app, '/shop/xyz/a-bc'), '-> /shop/x-yz/a-bc')
    assert.equal(ask(app, '/shop/xy-z/a-bc'), 'Shop XyZController.aBc()')
  })

  it('gives an invokable index the URL of the module, until it takes arguments', () => {
    class IndexController extends InvokedController {}
    const app = router([conventional('Shop', [IndexController, InvokedController])])

    assert.deepEqual(
      ['/shop', '/shop/index', '/shop/index/x', '/shop/invoked', '/shop/invoked/x'].map((path) =>
        ask(app, path),
      ),
      [
        'Shop IndexController.__invoke()',
        '-> /shop',
        'Shop IndexController.__invoke("x")',
        'Shop InvokedController.__invoke()',
        'Shop InvokedController.__invoke("x")',
      ],
    )
    assert.equal(app.urlFor([IndexController, '__invoke']), '/shop')
    assert.equal(app.urlFor([IndexController, '__invoke'], ['x']), '/shop/index/x')
  })

  it('takes the word Controller from the end of longer names only', () => {
    class Controller extends IndexController {}
    class ShopControllers extends IndexController {}
    const app = router([conventional('Shop', [Controller, ShopControllers])])

    assert.equal(ask(app, '/shop/controller'), 'Shop Controller.index()')
    assert.equal(ask(app, '/shop/shop-controllers'), 'Shop ShopControllers.index()')
  })
})

describe('a claim inside the own mount, spelled with a capital', () => {
  it('leaves the other spelling of the mount a redirect', () => {
    const news = module('News', {
      convention: false,
      steps: [
        claim('/News/Today', (routes) => routes.get('/', [PageController, 'other'])),
        table((routes) => {
          routes.get('/', [PageController, 'index'])
          routes.get('/x', [PageController, 'save'])
        }),
      ],
    })

    assert.deepEqual(
      ['/News', '/News/x', '/News/Today', '/news/Today', '/News/Today/x'].map((path) =>
        ask(router([news]), path),
      ),
      ['-> /news', '-> /news/x', 'News PageController.other()', '404', '404'],
    )
  })
})

describe('a redirect beside a resolver that is asked first', () => {
  it('leads to what table and convention answer', () => {
    const steps = [resolver(silent, -1), table((routes) => routes.get('/x', [PageController, 'other']))]
    const app = router([conventional('Shop', [IndexController, PageController], { steps })])

    assert.deepEqual(
      ['/Shop/x', '/Shop', '/shop/Page/save', '/shop/page/other'].map((path) => ask(app, path)),
      ['-> /shop/x', '-> /shop', '-> /shop/page/save', '404'],
    )
  })
})

describe('Router.match()', () => {
  it('refuses a resolver that answers later, and tells what to do', async () => {
    const app = router([
      module('Shop', { convention: false, steps: [resolver({ resolve: async () => null })] }),
    ])
    const failing = router([
      module('Shop', {
        convention: false,
        steps: [resolver({ resolve: () => Promise.reject(new Error('no')) })],
      }),
    ])

    assert.throws(() => app.match('GET', '/shop/x'), /^TypeError: .*resolve\(\)$/)
    assert.throws(() => failing.match('GET', '/shop/x'), TypeError)
    assert.equal(show(await app.resolve('GET', '/shop/x')), '404')
  })

  it('collects the methods of all locales that an unprefixed URL may mean', () => {
    const shop = module('Shop', {
      localized: true,
      convention: false,
      steps: [
        table((routes) => {
          routes.post({ fr: '/a' }, [PageController, 'save'])
          routes.put({ en: '/a' }, [PageController, 'save'])
        }),
      ],
    })

    assert.equal(ask(router([shop], LOCALES), '/shop/a'), '405 POST, PUT')
  })

  for (const isAsync of [false, true]) {
    it(`tells the methods of the convention as well where a resolver behind it refuses, ${isAsync ? 'later' : 'at once'}`, async () => {
      const refusing: Resolver = {
        resolve: (request) => {
          const refusal = new MethodNotAllowedException(['PUT'])
          if (request.segments[0] === 'nothing') return null
          if (isAsync) return Promise.reject(refusal)
          throw refusal
        },
      }
      const behind = router([conventional('Shop', [IndexController], { steps: [resolver(refusing, 1500)] })])
      const before = router([conventional('Shop', [IndexController], { steps: [resolver(refusing, 500)] })])
      const of = async (app: ReturnType<typeof router>, method: string, path: string): Promise<string> =>
        show(await app.resolve(method, path))

      // RFC 9110 section 15.5.6: all that work are told, and GET and HEAD do.
      assert.equal(await of(behind, 'GET', '/shop'), 'Shop IndexController.index()')
      assert.equal(await of(behind, 'DELETE', '/shop'), '405 GET, HEAD, PUT')
      assert.equal(await of(behind, 'DELETE', '/shop/x'), '405 PUT')
      assert.equal(await of(behind, 'DELETE', '/shop/nothing'), '404')
      // One in front of it has the last word.
      assert.equal(await of(before, 'GET', '/shop'), '405 PUT')
    })
  }

  it('no URL that a resolver answers is redirected twice [LOC-09 HOLD-29]', async () => {
    const any: Resolver = { resolve: (request) => request.route(PageController, 'index') }
    const everything = { mount: '/', convention: false, steps: [resolver(any)] }
    for (const localized of [false, true]) {
      for (const trailingSlash of Object.values(TrailingSlash)) {
        const options = { locales: ['fr', 'en'], localePrefixes: true, trailingSlash }
        const app = router([module('Site', { ...everything, localized })], options)
        for (const path of [
          '/fr/fr/x',
          '/en/FR/x/',
          '/fr/fr',
          '/FR/en/fr/x',
          '/fr/x',
          '/x/',
          '/FR/',
          '/x/fr',
        ]) {
          const first = await app.resolve('GET', path)
          if (first.kind !== 'redirect') continue

          const second = await app.resolve('GET', first.location)

          assert.equal(second.kind, 'found', `${path} → ${first.location}`)
          assert.ok(app.isUnder(path, new PathPrefix(first.location)), path)
        }
      }
    }
    const plain = router([module('Site', everything)], { locales: ['fr', 'en'], localePrefixes: true })
    assert.deepEqual(plain.match('GET', '/fr/fr/x'), { kind: 'notFound' })
    assert.deepEqual(plain.match('GET', '/fr/x'), { kind: 'redirect', location: '/x' })
  })
})

describe('Router.patternAt()', () => {
  const app = router([
    module('Shop', {
      convention: false,
      steps: [
        table((r) => {
          r.post('/save/{id}', [PageController, 'item'])
          r.get('/list', [PageController, 'index'])
        }),
      ],
    }),
    module('Free', { convention: false, steps: [resolver({ resolve: () => null })] }),
  ])

  it('is that of the route, also for a method that it does not answer and in another spelling [PAGE-16]', () => {
    assert.equal(app.patternAt('POST', '/shop/save/7'), '/shop/save/{id}')
    assert.equal(app.patternAt('GET', '/shop/save/7'), '/shop/save/{id}')
    assert.equal(app.patternAt('GET', '/SHOP/list/'), '/shop/list')
  })

  it('is that of all that a resolver finds, where one might answer, and none elsewhere [PAGE-16]', () => {
    assert.equal(app.patternAt('GET', '/free/x'), '/free/*')
    assert.equal(app.patternAt('GET', '/shop/nothing'), null)
    assert.equal(app.patternAt('GET', '/nothing'), null)
    assert.equal(app.patternAt('GET', '/%zz'), null)
  })
})
