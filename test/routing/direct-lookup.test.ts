import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type Actions, type ModuleRouting, param, TrailingSlash } from 'sallyport/routing'
import { ActionCatalog } from '../../src/routing/action-catalog.ts'
import { DirectLookup } from '../../src/routing/direct-lookup.ts'
import { EntryPoints } from '../../src/routing/entry-points.ts'
import { LocaleSet } from '../../src/routing/locale-set.ts'
import { RoutedModule } from '../../src/routing/routed-module.ts'
import { claim, module, PageController, resolver, show, table } from './fixture.ts'

class IndexController {
  static readonly actions: Actions<IndexController> = { index: [] }
  index(): void {}
}
class CartController {
  static readonly actions: Actions<CartController> = {
    index: [],
    show: [param.string('slug').optional()],
    addPost: [],
  }
  index(): void {}
  show(_slug?: string): void {}
  addPost(): void {}
}

interface Policy {
  readonly locales?: readonly string[]
  readonly trailingSlash?: TrailingSlash
}

/** The short way alone, as a router has it. */
function shortWay(declared: readonly ModuleRouting[], policy: Policy = {}): DirectLookup {
  const { locales: tags = [], trailingSlash = TrailingSlash.Preserve } = policy
  const catalog = new ActionCatalog()
  const locales = new LocaleSet(tags)
  const localePrefixes = tags.length > 0
  const modules = declared.map(
    (each) =>
      new RoutedModule(each, {
        catalog,
        locales,
        localePrefixes,
        preservesSlash: trailingSlash === TrailingSlash.Preserve,
        segments: new Map(),
        service: (type) => new type(),
      }),
  )
  return new DirectLookup(modules, new EntryPoints(modules, locales, localePrefixes), trailingSlash)
}

/** What it says in short, and `long way` when it leaves a path to the resolution. */
function tell(lookup: DirectLookup, request: string): string {
  const space = request.indexOf(' /')
  const [method, path] = space === -1 ? ['GET', request] : [request.slice(0, space), request.slice(space + 1)]
  const match = lookup.match(method, path)
  return match === null ? 'long way' : show(match)
}

function expect(lookup: DirectLookup, answers: Readonly<Record<string, string>>): void {
  for (const [request, answer] of Object.entries(answers))
    it(`${request}: ${answer}`, () => {
      assert.equal(tell(lookup, request), answer)
      assert.equal(tell(lookup, request), answer, 'the second time')
    })
}

const LONG = 'long way'

const pages = table((routes) => {
  routes.get('', [PageController, 'index'])
  routes.get('/about', [PageController, 'other'])
  routes.get('/item/{id}', [PageController, 'item'])
  routes.get('/show/{slug}', [PageController, 'show'])
  routes.post('/save', [PageController, 'save'])
})

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
  const lookup = shortWay([claiming('Za', '/Za/x'), claiming('Aa', '/aA/x'), claiming('Low', '/other/x')])

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
    })
  })
})

