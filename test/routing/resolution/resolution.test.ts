import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { App, defineModule } from 'sallyport'
import { MethodNotAllowedException } from 'sallyport/http'
import { type Actions, param, type Resolver, type Router, TrailingSlash } from 'sallyport/routing'
import { ask, claim, fails, module, PageController, resolver, router, show, site, table } from '../fixture.ts'
import type { ModuleRouting } from '../../../src/routing/internal.ts'
import type { RouterOptions } from '../../../src/routing/router.ts'

type Options = Omit<RouterOptions, 'modules'>

const LOCALES: Options = { locales: ['fr', 'en'], localePrefixes: true }
const REMOVE: Options = { ...LOCALES, trailingSlash: TrailingSlash.Remove }
const ADD: Options = { ...LOCALES, trailingSlash: TrailingSlash.Add }

const home = table((r) => {
  r.get('/', [PageController, 'index'])
  r.get('/{slug}', [PageController, 'show'])
})
const routes = table((r) => {
  r.get('/', [PageController, 'index'])
  r.get({ fr: '/panier', en: '/cart' }, [PageController, 'other'])
  r.get('/same/{slug}', [PageController, 'show'])
  r.post('/same/{slug}', [PageController, 'edit'])
})
const api = table((r) => r.get('/items/{slug}', [PageController, 'show']))

function application(options: Options, parts: Partial<ModuleRouting> = {}): Router {
  const shop = module('Shop', { localized: true, mount: { fr: 'boutique', en: 'shop' }, steps: [routes] })
  return router(
    [
      shop,
      module('Api', { steps: [api] }),
      module('Site', { mount: '/', localized: true, steps: [home], ...parts }),
    ],
    options,
  )
}

/** The answer behind at most one redirect; a second one shows as it is. */
function follow(app: Router, path: string): string {
  const answer = ask(app, path)
  return answer.startsWith('-> ') ? ask(app, answer.slice(3)) : answer
}

