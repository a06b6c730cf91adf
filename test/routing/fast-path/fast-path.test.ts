import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { type Actions, param, parameterType, type Router, TrailingSlash } from 'sallyport/routing'
import { ask, claim, module, PageController, resolver, router, site, table } from '../fixture.ts'
import { agree, answers, assertAgrees, CartController, IndexController, pages } from './agreement.ts'
import type { ModuleRouting } from '../../../src/routing/internal.ts'

const LOCALES = { locales: ['en', 'de'], localePrefixes: true }

/** Its segment without the hyphen is what stands for no segment at all. */
class InDexController {
  static readonly actions: Actions<InDexController> = { index: [] }
  index(): void {}
}

describe('Router.match() without a module at the root', () => {
  const lookup = router([
    module('Shop', { convention: false, steps: [pages] }),
    module('Blog', { controllers: [IndexController, CartController], steps: [pages] }),
    module('Plain', { controllers: [IndexController, CartController] }),
    module('Wiki', { steps: [pages, resolver({ resolve: () => null })] }),
    module('Early', { convention: false, steps: [resolver({ resolve: () => null }, -1), pages] }),
    module('Bare', { convention: false, steps: [] }),
  ])

  describe('answers what nobody can own', () => {
    answers(lookup, {
      '/': '404',
      '/nothing': '404',
      '/nothing/else/at/all': '404',
      '/nothing/': '404',
      '/nothing/At-All': '404',
      '/sho': '404',
      '/shopp': '404',
      '/1@[`{~': '404',
      '/shoq/&': '404',
    })
  })

  describe('is not misled by what may be another spelling of a mount', () => {
    agree(lookup, ['/Shop', '/sHop/about', '/shoP', '/bloG', '/BLOG', '/WIKI/nothing', '/é', '/1é', '/ｓhop'])
  })

  describe('is not misled by what is encoded, or was to be', () => {
    answers(lookup, {
      '/nothing/~': '404',
    })
    agree(lookup, [
      '/%73hop',
      '/shop%2F',
      '/nothing/%41',
      '/nothing/a%41/b',
      '/nothing/é',
      '/nothing/"',
      '/nothing/\u007f',
    ])
  })

  describe('is not misled by what is no path', () => {
    agree(lookup, ['', 'shop', 'about/shop'])
  })

  describe('is final when nothing but the table is asked', () => {
    answers(lookup, {
      '/shop': 'Shop PageController.index()',
      '/shop/': 'Shop PageController.index()',
      '/shop/about': 'Shop PageController.other()',
      '/shop/item/7': 'Shop PageController.item(7)',
      '/shop/item/x': '404',
      '/shop/show/a': 'Shop PageController.show("a")',
      '/shop/show/A': 'Shop PageController.show("A")',
      '/shop/nothing': '404',
      '/shop/Nothing': '404',
      '/shop/About': '404',
      '/shop/save': '405 POST',
      'POST /shop/save': 'Shop PageController.save()',
      'POST /shop/about': '405 GET, HEAD',
      'HEAD /shop/about': 'Shop PageController.other()',
    })
    agree(lookup, ['/shop/nothing/%41', '/shop/%61bout', '/shop/about/%41', '/shop/show/%41', '/shop/show/é'])
  })

  describe('asks the convention behind the table, and tells only what it finds as it was sent', () => {
    answers(lookup, {
      '/blog/about': 'Blog PageController.other()',
      'POST /blog/about': '405 GET, HEAD',
      '/blog/cart': 'Blog CartController.index()',
      '/blog/cart/': 'Blog CartController.index()',
      'HEAD /blog/cart': 'Blog CartController.index()',
      '/blog/cart/show': 'Blog CartController.show()',
      '/blog/cart/show/a': 'Blog CartController.show("a")',
      '/blog/cart/show/A': 'Blog CartController.show("A")',
      'POST /blog/cart/add': 'Blog CartController.addPost()',
    })
    agree(lookup, [
      '/blog/cart/show/%41',
      '/blog/cart/show/é',
      '/blog/cart/show/..',
      '/blog/cart/show//',
      '/blog/Cart/show',
      '/blog/cart/index',
      '/blog/index',
      '/blog/cart/add',
      '/blog/nothing',
    ])
  })

  describe('asks the convention of a module without a table', () => {
    answers(lookup, {
      '/plain': 'Plain IndexController.index()',
      '/plain/': 'Plain IndexController.index()',
      '/plain/cart': 'Plain CartController.index()',
      '/plain/cart/show/a': 'Plain CartController.show("a")',
    })
    agree(lookup, ['/plain/cart/sho'])
    agree(router([module('Odd', { controllers: [InDexController] })]), ['/odd', '/odd/index', '/odd/in-dex'])
  })

  describe('is not misled by what is a matter for resolvers', () => {
    answers(lookup, {
      '/wiki/about': 'Wiki PageController.other()',
      'POST /wiki/about': '405 GET, HEAD',
    })
    agree(lookup, ['/wiki/nothing', '/early/about', '/early/nothing', '/bare'])
  })
})

