import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { param, type Router, RoutingException, TrailingSlash, type UrlParams } from 'sallyport/routing'
import { ask, claim, conventional, fails, module, PageController, router, site, table } from '../fixture.ts'
import type { ModuleRouting } from '../../../src/routing/internal.ts'
import type { RouterOptions } from '../../../src/routing/router.ts'

type Options = Omit<RouterOptions, 'modules'>

class CartController {
  static readonly actions = {
    index: [],
    add: [param.string('value')],
    addPost: [param.int('n'), param.bool('now').optional()],
    list: [param.rest(param.string('tag'))],
  }
  index(): void {}
  add(): void {}
  addPost(): void {}
  list(): void {}
}
class IndexController {
  static readonly actions = { index: [] }
  index(): void {}
}

const LOCALES: Options = { locales: ['fr', 'en'], localePrefixes: true }

const pages = table((r) => {
  r.get('/', [PageController, 'index']).name('home')
  r.get('/foo', [PageController, 'other']).name('foo')
  r.get('/bar/', [PageController, 'other']).name('bar')
  r.get('/p/{slug}', [PageController, 'show']).name('page')
  r.get('/i/{id}', [PageController, 'item']).name('item').default('id', 7)
  r.get('/c/{slug}', [PageController, 'edit']).name('constrained').where('slug', '[a-z]+')
  r.get('/b/{on}', [PageController, 'flag']).name('flag')
  r.get('/r/{a}-to-{b}', [PageController, 'pair']).name('pair')
  r.get('/files/{path}', [PageController, 'files']).name('files').where('path', '.*')
  r.get('/doc/{path}', [PageController, 'file']).name('doc').where('path', '.+')
  r.get('/m/{value}', [PageController, 'measure']).name('measure')
})

function application(options: Options = {}): Router {
  const steps = [pages, claim('/promo', (r) => r.get('/{slug}', [PageController, 'show']).name('promo'))]
  return router(
    [module('Site', { mount: '/', steps: [pages] }), module('ShopFloor', { mount: 'shop', steps })],
    options,
  )
}

