import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type Router, TrailingSlash } from 'sallyport/routing'
import { ask, claim, conventional, fails, module, PageController, router, table } from '../fixture.ts'
import type { ModuleRouting } from '../../../src/routing/internal.ts'
import type { RouterOptions } from '../../../src/routing/router.ts'

class IndexController {
  static readonly actions = { index: [] }
  index(): void {}
}

const LOCALIZED: Omit<RouterOptions, 'modules'> = {
  locales: ['fr', 'en'],
  localePrefixes: true,
  trailingSlash: TrailingSlash.Remove,
}

/** A module that answers at its entry point and on `/x`. */
function named(name: string, parts: Partial<ModuleRouting> = {}): ModuleRouting {
  const steps = [
    table((r) => (r.get('/', [PageController, 'index']), r.get('/x', [PageController, 'other']))),
  ]
  return module(name, { steps, ...parts })
}

function boots(
  modules: readonly ModuleRouting[],
  options: Omit<RouterOptions, 'modules'> = {},
): () => Router {
  return () => router(modules, options)
}

describe('a segment of two localized modules', () => {
  const home = table((r) => r.get('/{slug}', [PageController, 'show']))
  const local = (name: string, mount: Record<string, string> | string): ModuleRouting =>
    module(name, { mount, localized: true, convention: false, steps: [home] })
  const options = { locales: ['fr', 'en', 'de'], localePrefixes: true }

  it('is that of its locale, and without a prefix that of the first declared locale that has it [HOLD-39]', () => {
    for (const modules of [
      [local('Shop', { en: 'boutique', de: 'laden' }), local('Store', { fr: 'boutique', en: 'laden' })],
      [local('Store', { fr: 'boutique', en: 'laden' }), local('Shop', { en: 'boutique', de: 'laden' })],
    ]) {
      const app = router(modules, options)
      assert.equal(ask(app, '/fr/boutique/x'), 'Store PageController.show("x") [fr]')
      assert.equal(ask(app, '/en/boutique/x'), 'Shop PageController.show("x") [en]')
      assert.equal(ask(app, '/en/laden/x'), 'Store PageController.show("x") [en]')
      assert.equal(ask(app, '/de/laden/x'), 'Shop PageController.show("x") [de]')
      assert.equal(ask(app, '/de/boutique/x'), '404')
      assert.equal(ask(app, '/boutique/x'), '-> /fr/boutique/x')
      assert.equal(ask(app, '/Laden/x'), '-> /en/laden/x')
    }
  })

  it('is refused where both have it in one locale, or one is not localized [HOLD-39]', () => {
    for (const modules of [
      [local('Shop', { fr: 'boutique' }), local('Store', { fr: 'boutique', en: 'x' })],
      [local('Shop', 'boutique'), local('Store', { fr: 'boutique' })],
      [local('Shop', { fr: 'boutique' }), module('Store', { mount: 'boutique' })],
      [module('Store', { mount: 'boutique' }), local('Shop', { fr: 'boutique' })],
    ])
      assert.throws(() => router(modules, options), fails('mount-conflict', 'Shop', 'Store', 'boutique'))
  })
})