describe('Resolution: locale prefixes', () => {
  it('a locale prefix is consumed, and the first locale is the default [LOC-01 LOC-02]', () => {
    const app = application(REMOVE)

    assert.equal(ask(app, '/fr/boutique/panier'), 'Shop PageController.other() [fr]')
    assert.equal(ask(app, '/en/shop/cart'), 'Shop PageController.other() [en]')
    assert.equal(ask(app, '/same-everywhere'), '-> /fr/same-everywhere')
  })

  it('an unprefixed URL redirects to the locale whose segment or path it used [LOC-06]', () => {
    const app = application(REMOVE)

    assert.equal(ask(app, '/boutique'), '-> /fr/boutique')
    assert.equal(ask(app, '/shop/cart'), '-> /en/shop/cart')
    assert.equal(ask(app, '/shop/panier'), '404')
    const paths = table((r) => {
      r.get({ fr: '/plan', en: '/map' }, [PageController, 'index'])
      r.get('/both', [PageController, 'other'])
    })
    const one = router([module('Info', { localized: true, steps: [paths] })], REMOVE)
    assert.equal(ask(one, '/info/map'), '-> /en/info/map')
    assert.equal(ask(one, '/info/plan/'), '-> /fr/info/plan')
    assert.equal(ask(one, '/info/both'), '-> /fr/info/both')
    assert.equal(ask(one, 'POST /info/map'), '405 GET, HEAD')
    assert.equal(ask(one, '/info/nothing'), '404')
  })

  it('the home page answers without a prefix and imposes the default locale [LOC-07 HOLD-30]', () => {
    for (const options of [REMOVE, ADD, LOCALES])
      assert.equal(ask(application(options), '/'), 'Site PageController.index() [fr]')
  })

  it('the home page of a module that is not localized imposes none [HOLD-30]', () => {
    const app = router([module('Site', { mount: '/', steps: [home] })], REMOVE)

    assert.match(ask(app, '/'), /^Site [^[]*$/)
  })

  it('a single locale is required too [LOC-08]', () => {
    const app = router([module('Shop', { localized: true, steps: [home] })], { ...REMOVE, locales: ['fr'] })

    assert.equal(ask(app, '/shop/x'), '-> /fr/shop/x')
    assert.equal(ask(app, '/fr/shop/x'), 'Shop PageController.show("x") [fr]')
  })

  it('a module that is not localized refuses a locale prefix [LOC-09]', () => {
    const app = application(REMOVE)

    assert.equal(ask(app, '/fr/api/items/x'), '-> /api/items/x')
    assert.equal(ask(app, '/en/api/items/x'), '-> /api/items/x')
    assert.equal(ask(app, '/en/api/nothing'), '404')
    assert.equal(ask(app, 'POST /en/api/items/x'), '405 GET, HEAD')
    const plain = application(REMOVE, { localized: false })
    assert.equal(ask(plain, '/en/'), '-> /')
    assert.equal(ask(plain, '/en/about'), '-> /about')
  })

  it('the home of the default locale is /, and of another locale its prefix [LOC-12]', () => {
    const [remove, add] = [application(REMOVE), application(ADD)]

    for (const path of ['/fr', '/fr/', '/FR', '/Fr/'])
      for (const app of [remove, add]) assert.equal(ask(app, path), '-> /')
    assert.equal(ask(remove, '/en'), 'Site PageController.index() [en]')
    assert.equal(ask(add, '/en/'), 'Site PageController.index() [en]')
    assert.equal(ask(remove, '/EN/'), '-> /en')
    assert.equal(ask(router([module('Api', { steps: [api] })], REMOVE), '/fr/'), '404')
  })

  it('the prefix is in lower case [LOC-13]', () => {
    const app = application(REMOVE)

    assert.equal(ask(app, '/FR/boutique/'), '-> /fr/boutique')
    assert.equal(ask(app, '/FR/Boutique/same/A'), '-> /fr/boutique/same/A')
    const regional = router([module('Shop', { localized: true, steps: [home] })], {
      ...REMOVE,
      locales: ['fr-CA'],
    })
    assert.equal(ask(regional, '/fr-CA/shop'), '-> /fr-ca/shop')
    assert.equal(ask(regional, '/fr-ca/shop'), 'Shop PageController.index() [fr-CA]')
  })

  it('takes a locale that is not declared for any segment', () => {
    const app = application(REMOVE)

    for (const path of ['/de/boutique', '/fr-CA/boutique', '/fr_/boutique'])
      assert.equal(ask(app, path), '404')
    assert.equal(follow(app, '/f%72/boutique'), 'Shop PageController.index() [fr]')
  })

  it('without prefixes paths per locale match where they differ and report their locale [LOC-16 LOC-17 LOC-18]', () => {
    const app = site(
      (r) => {
        r.get({ fr: '/panier', en: '/cart' }, [PageController, 'other'])
        r.get({ fr: '/{slug}/voir', en: '/{slug}/view' }, [PageController, 'show'])
        r.get('/plain', [PageController, 'index'])
      },
      { locales: ['fr', 'en'] },
    )

    assert.equal(ask(app, '/panier'), 'Site PageController.other() [fr]')
    assert.equal(ask(app, '/cart'), 'Site PageController.other() [en]')
    assert.equal(ask(app, '/x/view'), 'Site PageController.show("x") [en]')
    assert.equal(ask(app, '/plain'), 'Site PageController.index()')
    assert.equal(ask(app, '/en/cart'), '404')
  })
})

describe('Resolution: trailing slash', () => {
  const declare: Parameters<typeof site>[0] = (r) => {
    r.get('/', [PageController, 'index'])
    r.get('/foo', [PageController, 'other'])
    r.get('/bar/', [PageController, 'other'])
    r.get('/feed.xml', [PageController, 'save'])
    r.get('/p/{slug}', [PageController, 'show'])
    r.post('/p/{slug}', [PageController, 'edit'])
  }

  it('under Add other spellings redirect to the one with the slash, files too [SLASH-02 SLASH-04]', () => {
    const app = site(declare, { trailingSlash: TrailingSlash.Add })

    assert.equal(ask(app, '/foo'), '-> /foo/')
    assert.equal(ask(app, '/bar'), '-> /bar/')
    assert.equal(ask(app, '/foo/'), 'Site PageController.other()')
    assert.equal(ask(app, '/feed.xml'), '-> /feed.xml/')
    assert.equal(ask(app, '/feed.xml/'), 'Site PageController.save()')
    assert.equal(ask(app, 'POST /p/x'), '-> /p/x/')
  })

  it('under Remove other spellings redirect to the one without the slash [SLASH-06]', () => {
    const app = site(declare, { trailingSlash: TrailingSlash.Remove })

    assert.equal(ask(app, '/foo/'), '-> /foo')
    assert.equal(ask(app, '/bar/'), '-> /bar')
    assert.equal(ask(app, '/bar'), 'Site PageController.other()')
    assert.equal(ask(app, 'DELETE /p/x/'), '405 GET, HEAD, POST')
    assert.equal(ask(app, '/nothing/'), '404')
  })

  it('under Preserve both spellings match [SLASH-07]', () => {
    const app = site(declare)

    for (const path of ['/foo', '/foo/', '/bar', '/bar/'])
      assert.equal(ask(app, path), 'Site PageController.other()')
    assert.equal(ask(app, '/foo//'), '404')
  })

  it('/ never redirects [SLASH-10]', () => {
    for (const trailingSlash of Object.values(TrailingSlash)) {
      assert.equal(ask(site(declare, { trailingSlash }), '/'), 'Site PageController.index()')
    }
  })

  it('nothing else is redirected [LEGACY-01]', () => {
    const app = site(declare)

    for (const path of ['/Foo', '/FOO/', '/p', '/index.php', '/foo.html', '/fr/foo', '/%66oo/bar']) {
      assert.equal(ask(app, path), '404', path)
    }
    assert.equal(ask(app, '/%66oo'), 'Site PageController.other()')
  })
})

describe('Resolution: one redirect', () => {
  it('repairs slash, case, locale and spelling together', () => {
    const app = application(REMOVE)

    for (const path of ['/Boutique', '/BOUTIQUE/', '/FR/Boutique/', '/boutique/']) {
      assert.equal(ask(app, path), '-> /fr/boutique')
      assert.equal(follow(app, path), 'Shop PageController.index() [fr]')
    }
  })

  it('never redirects to a 404 or a 405', () => {
    const app = application(ADD)

    assert.equal(ask(app, 'PUT /Boutique/same/x'), '405 GET, HEAD, POST')
    assert.equal(ask(app, '/Boutique/nothing'), '404')
    assert.equal(ask(app, '/FR/api/items'), '404')
  })

  it('writes values so that they come back as they were, and never leaves the origin', () => {
    const app = application(ADD)

    assert.equal(ask(app, '/fr/%2f%2fevil.test'), '-> /fr/%2F%2Fevil.test/')
    assert.equal(ask(app, '/%2Fevil.test'), '-> /fr/%2Fevil.test/')
    assert.equal(ask(app, '/fr/\\evil.test'), '-> /fr/%5Cevil.test/')
    assert.equal(follow(app, '/fr/a%20b%3F%23'), 'Site PageController.show("a b?#") [fr]')
    for (const path of [
      '//evil.test',
      '///evil.test',
      '//evil.test/',
      '/fr//evil.test',
      '//evil.test/%2e%2e/',
    ]) {
      assert.equal(ask(app, path), '404', path)
    }
  })
})

describe('Resolution: what is no path', () => {
  const app = site((r) => {
    r.get('/{slug}', [PageController, 'show'])
    r.get('/f/{path}', [PageController, 'file']).where('path', '.*')
  })

  it('answers 400 to malformed escapes and control characters', () => {
    const bad = [
      '/%',
      '/%zz',
      '/%c0%af',
      '/%E0%80',
      '/a%00b',
      '/%0a',
      '/%7f',
      '/%C2%85',
      '/a\u0000',
      '/a\nb',
      '/f/x/%1f',
      '/nothing/here/%',
      '/\ud800',
      '/%ED%A0%80',
    ]
    for (const path of bad) assert.equal(ask(app, path), '400', JSON.stringify(path))
  })

  it('answers 400 to control characters also where nothing is found, in whatever place of the path', () => {
    const apps = [application(LOCALES), application(REMOVE), router([module('Api', { steps: [api] })])]
    const characters = ['\u0000', '\t', '\u001f', '\u007f', '\u0085', '\u009f']

    for (const character of characters) {
      for (const path of [
        '/*',
        '/a*b',
        '/api/*',
        '/api/items/*',
        '/api/a/*/b',
        '/no/way/*',
        '/fr/no/*',
        '/no*/way/',
      ]) {
        const sent = path.replace('*', character)
        for (const app of apps) assert.equal(ask(app, sent), '400', JSON.stringify(sent))
      }
    }
  })

  it('answers 404 to empty and dot segments and to what has no slash', () => {
    const bad = [
      '//',
      '///',
      '/a//',
      '//a',
      '/f//x',
      '/f/x//y',
      '/.',
      '/..',
      '/%2e',
      '/%2E%2e',
      '/.%2e',
      '/f/a/../b',
      '/f/%2e%2e/b',
      '/f/.',
    ]
    for (const path of bad) assert.equal(ask(app, path), '404', path)
    for (const path of ['', '*', 'slug', '?', 'http://a/b'])
      assert.equal(show(app.match('GET', path)), '404', path)
  })

  it('answers 400 to a path that no parameters can be read from, and makes none', async () => {
    class FileController {
      static readonly actions: Actions<FileController> = { show: [param.rest(param.string('path'))] }
      show(...path: string[]): string {
        return `${path.length} segments`
      }
    }
    const files = defineModule('Site', (own) => {
      own.mount('/').controllers(FileController)
      own.routes((r) => r.get('/f/{path}', [FileController, 'show']).where('path', '.*').name('f'))
    })
    const own = App.create().modules(files)
    const longest = `/f${'/a'.repeat(65_535)}`

    const answered = await own.fetch(new Request(`http://app.test${longest}`))
    assert.equal(answered.status, 200)
    assert.equal(await answered.text(), '65535 segments')
    for (const path of [
      `${longest}a`,
      `${longest}%61`,
      `/f${'/a'.repeat(1_000_000)}`,
      `/${'a'.repeat(200_000)}`,
    ]) {
      assert.equal((await own.fetch(new Request(`http://app.test${path}`))).status, 400)
      assert.equal((await (await own.inspection()).explain('GET', path)).result.kind, 'badRequest')
      assert.equal(own.router().match('GET', path).kind, 'badRequest')
      assert.equal((await own.router().resolve('GET', path)).kind, 'badRequest')
    }
    assert.equal(own.router().match('GET', longest).kind, 'found')
    assert.equal((await own.router().resolve('GET', longest)).kind, 'found')
    assert.equal((await (await own.inspection()).explain('GET', longest)).result.kind, 'found')
    assert.throws(() => own.router().url('site:f', { path: 'a'.repeat(200_000) }), fails('invalid-parameter'))
    const conventional = router([module('Site', { mount: '/', controllers: [FileController] })])
    assert.throws(
      () => conventional.urlFor([FileController, 'show'], ['a'.repeat(200_000)]),
      fails('invalid-parameter', 'reaches nothing'),
    )
  })

  it('takes dots, semicolons and backslashes for text', () => {
    assert.equal(ask(app, '/...'), 'Site PageController.show("...")')
    assert.equal(ask(app, '/admin;x=1'), 'Site PageController.show("admin;x=1")')
    assert.equal(ask(app, '/admin%5cx'), 'Site PageController.show("admin\\\\x")')
  })

  it('decodes once', () => {
    assert.equal(ask(app, '/%2561'), 'Site PageController.show("%61")')
    assert.equal(ask(app, '/f/%252e%252e/x'), 'Site PageController.file("%2e%2e/x")')
  })
})

describe('Resolution: percent-encoding', () => {
  const apps = [TrailingSlash.Remove, TrailingSlash.Add, TrailingSlash.Preserve].map((trailingSlash) => ({
    app: site((r) => r.get('/s/{slug}', [PageController, 'show']), { trailingSlash }),
    trailingSlash,
    end: trailingSlash === TrailingSlash.Add ? '/' : '',
  }))

  it('redirects an escape that is needless or in small letters, once, where the policy redirects [R-52]', () => {
    for (const [sent, canonical] of [
      ['/s/%61', '/s/a'],
      ['/%73/a', '/s/a'],
      ['/s/%41%5A%7a%30%39', '/s/AZz09'],
      ['/s/a%2Db%2eb%5Fb%7Eb', '/s/a-b.b_b~b'],
      ['/s/%21%27%28%29%2A', "/s/!'()*"],
      ['/s/%c3%a9', '/s/%C3%A9'],
      ['/s/%C3%a9', '/s/%C3%A9'],
      ['/s/a%2fb', '/s/a%2Fb'],
      ['/s/%61%40', '/s/a%40'],
    ] as const) {
      for (const { app, trailingSlash, end } of apps) {
        const answer = ask(app, sent + end)
        const found = ask(app, canonical + end)
        assert.match(found, /^Site PageController\.show/)
        if (trailingSlash === TrailingSlash.Preserve) assert.equal(answer, found)
        else assert.equal(answer, `-> ${canonical}${end}`)
      }
    }
  })

  it('takes the escapes that generation writes, and reserved characters in either form [R-52]', () => {
    for (const sent of ['/s/%C3%A9', '/s/a%2Fb', '/s/%20', '/s/%25', '/s/%40', '/s/@', '/s/%2B', '/s/+']) {
      for (const { app, end } of apps) assert.match(ask(app, sent + end), /^Site PageController\.show/, sent)
    }
  })

  it('answers a refused method and what is not there as they are, whatever the escapes', () => {
    for (const { app, end } of apps) {
      assert.equal(ask(app, `POST /s/%61${end}`), '405 GET, HEAD')
      assert.equal(ask(app, `/%6eothing${end}`), '404')
    }
  })
})

describe('Resolution: a spelling that a resolver owns', () => {
  class CartController {
    static readonly actions: Actions<CartController> = { index: [], other: [] }
    index(): void {}
    other(): void {}
  }
  const asks = (resolve: Resolver['resolve'], isAsync: boolean): Router => {
    const step = resolver({ resolve: isAsync ? async (request) => resolve(request) : resolve })
    const options = { trailingSlash: TrailingSlash.Remove }
    return router([module('Shop', { controllers: [CartController], steps: [step] })], options)
  }
  const answers: readonly (readonly [string, Resolver['resolve'], string])[] = [
    [
      'is refused by a resolver',
      ({ segments }) => {
        if (segments.join('/') === 'cart') throw new MethodNotAllowedException(['PUT'])
        return null
      },
      '404',
    ],
    [
      'is another route of a resolver',
      (request) => (request.segments.join('/') === 'cart' ? request.route(CartController, 'other') : null),
      '404',
    ],
    ['is unknown to the resolvers', () => null, '-> /shop/cart'],
  ]
  for (const [what, resolve, expected] of answers) {
    it(`a spelling whose canonical one ${what} comes to ${expected} [CONV-30]`, async () => {
      for (const isAsync of [false, true]) {
        const app = asks(resolve, isAsync)

        assert.equal(show(await app.resolve('GET', '/shop/cart/index')), expected)
        assert.equal(show(await app.resolve('GET', '/shop/Cart')), expected)
      }
    })
  }
})

describe('Resolution: claims and mounts of one path in different locales', () => {
  const news = claim({ fr: '/shop', en: '/news' }, (r) => r.get('/x', [PageController, 'other']))
  const own = table((r) => r.get('/x', [PageController, 'index']))
  const app = router(
    [
      module('Shop', { localized: true, convention: false, steps: [own, news] }),
      module('Site', { mount: '/', localized: true, steps: [home] }),
    ],
    REMOVE,
  )

  it('a claim wins over the mount in the locale that it is made in, and in no other [ROUTE-14]', () => {
    assert.equal(ask(app, '/fr/shop/x'), 'Shop PageController.other() [fr]')
    assert.equal(ask(app, '/en/shop/x'), 'Shop PageController.index() [en]')
    assert.equal(ask(app, 'POST /en/shop/x'), '405 GET, HEAD')
    assert.equal(ask(app, '/en/%73hop/x'), '-> /en/shop/x')
    assert.equal(ask(app, '/en/news/x'), 'Shop PageController.other() [en]')
  })

  it('what is claimed in another locale only is nothing, not a page of the root [CLAIM-02]', () => {
    assert.equal(ask(app, '/fr/news'), '404')
    assert.equal(ask(app, '/fr/newt'), 'Site PageController.show("newt") [fr]')
  })
})