describe('Router.url()', () => {
  it('names are local to their module, and the root module may leave its name out [URL-01 URL-02 URL-09]', () => {
    const app = application()

    assert.equal(app.url('shop-floor:page', { slug: 'x' }), '/shop/p/x')
    assert.equal(app.url('site:page', { slug: 'x' }), '/p/x')
    assert.equal(app.url('page', { slug: 'x' }), '/p/x')
    assert.equal(app.url('shop-floor:promo', { slug: 'x' }), '/promo/x')
  })

  it('fails for names that nobody gave', () => {
    const app = application()

    for (const name of [
      'nothing',
      'shop:page',
      'shop-floor:nothing',
      'promo',
      '',
      ':',
      'shop-floor:',
      'toString',
    ]) {
      assert.throws(() => app.url(name), fails('unknown-route', `"${name}"`))
    }
    assert.throws(() => router([]).url('home'), fails('unknown-route', 'root'))
  })

  it('a default fills a placeholder that is missing [TABLE-10]', () => {
    const app = application()

    assert.equal(app.url('item'), '/i/7')
    assert.equal(app.url('item', { id: null }), '/i/7')
    assert.equal(app.url('item', { id: 8 }), '/i/8')
    assert.throws(() => app.url('page'), fails('missing-parameter', '"slug"'))
    assert.throws(() => app.url('page', { slug: undefined }), fails('missing-parameter'))
  })

  it('parameters that the path does not use become the query [URL-03]', () => {
    const app = application()
    const query = {
      'a&b': 'c=d',
      '#f': 'é \r\n',
      list: ['x', 'y', null, 1],
      none: null,
      missing: undefined,
      big: 12n,
      on: true,
    }

    const url = app.url('page', { slug: 'x', ...query })

    assert.equal(url.slice(0, 5), '/p/x?')
    const pairs = [...new URLSearchParams(url.slice(5))]
    const expected = [
      ['a&b', 'c=d'],
      ['#f', 'é \r\n'],
      ['list', 'x'],
      ['list', 'y'],
      ['list', '1'],
      ['big', '12'],
      ['on', 'true'],
    ]
    assert.deepEqual(pairs, expected)
    assert.equal(app.url('foo', { a: [], b: null }), '/foo')
  })

  it('refuses what cannot stand in a URL', () => {
    const app = application()
    const odd = [
      { toString: () => 'x' },
      Symbol('x'),
      () => 'x',
      NaN,
      Infinity,
      new Date(0),
      '\ud800',
    ] as unknown[]

    for (const value of odd) {
      assert.throws(() => app.url('foo', { q: value } as UrlParams), fails('invalid-parameter'))
      assert.throws(() => app.url('page', { slug: value } as UrlParams), fails('invalid-parameter'))
    }
    assert.throws(() => app.url('page', { slug: ['a', 'b'] }), fails('invalid-parameter'))
    assert.throws(() => app.url('foo', { '\udfff': 'x' }), fails('invalid-parameter'))
  })

  it('fails for a value that its type or constraint would refuse', () => {
    const app = application()

    for (const id of ['x', '05', 1.5, 2 ** 53, true, ''])
      assert.throws(() => app.url('item', { id }), fails('invalid-parameter', '"id"'))
    for (const slug of ['A', 'a1', '', 'a/b'])
      assert.throws(() => app.url('constrained', { slug }), fails('invalid-parameter', '[a-z]+'))
    assert.equal(app.url('item', { id: '5' }), '/i/5')
    assert.equal(app.url('item', { id: 5n }), '/i/5')
    assert.equal(app.url('flag', { on: 1 }), '/b/true')
    assert.equal(app.url('flag', { on: false }), '/b/false')
    assert.equal(app.url('measure', { value: 1e21 }), '/m/1e%2B21')
  })

  it('values come back as they were, or the URL is refused [URL-14]', () => {
    const app = application()

    for (const slug of [
      'a b',
      'é',
      '/evil.test',
      '\\evil.test',
      '//evil.test',
      '%2f',
      '...',
      'a?b#c',
      '☕',
      'x/../y',
      '..%2f',
      "a'b",
      ';x=1',
      '@:$,+=&',
    ]) {
      const url = app.url('page', { slug })
      assert.equal(ask(app, url), `Site PageController.show(${JSON.stringify(slug)})`)
      assert.equal(new URL(url, 'http://x.test').pathname, url, slug)
      assert.doesNotMatch(url, /^\/[/\\]/)
    }
    for (const slug of ['.', '..', '', '\r\n', '\0', '\u007f', '\u0085']) {
      assert.throws(() => app.url('page', { slug }), fails('invalid-parameter'), JSON.stringify(slug))
    }
  })

  it('refuses a value whose URL another route, mount, locale or claim owns', () => {
    const steps = [
      table((r) => {
        r.get('/{slug}', [PageController, 'show']).name('page')
        r.get('/about', [PageController, 'index'])
        r.get('/{a}/{b}', [PageController, 'pair']).name('pair')
      }),
    ]
    const app = router(
      [
        module('Site', { mount: '/', steps }),
        module('Shop'),
        module('Blog', { steps: [claim('/news', () => undefined)] }),
      ],
      LOCALES,
    )

    for (const slug of ['about', 'shop', 'SHOP', 'news', 'fr', 'EN', 'blog']) {
      assert.throws(() => app.url('page', { slug }), fails('invalid-parameter', '"page"'), slug)
    }
    assert.throws(() => app.url('pair', { a: 'en', b: 'x' }), fails('invalid-parameter'))
    assert.equal(app.url('page', { slug: 'abouts' }), '/abouts')
    assert.equal(app.url('pair', { a: 'x', b: 'about' }), '/x/about')
  })

  it('says of a value without a URL which route, placeholder and value it is, whatever the reason [URL-14]', () => {
    const app = router([
      module('Site', {
        mount: '/',
        steps: [
          pages,
          table((r) => {
            r.get('/p/new', [PageController, 'other'])
            r.get('/x/{slug}', [PageController, 'edit']).name('short').where('slug', '.{1,3}')
          }),
        ],
      }),
    ])
    const without: readonly (readonly [route: string, name: string, value: string])[] = [
      ['page', 'slug', '..'],
      ['page', 'slug', '.'],
      ['page', 'slug', ''],
      ['page', 'slug', 'a\nb'],
      ['page', 'slug', 'new'],
      ['item', 'id', 'one'],
      ['constrained', 'slug', 'Tea'],
      ['short', 'slug', 'a/..'],
      ['files', 'path', 'a/../b'],
      ['pair', 'a', 'x-to-y'],
    ]

    for (const [route, name, value] of without)
      assert.throws(
        () => app.url(route, { a: 'a', b: 'b', [name]: value }),
        (error) => {
          assert.ok(error instanceof RoutingException)
          assert.equal(error.code, 'invalid-parameter')
          for (const part of [`"${route}"`, `"${name}"`])
            assert.ok(error.message.includes(part), error.message)
          assert.ok(
            /"\.\."/.test(error.message) || error.message.includes(JSON.stringify(value)),
            error.message,
          )
          return true
        },
        `${route} ${value}`,
      )
  })

  it('fills parts of a segment so that they are read back', () => {
    const app = application()

    assert.equal(app.url('pair', { a: 'x', b: 'y-to-z' }), '/r/x-to-y-to-z')
    assert.throws(() => app.url('pair', { a: 'x-to-y', b: 'z' }), fails('invalid-parameter'))
    assert.throws(() => app.url('pair', { a: '', b: 'z' }), fails('invalid-parameter'))
  })

  it('fills the rest of a path with a list or a path', () => {
    const app = application()

    assert.equal(app.url('files', { path: ['a', 'b/c', 'd'] }), '/files/a/b%2Fc/d')
    assert.equal(app.url('files', { path: 'a/b' }), '/files/a/b')
    assert.equal(app.url('doc', { path: 'a/b' }), '/doc/a/b')
    for (const path of ['', 'a//b', '/a', 'a/', 'a/../b', []]) {
      assert.throws(() => app.url('files', { path }), fails('invalid-parameter'))
    }
    assert.throws(() => app.url('doc', { path: ['a', 'b'] }), fails('invalid-parameter'))
  })

  it('URLs are in the canonical form of the slash policy [URL-13 SLASH-01 SLASH-05]', () => {
    const add = application({ trailingSlash: TrailingSlash.Add })
    const remove = application({ trailingSlash: TrailingSlash.Remove })

    assert.deepEqual(
      ['home', 'foo', 'bar', 'shop-floor:home'].map((name) => add.url(name)),
      ['/', '/foo/', '/bar/', '/shop/'],
    )
    assert.deepEqual(
      ['home', 'foo', 'bar', 'shop-floor:home'].map((name) => remove.url(name)),
      ['/', '/foo', '/bar', '/shop'],
    )
    assert.equal(add.url('page', { slug: 'x', q: 1 }), '/p/x/?q=1')
  })

  it('under Preserve generation keeps the declared spelling [SLASH-08]', () => {
    const app = application()
    const bare = router([
      module('Shop', { steps: [table((r) => r.get('', [PageController, 'index']).name('home'))] }),
    ])

    assert.deepEqual(
      ['home', 'foo', 'bar', 'shop-floor:home'].map((name) => app.url(name)),
      ['/', '/foo', '/bar/', '/shop/'],
    )
    assert.equal(bare.url('shop:home'), '/shop')
  })

  it('takes the first path of a route where the application declares no locale', () => {
    const app = site((routes) => routes.get({ fr: '/un', en: '/one' }, [PageController, 'index']).name('one'))

    assert.equal(app.url('one'), '/un')
    assert.equal(app.url('one', {}, 'EN'), '/one')
  })

  it('without a locale the default one is used, and a missing variant fails [URL-10 URL-11]', () => {
    const steps = [
      table((r) => {
        r.get({ fr: '/panier', en: '/cart' }, [PageController, 'other']).name('cart')
        r.get({ fr: '/mentions' }, [PageController, 'index']).name('legal')
      }),
    ]
    const modules: ModuleRouting[] = [
      module('Shop', { localized: true, mount: { fr: 'boutique', en: 'shop' }, steps }),
      module('Atelier', { localized: true, mount: { fr: 'atelier' }, steps: [pages] }),
    ]
    const app = router(modules, LOCALES)

    assert.equal(app.url('shop:cart'), '/fr/boutique/panier')
    assert.equal(app.url('shop:cart', {}, 'en'), '/en/shop/cart')
    assert.equal(app.url('shop:cart', {}, 'EN'), '/en/shop/cart')
    assert.throws(
      () => app.url('shop:legal', {}, 'en'),
      fails('locale-variant-missing', '"shop:legal"', 'fr'),
    )
    assert.throws(() => app.url('atelier:foo', {}, 'en'), fails('locale-variant-missing'))
    assert.throws(() => app.url('shop:cart', {}, 'de'), fails('locale-variant-missing', '"de"'))
  })

  it('without prefixes no locale segment is added [URL-15]', () => {
    const app = site(
      (r) => {
        r.get({ fr: '/panier', en: '/cart' }, [PageController, 'other']).name('cart')
        r.get('/about', [PageController, 'index']).name('about')
      },
      { locales: ['fr', 'en'] },
    )

    assert.equal(app.url('cart'), '/panier')
    assert.equal(app.url('cart', {}, 'en'), '/cart')
    assert.equal(app.url('about', {}, 'en'), '/about')
    assert.throws(() => app.url('cart', {}, 'de'), fails('locale-variant-missing'))
  })

  it('accepts any locale for a module that is not localized, which changes nothing', () => {
    const app = application(LOCALES)

    for (const locale of ['fr', 'en', 'de']) assert.equal(app.url('page', { slug: 'x' }, locale), '/p/x')
  })

  it('writes the home page of the default locale as /', () => {
    for (const [trailingSlash, slash] of [
      [TrailingSlash.Add, '/'],
      [TrailingSlash.Remove, ''],
    ] as const) {
      const app = router([module('Site', { mount: '/', localized: true, steps: [pages] })], {
        ...LOCALES,
        trailingSlash,
      })
      assert.equal(app.url('home'), '/')
      assert.equal(app.url('home', {}, 'en'), `/en${slash}`)
      assert.equal(app.url('foo'), `/fr/foo${slash}`)
    }
  })

  it('a name that table and claim share fails when the URL is generated [TABLE-27]', () => {
    const declare = (r: Parameters<Parameters<typeof table>[0]>[0]): void =>
      void r.get('/a', [PageController, 'index']).name('a')
    const app = router([
      module('Shop', { steps: [table(declare), claim('/promo', declare)] }),
      module('Blog', { steps: [claim('/one', declare), claim('/two', declare)] }),
    ])

    assert.equal(ask(app, '/promo/a'), 'Shop PageController.index()')
    assert.throws(
      () => app.url('shop:a'),
      fails('duplicate-name', '"a"', 'module "Shop"', 'generation.test.ts'),
    )
    assert.throws(() => app.url('blog:a'), fails('duplicate-name'))
  })

  it('names no place in the source where the platform tells none [TABLE-27]', () => {
    const declare = (r: Parameters<Parameters<typeof table>[0]>[0]): void =>
      void r.get('/a', [PageController, 'index']).name('a')
    const app = router([module('Shop', { steps: [table(declare), claim('/promo', declare)] })])
    const prepare: unknown = Reflect.get(Error, 'prepareStackTrace')
    Reflect.set(Error, 'prepareStackTrace', () => '')

    try {
      assert.throws(() => app.url('shop:a'), fails('duplicate-name', 'both GET /a and GET /a;'))
    } finally {
      Reflect.set(Error, 'prepareStackTrace', prepare)
    }
  })

  it('refuses two modules of one name, which names could not tell apart', () => {
    const both = [module('Shop', { mount: 'one' }), module('Shop', { mount: 'two' })]

    assert.throws(() => router(both), fails('duplicate-name', '"shop:'))
  })

  it('takes own properties only', () => {
    const inherited = Object.create({ slug: 'x' }) as UrlParams

    assert.throws(() => application().url('page', inherited), fails('missing-parameter'))
  })
})