describe('DirectLookup.match() with values', () => {
  const shapes = table((routes) => {
    routes.get('/show/{slug}', [PageController, 'show'])
    routes.get('/show/{a}/{b}/end', [PageController, 'pair'])
    routes.get('/files/{path}', [PageController, 'files']).where('path', '.*')
    routes.get('/some/{path}', [PageController, 'file']).where('path', '[a-z]+/[a-z]+')
    routes.get('/some/{path}', [PageController, 'file']).where('path', '[a-z]+/[0-9]+')
    routes.get('/feed.{slug}', [PageController, 'show'])
    routes.get('/fork/{id}', [PageController, 'item']).where('id', '[0-9]+')
    routes.get('/fork/{slug}', [PageController, 'show'])
    routes.get('/fork/{path}', [PageController, 'file']).where('path', '.*')
    routes.get('/fork/7', [PageController, 'other'])
    routes.get('/fork/{a}/{b}', [PageController, 'pair']).where('a', '[0-9]+')
    routes.get('/{a}-{b}', [PageController, 'pair'])
    routes.get('/flag/{on}', [PageController, 'flag'])
    routes.post('/flag/{slug}', [PageController, 'edit'])
    routes.put('/flag/{id}', [PageController, 'item'])
  })
  const lookup = shortWay([module('Shop', { convention: false, steps: [shapes] })])

  describe('takes one as it was sent', () => {
    expect(lookup, {
      '/shop/show/a': 'Shop PageController.show("a")',
      '/shop/show/&': 'Shop PageController.show("&")',
      '/shop/show/~': 'Shop PageController.show("~")',
      '/shop/show/a&~': 'Shop PageController.show("a&~")',
      '/shop/show/...': 'Shop PageController.show("...")',
      '/shop/show/a.': 'Shop PageController.show("a.")',
      '/shop/show/a/': 'Shop PageController.show("a")',
      '/shop/show': '404',
      '/shop/show/a/b': '404',
    })
  })

  describe('leaves one to the long way that is to be decoded, or is none', () => {
    expect(lookup, {
      '/shop/show/%': LONG,
      '/shop/show/a%41': LONG,
      '/shop/show/\u007f': LONG,
      '/shop/show/a\u007f': LONG,
      '/shop/show/.': LONG,
      '/shop/show/..': LONG,
      '/shop/show/../a': LONG,
      '/shop/show//': LONG,
      '/shop/show//b/end': LONG,
      '/shop/show/a//end': LONG,
      '/shop/show/a/%/end': LONG,
    })
  })

  describe('takes the rest as it was sent', () => {
    expect(lookup, {
      '/shop/files/a': 'Shop PageController.files("a")',
      '/shop/files/a/b/c': 'Shop PageController.files("a", "b", "c")',
      '/shop/files/a/b/': 'Shop PageController.files("a", "b")',
      '/shop/files/a.b/c.': 'Shop PageController.files("a.b", "c.")',
      '/shop/files/&/~': 'Shop PageController.files("&", "~")',
      '/shop/some/a/b': 'Shop PageController.file("a/b")',
      '/shop/some/a/7': 'Shop PageController.file("a/7")',
      '/shop/some/a/-': '404',
      '/shop/some/a': '404',
      '/shop/files': '404',
      '/shop/files/': '404',
    })
  })

  describe('leaves a rest to the long way that is to be decoded, or is no path', () => {
    expect(lookup, {
      '/shop/files/%': LONG,
      '/shop/files/a/%41': LONG,
      '/shop/files/a/\u007f': LONG,
      '/shop/files/.': LONG,
      '/shop/files/a/..': LONG,
      '/shop/files//': LONG,
      '/shop/files/a//b': LONG,
      '/shop/files/a//': LONG,
    })
  })

  describe('chooses between ways', () => {
    expect(lookup, {
      '/shop/fork/7': 'Shop PageController.other()',
      '/shop/fork/8': 'Shop PageController.item(8)',
      '/shop/fork/a': 'Shop PageController.show("a")',
      '/shop/fork/a/b': 'Shop PageController.file("a/b")',
      '/shop/fork/7/b': 'Shop PageController.pair("7", "b")',
      '/shop/fork/7/b/c': 'Shop PageController.file("7/b/c")',
      '/shop/fork/%37': LONG,
      '/shop/feed.xml': 'Shop PageController.show("xml")',
      '/shop/feed.': '404',
      '/shop/a-b': 'Shop PageController.pair("a", "b")',
      '/shop/a-': '404',
      '/shop/-b': '404',
      '/shop/a-%': LONG,
    })
  })

  describe('tells the methods whose arguments fit', () => {
    expect(lookup, {
      '/shop/flag/true': 'Shop PageController.flag(true)',
      '/shop/flag/7': '405 POST, PUT',
      '/shop/flag/x': '405 POST',
      'PUT /shop/flag/7': 'Shop PageController.item(7)',
      'PUT /shop/flag/x': '405 POST',
      'PUT /shop/flag/true': '405 GET, HEAD, POST',
      'HEAD /shop/flag/true': 'Shop PageController.flag(true)',
      'HEAD /shop/flag/x': '405 POST',
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
      '/': 'Site PageController.index()',
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