describe('Router.match() with a module at the root', () => {
  const lookup = router([
    module('Site', {
      mount: '/',
      convention: false,
      steps: [
        pages,
        table((routes) => {
          routes.get('/{slug}', [PageController, 'show'])
          routes.get('/x/{a}/{b}', [PageController, 'pair'])
        }),
        claim('/news/today', (routes) => routes.get('/a', [PageController, 'other'])),
      ],
    }),
    module('Shop', { convention: false, steps: [pages] }),
  ])

  describe('asks its table for what no other module owns', () => {
    answers(lookup, {
      '/': 'Site PageController.index()',
      '/about': 'Site PageController.other()',
      '/other': 'Site PageController.show("other")',
      '/OTHER': 'Site PageController.show("OTHER")',
      '/x/1/2': 'Site PageController.pair("1", "2")',
      '/x/A/B': 'Site PageController.pair("A", "B")',
      '/x/1': '404',
      '/news': 'Site PageController.show("news")',
      '/news/': 'Site PageController.show("news")',
      '/news/a': '404',
      '/news/A': '404',
      '/shop': 'Shop PageController.index()',
      '/shop/other': '404',
      '/news/today': '404',
      '/news/today/a': 'Site PageController.other()',
      '/news/today/A': '404',
    })
  })

  describe('is not misled by what may be a mount or a claim in another spelling', () => {
    agree(lookup, [
      '/SHOP',
      '/News/today/a',
      '/%6eews/today/a',
      '/news/%74oday/a',
      '/x/%41/2',
      '/x/1/%42',
      '/x/1/é',
    ])
  })
})

describe('Router.match() with claims in capitals', () => {
  const claiming = (name: string, path: string): ModuleRouting =>
    module(name, {
      convention: false,
      steps: [pages, claim(path, (routes) => routes.get('/a', [PageController, 'other']))],
    })
  const lookup = router([
    claiming('Za', '/Za/x'),
    claiming('Aa', '/aA/x'),
    claiming('Low', '/other/x'),
    claiming('Nine', '/9-z/x'),
  ])

  describe('answers them, and what else begins so is not mistaken for them', () => {
    answers(lookup, {
      '/Za/x/a': 'Za PageController.other()',
      '/aA/x/a': 'Aa PageController.other()',
      '/za/about': 'Za PageController.other()',
      '/other/about': '404',
      '/other': '404',
      '/9-z/about': '404',
    })
    agree(lookup, ['/Za/about', '/Za', '/aA/about'])
  })
})

describe('Router.match() under a policy for slashes', () => {
  const site = [module('Site', { mount: '/', convention: false, steps: [pages] })]

  describe('that removes them', () => {
    answers(router(site, { trailingSlash: TrailingSlash.Remove }), {
      '/': 'Site PageController.index()',
      '/about': 'Site PageController.other()',
      '/about/': '-> /about',
      '/nothing/': '404',
      '/nothing': '404',
    })
  })

  describe('that adds them', () => {
    answers(router(site, { trailingSlash: TrailingSlash.Add }), {
      '/': 'Site PageController.index()',
      '/about': '-> /about/',
      '/about/': 'Site PageController.other()',
      '/nothing/': '404',
      '/nothing': '404',
    })
  })

  describe('that preserves them', () => {
    answers(router(site), {
      '/about': 'Site PageController.other()',
      '/about/': 'Site PageController.other()',
      '/about//': '404',
    })
  })
})

describe('Router.match() with locales', () => {
  const prefixed = [
    module('Site', { mount: '/', convention: false, localized: true, steps: [pages] }),
    module('Shop', {
      mount: { en: 'shop', de: 'laden' },
      localized: true,
      convention: false,
      steps: [
        pages,
        claim({ en: '/news', de: '/neues' }, (routes) => routes.get('/a', [PageController, 'other'])),
      ],
    }),
    module('Api', { convention: false, steps: [pages] }),
  ]
  const lookup = router(prefixed, LOCALES)

  describe('answers canonical URLs', () => {
    answers(lookup, {
      '/': 'Site PageController.index() [en]',
      '/de': 'Site PageController.index() [de]',
      '/de/': 'Site PageController.index() [de]',
      '/en/about': 'Site PageController.other() [en]',
      '/de/about': 'Site PageController.other() [de]',
      '/en/shop/about': 'Shop PageController.other() [en]',
      '/de/laden/show/a': 'Shop PageController.show("a") [de]',
      '/de/laden/nothing': '404',
      '/en/news/a': 'Shop PageController.other() [en]',
      '/de/neues/a': 'Shop PageController.other() [de]',
      '/api/about': 'Api PageController.other()',
    })
  })

  describe('is not misled by what is a redirect, or nothing, for its locale', () => {
    agree(lookup, [
      '/en',
      '/en/',
      '/about',
      '/shop/about',
      '/laden/about',
      '/en/laden/about',
      '/de/shop/about',
      '/news/a',
      '/en/neues/a',
      '/en/api/about',
      '/de/api/about',
      '/EN/about',
      '/en/Shop/about',
    ])
  })

  describe('answers nothing of a locale without a module at the root', () => {
    answers(router(prefixed.slice(1), LOCALES), {
      '/': '404',
      '/nothing': '404',
      '/en': '404',
      '/de/nothing': '404',
      '/en/shop/about': 'Shop PageController.other() [en]',
    })
  })

  describe('takes a root without locales for what it is', () => {
    const root = module('Site', { mount: '/', convention: false, steps: [pages] })

    answers(router([root, ...prefixed.slice(1)], LOCALES), {
      '/': 'Site PageController.index()',
      '/about': 'Site PageController.other()',
      '/en/about': '-> /about',
      '/en': '-> /',
    })
  })
})

