import { describe } from 'node:test'
import { TrailingSlash } from 'sallyport/routing'
import { claim, module, PageController, resolver, table } from '../fixture.ts'
import { CartController, expect, IndexController, LONG, pages, shortWay } from './agreement.ts'
import type { ModuleRouting } from '../../../src/routing/internal.ts'

describe('DirectLookup.match() without a module at the root', () => {
  const lookup = shortWay([
    module('Shop', { convention: false, steps: [pages] }),
    module('Blog', { controllers: [IndexController, CartController], steps: [pages] }),
    module('Plain', { controllers: [IndexController, CartController] }),
    module('Wiki', { steps: [pages, resolver({ resolve: () => null })] }),
    module('Early', { convention: false, steps: [resolver({ resolve: () => null }, -1), pages] }),
    module('Bare', { convention: false, steps: [] }),
  ])

  describe('answers what nobody can own', () => {
    expect(lookup, {
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

  describe('leaves to the long way what may be another spelling of a mount', () => {
    expect(lookup, {
      '/Shop': LONG,
      '/sHop/about': LONG,
      '/shoP': LONG,
      '/bloG': LONG,
      '/BLOG': LONG,
      '/WIKI/nothing': LONG,
      '/é': LONG,
      '/1é': LONG,
      '/ｓhop': LONG,
    })
  })

  describe('leaves to the long way what is encoded, or was to be', () => {
    expect(lookup, {
      '/%73hop': LONG,
      '/shop%2F': LONG,
      '/nothing/%41': LONG,
      '/nothing/a%41/b': LONG,
      '/nothing/é': LONG,
      '/nothing/"': LONG,
      '/nothing/\u007f': LONG,
      '/nothing/~': '404',
    })
  })

  describe('leaves to the long way what is no path', () => {
    expect(lookup, { '': LONG, shop: LONG, 'about/shop': LONG })
  })

  describe('is final when nothing but the table is asked', () => {
    expect(lookup, {
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
      '/shop/nothing/%41': LONG,
      '/shop/%61bout': LONG,
      '/shop/about/%41': LONG,
      '/shop/show/%41': LONG,
      '/shop/show/é': LONG,
      '/shop/save': '405 POST',
      'POST /shop/save': 'Shop PageController.save()',
      'POST /shop/about': '405 GET, HEAD',
      'HEAD /shop/about': 'Shop PageController.other()',
    })
  })

  describe('asks the convention behind the table, and tells only what it finds as it was sent', () => {
    expect(lookup, {
      '/blog/about': 'Blog PageController.other()',
      'POST /blog/about': '405 GET, HEAD',
      '/blog/cart': 'Blog CartController.index()',
      '/blog/cart/': 'Blog CartController.index()',
      'HEAD /blog/cart': 'Blog CartController.index()',
      '/blog/cart/show': 'Blog CartController.show()',
      '/blog/cart/show/a': 'Blog CartController.show("a")',
      '/blog/cart/show/A': 'Blog CartController.show("A")',
      '/blog/cart/show/%41': LONG,
      '/blog/cart/show/é': LONG,
      '/blog/cart/show/..': LONG,
      '/blog/cart/show//': LONG,
      '/blog/Cart/show': LONG,
      '/blog/cart/index': LONG,
      '/blog/index': LONG,
      '/blog/cart/add': LONG,
      'POST /blog/cart/add': 'Blog CartController.addPost()',
      '/blog/nothing': LONG,
    })
  })

  describe('asks the convention of a module without a table', () => {
    expect(lookup, {
      '/plain': 'Plain IndexController.index()',
      '/plain/': 'Plain IndexController.index()',
      '/plain/cart': 'Plain CartController.index()',
      '/plain/cart/show/a': 'Plain CartController.show("a")',
      '/plain/cart/sho': LONG,
    })
  })

  describe('leaves to the long way what is a matter for resolvers', () => {
    expect(lookup, {
      '/wiki/about': 'Wiki PageController.other()',
      'POST /wiki/about': '405 GET, HEAD',
      '/wiki/nothing': LONG,
      '/early/about': LONG,
      '/early/nothing': LONG,
      '/bare': LONG,
    })
  })
})

describe('DirectLookup.match() with a module at the root', () => {
  const lookup = shortWay([
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
    expect(lookup, {
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

  describe('leaves to the long way what may be a mount or a claim in another spelling', () => {
    expect(lookup, {
      '/SHOP': LONG,
      '/News/today/a': LONG,
      '/%6eews/today/a': LONG,
      '/news/%74oday/a': LONG,
      '/x/%41/2': LONG,
      '/x/1/%42': LONG,
      '/x/1/é': LONG,
    })
  })
})

describe('DirectLookup.match() with claims in capitals', () => {
  const claiming = (name: string, path: string): ModuleRouting =>
    module(name, {
      convention: false,
      steps: [pages, claim(path, (routes) => routes.get('/a', [PageController, 'other']))],
    })
  const lookup = shortWay([
    claiming('Za', '/Za/x'),
    claiming('Aa', '/aA/x'),
    claiming('Low', '/other/x'),
    claiming('Nine', '/9-z/x'),
  ])

  describe('answers them, and leaves what else begins so to the long way, for it may be a mount', () => {
    expect(lookup, {
      '/Za/x/a': 'Za PageController.other()',
      '/aA/x/a': 'Aa PageController.other()',
      '/za/about': 'Za PageController.other()',
      '/Za/about': LONG,
      '/Za': LONG,
      '/aA/about': LONG,
      '/other/about': '404',
      '/other': '404',
      '/9-z/about': '404',
    })
  })
})

describe('DirectLookup.match() under a policy for slashes', () => {
  const site = [module('Site', { mount: '/', convention: false, steps: [pages] })]

  describe('that removes them', () => {
    expect(shortWay(site, { trailingSlash: TrailingSlash.Remove }), {
      '/': 'Site PageController.index()',
      '/about': 'Site PageController.other()',
      '/about/': LONG,
      '/nothing/': LONG,
      '/nothing': '404',
    })
  })

  describe('that adds them', () => {
    expect(shortWay(site, { trailingSlash: TrailingSlash.Add }), {
      '/': 'Site PageController.index()',
      '/about': LONG,
      '/about/': 'Site PageController.other()',
      '/nothing/': '404',
      '/nothing': LONG,
    })
  })

  describe('that preserves them', () => {
    expect(shortWay(site), {
      '/about': 'Site PageController.other()',
      '/about/': 'Site PageController.other()',
      '/about//': '404',
    })
  })
})

describe('DirectLookup.match() with locales', () => {
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
  const lookup = shortWay(prefixed, { locales: ['en', 'de'] })

  describe('answers canonical URLs', () => {
    expect(lookup, {
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

  describe('leaves to the long way what is a redirect, or nothing, for its locale', () => {
    expect(lookup, {
      '/en': LONG,
      '/en/': LONG,
      '/about': LONG,
      '/shop/about': LONG,
      '/laden/about': LONG,
      '/en/laden/about': LONG,
      '/de/shop/about': LONG,
      '/news/a': LONG,
      '/en/neues/a': LONG,
      '/en/api/about': LONG,
      '/de/api/about': LONG,
      '/EN/about': LONG,
      '/en/Shop/about': LONG,
    })
  })

  describe('answers nothing of a locale without a module at the root', () => {
    expect(shortWay(prefixed.slice(1), { locales: ['en', 'de'] }), {
      '/': '404',
      '/nothing': '404',
      '/en': LONG,
      '/de/nothing': LONG,
      '/en/shop/about': 'Shop PageController.other() [en]',
    })
  })

  describe('takes a root without locales for what it is', () => {
    const root = module('Site', { mount: '/', convention: false, steps: [pages] })

    expect(shortWay([root, ...prefixed.slice(1)], { locales: ['en', 'de'] }), {
      '/': 'Site PageController.index()',
      '/about': 'Site PageController.other()',
      '/en/about': LONG,
      '/en': LONG,
    })
  })
})