describe('EntryPoints: mounts', () => {
  it('without a mount the decamelized name is the segment [MOUNT-01]', () => {
    const app = router([named('RoutableModule')])

    assert.equal(ask(app, '/routable-module'), 'RoutableModule PageController.index()')
  })

  it('mount() gives another segment instead [MOUNT-02]', () => {
    const app = router([named('Shop', { mount: 'boutique' })])

    assert.equal(ask(app, '/boutique/x'), 'Shop PageController.other()')
    assert.equal(ask(app, '/shop/x'), '404')
  })

  it('a segment for each locale [MOUNT-03]', () => {
    const app = router([named('Shop', { mount: { fr: 'boutique', en: 'shop' }, localized: true })], LOCALIZED)

    assert.equal(ask(app, '/fr/boutique'), 'Shop PageController.index() [fr]')
    assert.equal(ask(app, '/en/shop/x'), 'Shop PageController.other() [en]')
    assert.equal(ask(app, '/fr/shop'), '404')
    assert.equal(ask(app, '/en/boutique/x'), '404')
  })

  it('a mount for each locale needs locale prefixes [MOUNT-04]', () => {
    const shop = named('Shop', { mount: { fr: 'boutique' } })

    assert.throws(boots([shop], { locales: ['fr'] }), fails('locale-prefixes-disabled', 'module "Shop"'))
  })

  it('mount("/") owns the root [MOUNT-05]', () => {
    const app = router([named('Site', { mount: '/' })])

    assert.equal(ask(app, '/'), 'Site PageController.index()')
    assert.equal(ask(app, '/x'), 'Site PageController.other()')
    assert.equal(ask(app, '/site'), '404')
  })

  it('two modules that mount the root fail at boot [MOUNT-06]', () => {
    const both = [
      named('One', { mount: '/', source: 'one.ts:3' }),
      named('Two', { mount: '/', source: 'two.ts:4' }),
    ]

    assert.throws(boots(both), fails('root-mount-conflict', '"One" (one.ts:3)', '"Two" (two.ts:4)'))
  })

  it('a segment mounted twice fails at boot [MOUNT-07]', () => {
    assert.throws(
      boots([named('Shop'), named('Store', { mount: 'shop' })]),
      fails('mount-conflict', '"Shop"', '"Store"', '"shop"'),
    )
    assert.throws(boots([named('Shop'), named('Shop')]), fails('mount-conflict'))
    const crossed = [
      named('One', { mount: { fr: 'a', en: 'b' }, localized: true }),
      named('Two', { mount: { fr: 'b', en: 'a' }, localized: true }),
    ]
    // HOLD-39: for different locales they may.
    assert.doesNotThrow(boots(crossed, LOCALIZED))
  })

  it('another letter case redirects to the mount, whatever the slash policy [MOUNT-08]', () => {
    for (const trailingSlash of Object.values(TrailingSlash)) {
      const app = router([named('Shop')], { trailingSlash })
      const slash = trailingSlash === TrailingSlash.Add ? '/' : ''
      assert.equal(ask(app, `/SHOP/x${slash}`), `-> /shop/x${slash}`)
      assert.equal(ask(app, `/Shop${slash}`), `-> /shop${slash}`)
      assert.equal(ask(app, '/Shop/X'), '404')
    }
  })

  it('refuses mounts that are no lower-kebab segment, and those that a locale prefix takes', () => {
    for (const mount of ['Shop', 'a/b', '/shop', 'shop/', 'a_b', 'é', '', '-a', 'a--b', '{x}', '.']) {
      assert.throws(boots([named('Shop', { mount })]), fails('invalid-pattern', 'module "Shop"'), mount)
    }
    assert.throws(boots([named('Shop', { mount: 'en' })], LOCALIZED), fails('mount-conflict', 'locale'))
    assert.doesNotThrow(boots([named('Shop', { mount: 'en' })], { locales: ['fr', 'en'] }))
  })

  it('refuses locales that are not declared, and empty maps', () => {
    assert.throws(
      boots([named('Shop', { mount: { de: 'laden' }, localized: true })], LOCALIZED),
      fails('locales-undeclared', '"de"'),
    )
    assert.throws(boots([named('Shop', { mount: {}, localized: true })], LOCALIZED), fails('invalid-pattern'))
  })
})