describe('Router.match()', () => {
  const home = module('Site', { mount: '/', steps: [pages], controllers: [IndexController, CartController] })
  const shop = module('Shop', {
    controllers: [CartController],
    steps: [
      table((routes) => {
        routes.get('/{slug}', [PageController, 'show'])
        routes.get('/{id}/more', [PageController, 'item']).where('id', '[0-9]+')
        routes.get('/{a}-{b}', [PageController, 'pair'])
        routes.get('/files/{path}', [PageController, 'files']).where('path', '.*')
        routes.post('/{slug}', [PageController, 'edit']).priority(1)
        routes.head('/about', [PageController, 'other'])
      }),
      claim('/news/A', (routes) => routes.get('/{slug}', [PageController, 'show'])),
    ],
  })
  const wiki = module('Wiki', { steps: [pages, resolver({ resolve: () => null })] })
  const localized = [home, shop, wiki].map((each) => ({ ...each, localized: true }))
  const routers = Object.values(TrailingSlash).flatMap((trailingSlash) => [
    router([home, shop, wiki], { trailingSlash }),
    router([shop, wiki], { trailingSlash }),
    router(localized, { ...LOCALES, trailingSlash }),
    router([...localized.slice(1), module('Api', { steps: [pages] })], { ...LOCALES, trailingSlash }),
  ])
  const segment = fc.oneof(
    fc.constantFrom('shop', 'wiki', 'api', 'news', 'A', 'en', 'de', 'about', 'item', 'show', 'save', 'files'),
    fc.constantFrom('cart', 'index', 'add', 'more', '7', '07', 'a-b', 'x', 'nothing'),
    fc.constantFrom(
      'Shop',
      'EN',
      'ABOUT',
      'Cart',
      '%73hop',
      'sho%70',
      '%2F',
      '%41',
      '%',
      'é',
      '%C3%A9',
      '.',
      '..',
      '',
    ),
  )
  const method = fc.constantFrom('GET', 'HEAD', 'POST', 'DELETE', 'LINK')

  it('answers on the fast path as the resolution does', () => {
    const given = process.env['FUZZ_SEED']
    const paths = fc.tuple(fc.array(segment, { maxLength: 5 }), fc.constantFrom('', '/'))
    const app = fc.constantFrom(...routers)
    fc.assert(
      fc.property(app, method, paths, (asked, verb, [segments, end]) => {
        assertAgrees(asked, verb, `/${segments.join('/')}${end}`)
      }),
      { numRuns: 5000, ...(given === undefined ? {} : { seed: Number(given) }) },
    )
  })

  it('is not disturbed by a parameter type that asks the router while it reads a value', () => {
    const inner: string[] = []
    const curious = parameterType({
      name: 'curious',
      pattern: '[a-z]+',
      parse: (text) => {
        inner.push(ask(app, 'DELETE /shop/x'))
        return text === 'no' ? undefined : text
      },
    })
    class CuriousController {
      static readonly actions: Actions<CuriousController> = {
        show: [param.of(curious, 'a'), param.string('b')],
      }
      show(_a: string, _b: string): void {}
    }
    const app: Router = site((routes) => {
      routes.get('/{a}/{b}', [CuriousController, 'show']).priority(1)
      routes.get('/{a}/{b}', [PageController, 'pair'])
      routes.get('/{slug}', [PageController, 'show'])
    })

    assert.equal(ask(app, '/yes/b'), 'Site CuriousController.show("yes", "b")')
    assert.equal(ask(app, '/no/b'), 'Site PageController.pair("no", "b")')
    assert.equal(ask(app, '/%6eo/b'), 'Site PageController.pair("no", "b")')
    assert.deepEqual(new Set(inner), new Set(['405 GET, HEAD']))
  })
})