describe('Router.urlFor()', () => {
  const app = (options: Options = {}, parts: Partial<ModuleRouting> = {}): Router => {
    return router([conventional('Shop', [CartController, IndexController], parts)], options)
  }

  it('gives the conventional URL of an action with its arguments [URL-04]', () => {
    assert.equal(app().urlFor([CartController, 'add'], ['a/é']), '/shop/cart/add/a%2F%C3%A9')
    assert.equal(app().urlFor([CartController, 'addPost'], [5, true]), '/shop/cart/add/5/true')
    assert.equal(app().urlFor([CartController, 'addPost'], [5, undefined]), '/shop/cart/add/5')
    assert.equal(app().urlFor([CartController, 'index']), '/shop/cart')
    assert.equal(app().urlFor([IndexController, 'index']), '/shop')
    assert.equal(app().urlFor([CartController, 'list'], ['a', 'b']), '/shop/cart/list/a/b')
  })

  it('checks number and type of the arguments', () => {
    const attempts: [keyof CartController, unknown[]][] = [
      ['add', []],
      ['add', ['a', 'b']],
      ['addPost', ['x']],
      ['addPost', [1.5]],
      ['addPost', [5, 'yes']],
      ['add', [null]],
      ['add', ['']],
      ['add', ['..']],
      ['add', [{}]],
      ['index', [1]],
    ]

    for (const [name, args] of attempts) {
      assert.throws(
        () => app().urlFor([CartController, name], args),
        fails('invalid-parameter', `CartController::${name}`),
      )
    }
  })

  it('conventional URLs follow the policy, and have no slash under Preserve but the root [SLASH-09]', () => {
    assert.equal(
      app({ trailingSlash: TrailingSlash.Add }).urlFor([CartController, 'add'], ['x']),
      '/shop/cart/add/x/',
    )
    assert.equal(app({ trailingSlash: TrailingSlash.Add }).urlFor([IndexController, 'index']), '/shop/')
    assert.equal(app({ trailingSlash: TrailingSlash.Remove }).urlFor([IndexController, 'index']), '/shop')
    assert.equal(app({}, { mount: '/' }).urlFor([IndexController, 'index']), '/')
    assert.equal(app({}, { mount: '/' }).urlFor([CartController, 'index']), '/cart')
  })

  it('speaks the locale', () => {
    const localized = app(LOCALES, { localized: true, mount: { fr: 'boutique', en: 'shop' } })

    assert.equal(localized.urlFor([CartController, 'add'], ['x']), '/fr/boutique/cart/add/x')
    assert.equal(localized.urlFor([CartController, 'add'], ['x'], 'en'), '/en/shop/cart/add/x')
    const home = app(LOCALES, { localized: true, mount: '/' })
    assert.equal(home.urlFor([IndexController, 'index']), '/')
    assert.equal(home.urlFor([IndexController, 'index'], [], 'en'), '/en')
  })

  it('fails for an action that a route table owns, and points at the name to use [URL-12]', () => {
    const steps = [
      table(
        (r) => (
          r.get('/a/{value}', [CartController, 'add']).name('add'),
          r.get('/l', [CartController, 'list'])
        ),
      ),
    ]

    assert.throws(
      () => app({}, { steps }).urlFor([CartController, 'add'], ['x']),
      fails('explicit-action', 'url("shop:add")'),
    )
    assert.throws(
      () => app({}, { steps }).urlFor([CartController, 'list']),
      fails('explicit-action', 'GET /l', 'name'),
    )
  })

  it('points at the route of an action also where no module lists its controller [HOLD-33]', () => {
    const named = table((r) => r.get('/a/{value}', [CartController, 'add']).name('add'))
    const plain = module('Plain', { convention: false, controllers: [CartController] })
    for (const modules of [
      [module('Shop', { steps: [named] })],
      [
        module('Other'),
        module('Shop', {
          steps: [claim('/x', (r) => r.get('/{value}', [CartController, 'add']).name('add'))],
        }),
      ],
      // Who lists it without a convention does not reach it either.
      [plain, module('Shop', { steps: [named] })],
      [module('Shop', { steps: [named] }), plain],
    ]) {
      const own = router(modules)
      assert.throws(
        () => own.urlFor([CartController, 'add'], ['x']),
        fails('explicit-action', 'url("shop:add")'),
      )
      assert.throws(() => own.urlFor([CartController, 'list']), fails('unknown-route', 'CartController'))
    }
    // Where a convention reaches it, another module's route changes nothing.
    const both = router([module('Shop', { steps: [named] }), conventional('Mine', [CartController])])
    assert.equal(both.urlFor([CartController, 'add'], ['x']), '/mine/cart/add/x')
  })

  it('names the route that wins a URL, by table and by convention [HOLD-42]', () => {
    const own = router([
      module('Shop', {
        controllers: [CartController],
        steps: [
          table((r) => {
            r.get('/p/{slug}', [PageController, 'show']).name('product')
            r.get('/p/mine', [PageController, 'other']).name('mine')
            r.get('/p/yours', [PageController, 'index'])
          }),
        ],
      }),
      module('Site', {
        mount: '/',
        convention: false,
        steps: [table((r) => r.get('/{a}/{b}', [PageController, 'pair']).name('any'))],
      }),
    ])

    assert.throws(
      () => own.url('shop:product', { slug: 'mine' }),
      fails(
        'invalid-parameter',
        '"/shop/p/mine"',
        '"shop:mine"',
        'GET /p/mine',
        'PageController::other',
        'module "Shop"',
      ),
    )
    assert.throws(
      () => own.url('shop:product', { slug: 'yours' }),
      fails('invalid-parameter', 'GET /p/yours'),
    )
    assert.throws(
      () => own.url('any', { a: 'shop', b: 'cart' }),
      fails('invalid-parameter', 'CartController::', 'convention'),
    )
  })

  it('names the module in which a name without its module is, or those that there are', () => {
    const shop = module('MyShop', { steps: [table((r) => r.get('/p', [PageController, 'index']).name('p'))] })
    const broken = module('Broken', {
      steps: [table((r) => r.get('x', [PageController, 'index']).name('q'))],
    })

    assert.throws(() => router([shop]).url('p'), fails('unknown-route', '"my-shop:p"'))
    assert.throws(
      () => router([shop, module('Site', { mount: '/' })]).url('p'),
      fails('unknown-route', '"my-shop:p"'),
    )
    assert.throws(
      () => router([shop, broken]).url('MyShop:p'),
      fails('unknown-route', 'my-shop, broken', '"my-shop:p"'),
    )
  })

  it('fails for what is no action and for controllers that no module lists', () => {
    assert.throws(
      () => app().urlFor([CartController, 'nothing' as 'add']),
      fails('invalid-action', 'CartController::nothing'),
    )
    assert.throws(() => app().urlFor([PageController, 'index']), fails('unknown-route', 'PageController'))
  })

  it('refuses a URL that the table or another action answers', () => {
    const steps = [table((r) => r.get('/cart/add/{slug}', [PageController, 'show']))]

    assert.throws(
      () => app({}, { steps }).urlFor([CartController, 'add'], ['x']),
      fails('invalid-parameter', 'PageController::show'),
    )
  })
})