describe('EntryPoints: who owns a URL', () => {
  it('one module owns a URL and no other is asked [ROUTE-01 ROUTE-02 ROUTE-05]', () => {
    const asked: string[] = []
    const spy = (name: string): ModuleRouting['steps'] => {
      return [{ kind: 'resolver', priority: 0, resolver: { resolve: () => (asked.push(name), null) } }]
    }
    const app = router([
      module('Shop', { steps: spy('Shop') }),
      module('Blog', { steps: spy('Blog') }),
      module('Site', { mount: '/', steps: spy('Site') }),
    ])

    assert.equal(ask(app, '/shop/nothing'), '404')
    assert.deepEqual(asked, ['Shop'])
    assert.equal(ask(app, '/nothing'), '404')
    assert.deepEqual(asked, ['Shop', 'Site'])
  })

  it('what a module declares is all there is [ROUTE-03 ROUTE-04]', () => {
    const app = router([named('Shop')])

    for (const path of ['/', '/x', '/shop/y', '/index', '/shop/x/y']) assert.equal(ask(app, path), '404')
  })

  it('locale, then the longest claim, then mounts, then the root [ROUTE-13 ROUTE-14 ROUTE-15 ROUTE-16 ROUTE-17]', () => {
    const app = router(
      [
        named('Shop', {
          steps: [
            table((r) => r.get('/{path}', [PageController, 'file']).where('path', '.*')),
            claim('/shop/news', (r) => r.get('/{slug}', [PageController, 'show'])),
            claim('/shop/news/old', (r) => r.get('/{slug}', [PageController, 'edit'])),
          ],
        }),
        named('Site', {
          mount: '/',
          steps: [table((r) => r.get('/{path}', [PageController, 'file']).where('path', '.*'))],
        }),
      ],
      { locales: ['fr'], localePrefixes: true },
    )

    assert.equal(ask(app, '/shop/news/a'), 'Shop PageController.show("a")')
    assert.equal(ask(app, '/shop/news/old/a'), 'Shop PageController.edit("a")')
    assert.equal(ask(app, '/shop/a'), 'Shop PageController.file("a")')
    assert.equal(ask(app, '/a/shop'), 'Site PageController.file("a/shop")')
    assert.equal(ask(app, '/fr/shop/news/a'), '-> /shop/news/a')
    assert.equal(ask(app, '/fr/a'), '-> /a')
  })

  it('without prefixes locales change no URL, and a segment like one is any segment [ROUTE-12 LOC-03]', () => {
    const modules = [
      named('Site', { mount: '/', steps: [table((r) => r.get('/{a}/{b}', [PageController, 'pair']))] }),
      named('Fr'),
    ]
    const app = router(modules, { locales: ['fr', 'en'] })

    assert.equal(ask(app, '/en/x'), 'Site PageController.pair("en", "x")')
    assert.equal(ask(app, '/fr/x'), 'Fr PageController.other()')
    assert.equal(ask(router(modules), '/en/x'), ask(app, '/en/x'))
  })

  it('{locale} is a placeholder like any other [LOC-22]', () => {
    class LocaleController {
      static readonly actions = { show: [] as never[] }
      show(): void {}
    }
    const app = router([conventional('Site', [LocaleController, IndexController], { mount: '/' })], {
      locales: ['fr'],
    })

    assert.equal(ask(app, '/locale/show'), 'Site LocaleController.show()')
    assert.equal(ask(app, '/fr'), '404')
  })

  it('an application without a root module answers / with 404', () => {
    assert.equal(ask(router([named('Shop')]), '/'), '404')
    assert.equal(ask(router([]), '/'), '404')
    assert.equal(ask(router([], LOCALIZED), '/fr'), '404')
  })
})

