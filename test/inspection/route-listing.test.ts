import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type Actions, param, type Routes, TrailingSlash } from 'sallyport/routing'
import { inspect, claim, fails, module, PageController, router, table } from '../routing/fixture.ts'

class Gate {
  process(): Response {
    return new Response()
  }
}
class IndexController {
  static readonly actions: Actions<IndexController> = {
    index: [],
    addPost: [param.int('n'), param.string('tab').optional()],
    list: [param.rest(param.string('tag'))],
  }
  index(): void {}
  addPost(_n: number, _tab?: string): void {}
  list(..._tags: string[]): void {}
}

describe('Inspection.routes()', () => {
  it('tells the type of each placeholder, in whatever order a path has them', () => {
    const declare = (r: Routes): void => {
      r.get('/{to}/{from}', [PageController, 'range'])
      r.get('/t/{tab}/{n}', [IndexController, 'addPost'])
    }
    const app = router([module('Shop', { convention: false, steps: [table(declare)] })])

    assert.deepEqual(
      inspect(app)
        .routes()
        .map(({ parameters }) => parameters.map(({ name, kind }) => `${name} ${kind}`)),
      [
        ['to int', 'from int'],
        ['tab string', 'n int'],
      ],
    )
  })

  it('writes conventional paths without a slash at their end, where both spellings are one URL', () => {
    const app = router([module('Shop', { controllers: [IndexController] })])

    assert.deepEqual(
      inspect(app)
        .routes()
        .map(({ paths }) => paths[0]?.path),
      ['/shop', '/shop/index/add/{n}/{tab?}', '/shop/index/list/{...tag}'],
    )
  })

  it('lists tables, claims and convention with all that a reader wants to know', () => {
    const shop = module('Shop', {
      localized: true,
      mount: { fr: 'boutique', en: 'shop' },
      middlewares: [Gate],
      controllers: [IndexController],
      steps: [
        table((r) => {
          r.get({ fr: '/produit/{slug}', en: '/product/{slug}' }, [PageController, 'show']).name('product')
          r.get('/l', [IndexController, 'list'])
        }),
        claim('/promo', (r) => r.map(['PUT', 'POST'], '/', [PageController, 'save'])),
      ],
    })
    const app = router([shop], {
      locales: ['fr', 'en'],
      localePrefixes: true,
      trailingSlash: TrailingSlash.Remove,
    })

    const listed = inspect(app).routes()

    assert.deepEqual(
      listed.map(({ kind, methods, name, action }) => [kind, methods.join(' '), name, action]),
      [
        ['table', 'GET HEAD', 'shop:product', 'PageController::show'],
        ['table', 'GET HEAD', null, 'IndexController::list'],
        ['claim', 'PUT POST', null, 'PageController::save'],
        ['convention', 'GET HEAD', null, 'IndexController::index'],
        ['convention', 'POST', null, 'IndexController::addPost'],
      ],
    )
    assert.deepEqual(listed[0]?.paths, [
      { locale: 'fr', path: '/fr/boutique/produit/{slug}' },
      { locale: 'en', path: '/en/shop/product/{slug}' },
    ])
    assert.deepEqual(listed[0]?.middlewares, ['Gate'])
    assert.match(listed[0]?.source ?? '', /route-listing\.test\.ts:\d+$/)
    assert.deepEqual(
      listed.slice(2).map(({ paths }) => paths[0]?.path),
      ['/fr/promo', '/fr/boutique', '/fr/boutique/index/add/{n}/{tab?}'],
    )
  })

  it('spells paths by the slash policy, and the home page as /', () => {
    const steps = [
      table((r) => (r.get('/', [PageController, 'index']), r.get('/foo/', [PageController, 'other']))),
    ]
    const site = module('Site', { mount: '/', localized: true, convention: false, steps })
    const paths = (trailingSlash: TrailingSlash): readonly string[] => {
      const app = router([site], { locales: ['fr', 'en'], localePrefixes: true, trailingSlash })
      return inspect(app)
        .routes()
        .flatMap((route) => route.paths.map(({ path }) => path))
    }

    assert.deepEqual(paths(TrailingSlash.Add), ['/', '/en/', '/fr/foo/', '/en/foo/'])
    assert.deepEqual(paths(TrailingSlash.Remove), ['/', '/en', '/fr/foo', '/en/foo'])
    assert.deepEqual(paths(TrailingSlash.Preserve), ['/', '/en/', '/fr/foo/', '/en/foo/'])
  })

  it('fails as a match does when a table is faulty', () => {
    const app = router([module('Shop', { steps: [table((r) => r.get('/{', [PageController, 'index']))] })])

    assert.throws(() => inspect(app).routes(), fails('invalid-pattern', 'module "Shop"'))
  })
})