describe('EntryPoints: claims', () => {
  it('a claim owns a path outside the segment, with a table of its own [CLAIM-01 CLAIM-03]', () => {
    const steps = [
      table((r) => r.get('/x', [PageController, 'other'])),
      claim('/promo/summer', (r) => r.get('/{slug}', [PageController, 'show'])),
    ]
    const app = router([module('Shop', { steps })])

    assert.equal(ask(app, '/promo/summer/AB12'), 'Shop PageController.show("AB12")')
    assert.equal(ask(app, '/promo/summer/x'), 'Shop PageController.show("x")')
    assert.equal(ask(app, '/shop/AB12'), '404')
    assert.equal(ask(app, '/promo'), '404')
    assert.equal(ask(app, '/Promo/summer/x'), '404')
  })

  it('a path for each locale [CLAIM-02]', () => {
    const steps = [
      claim({ fr: '/actualites', en: '/news/latest' }, (r) => r.get('/', [PageController, 'index'])),
    ]
    const app = router([module('Shop', { localized: true, steps })], LOCALIZED)

    assert.equal(ask(app, '/fr/actualites'), 'Shop PageController.index() [fr]')
    assert.equal(ask(app, '/en/news/latest'), 'Shop PageController.index() [en]')
    assert.equal(ask(app, '/en/actualites'), '404')
    assert.equal(ask(app, '/news/latest/'), '-> /en/news/latest')
  })

  it('two claims on one prefix fail at boot [CLAIM-04]', () => {
    const claims = (path: string): ModuleRouting['steps'] => [claim(path, () => undefined)]
    const both = [module('Shop', { steps: claims('/promo') }), module('Blog', { steps: claims('/promo/') })]

    assert.throws(boots(both), fails('claim-conflict', '"/promo"', '"Shop"', '"Blog"'))
    assert.throws(
      boots([module('Shop', { steps: [...claims('/a'), ...claims('/a')] })]),
      fails('claim-conflict'),
    )
  })

  it('a claim inside the segment of another module fails at boot, in either order [CLAIM-05]', () => {
    const blog = module('Blog', { steps: [claim('/shop/news', () => undefined)] })

    assert.throws(
      boots([blog, named('Shop')]),
      fails('claim-inside-mount', '"/shop/news"', '"Shop"', '"Blog"'),
    )
    assert.throws(boots([named('Shop'), blog]), fails('claim-inside-mount'))
    const cased = module('Blog', { steps: [claim('/Shop', () => undefined)] })
    assert.throws(boots([named('Shop'), cased]), fails('claim-inside-mount'))
    assert.doesNotThrow(
      boots([named('Site', { mount: '/' }), module('Blog', { steps: [claim('/news', () => undefined)] })]),
    )
    assert.doesNotThrow(boots([module('Blog', { steps: [claim('/blog/news', () => undefined)] })]))
  })

  it('a claim of the root fails at boot [CLAIM-06]', () => {
    for (const path of ['/', '']) {
      const blog = module('Blog', { steps: [claim(path, () => undefined)] })
      assert.throws(boots([blog]), fails('claim-of-root', '"Blog"'))
    }
  })

  it('below a claim only its table applies [CLAIM-07 CLAIM-08]', () => {
    const asked: string[] = []
    const steps: ModuleRouting['steps'] = [
      { kind: 'resolver', priority: -5, resolver: { resolve: () => (asked.push('x'), null) } },
      table((r) => r.get('/index', [PageController, 'other'])),
      claim('/promo', (r) => r.get('/only', [PageController, 'index'])),
    ]
    const app = router([conventional('Shop', [IndexController], { steps }), named('Site', { mount: '/' })])

    assert.equal(ask(app, '/promo/index'), '404')
    assert.equal(ask(app, '/promo'), '404')
    assert.equal(ask(app, '/promo/x'), '404')
    assert.equal(ask(app, 'POST /promo/only'), '405 GET, HEAD')
    assert.deepEqual(asked, [])
  })

  it('the same routes declared twice answer on both URLs [CLAIM-09]', () => {
    const declare = (r: Parameters<Parameters<typeof table>[0]>[0]): void =>
      void r.get('/{slug}', [PageController, 'show'])
    const app = router([module('Shop', { steps: [table(declare), claim('/promo', declare)] })])

    assert.equal(ask(app, '/shop/a'), 'Shop PageController.show("a")')
    assert.equal(ask(app, '/promo/a'), 'Shop PageController.show("a")')
  })

  it('refuses claims that are no literal path, and those that begin with a locale prefix', () => {
    for (const path of ['news', '/a//b', '/{x}', '/a/..', '/a?b', '/a%20b', '/a\\b', '//']) {
      assert.throws(
        boots([module('Blog', { steps: [claim(path, () => undefined)] })]),
        fails('invalid-pattern'),
        path,
      )
    }
    const localized = [module('Blog', { steps: [claim('/EN/news', () => undefined)] })]
    assert.throws(boots(localized, LOCALIZED), fails('claim-conflict', 'locale'))
  })
})

describe('EntryPoints: locales', () => {
  it('a localized module without prefixes fails at boot [LOC-04]', () => {
    assert.throws(
      boots([named('Shop', { localized: true })], { locales: ['fr'] }),
      fails('locale-prefixes-disabled', '"Shop"'),
    )
  })

  it('a localized module without declared locales fails at boot [LOC-05]', () => {
    assert.throws(
      boots([named('Shop', { localized: true })], { localePrefixes: true }),
      fails('locales-undeclared', '"Shop"'),
    )
  })

  it('with prefixes on, a mount or claim per locale without localized() fails at boot [LOC-10]', () => {
    assert.throws(
      boots([named('Shop', { mount: { fr: 'a' } })], LOCALIZED),
      fails('localized-required', '"Shop"'),
    )
    const claimed = module('Shop', { steps: [claim({ fr: '/a' }, () => undefined)] })
    assert.throws(boots([claimed], LOCALIZED), fails('localized-required', '"Shop"'))
    assert.throws(boots([claimed], { locales: ['fr'] }), fails('locale-prefixes-disabled'))
  })
})
