import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { type Actions, param, TrailingSlash } from 'sallyport/routing'

import { inspect, claim, module, PageController, resolver, router, table } from '../routing/fixture.ts'
import type { ListedRoute } from '../../src/inspection/route-listing.ts'

class Gate {
  process(): Response {
    return new Response()
  }
}

class Inner extends Gate {}

class Cart {
  static readonly actions: Actions<Cart> = {
    index: [],
    addPost: [param.int('n'), param.string('tab').optional()],
    list: [param.rest(param.string('tag'))],
    both: [param.string('a')],
  }
  index(): void {}
  addPost(_n: number, _tab?: string): void {}
  list(..._tags: string[]): void {}
  both(_a: string): void {}
}

class Finder {
  resolve(): null {
    return null
  }
}

/** All that is said of a route, on three lines. */
function whole(route: ListedRoute): readonly string[] {
  const { kind, module, methods, action, priority, name, shortName, source } = route
  const file = source?.replace(/^.*\//, '').replace(/\d+$/, '…')
  return [
    `${kind} ${module} ${methods.join('|')} ${action} ${priority} ${route.middlewares.join('|')}`,
    `${route.paths.map(({ locale, path }) => `${locale}:${path}`).join(' ')} ${name} ${shortName} ${file}`,
    route.parameters
      .map((parameter) => {
        const is = [
          parameter.isRest && 'rest',
          parameter.isList && 'list',
          parameter.isOptional && 'optional',
        ]
        return [parameter.name, parameter.kind, ...is, parameter.constraint].filter(Boolean).join(' ')
      })
      .join(', '),
  ]
}

const shop = module('Shop', {
  source: 'shop/module.ts:3',
  localized: true,
  mount: { fr: 'boutique', en: 'shop' },
  middlewares: [Gate],
  controllers: [Cart],
  steps: [
    table((routes) => {
      routes
        .middleware(Inner)
        .group((group) =>
          group
            .get({ fr: '/produit/{slug}', en: '/product/{slug}' }, [PageController, 'show'])
            .name('product')
            .where('slug', '[a-z]+')
            .default('slug', 'x')
            .priority(3),
        )
      routes.get('/files/{path}', [PageController, 'file']).where('path', '.+')
      routes.get('/many/{path}', [PageController, 'files']).where('path', '.*')
      routes.map(['PUT', 'HEAD', 'GET'], '/put/{from}/{to}/', [PageController, 'range'])
      routes.get('/both/{a}', [Cart, 'both'])
    }),
    claim('/promo', (routes) => routes.post('/', [PageController, 'save']).name('promo')),
    resolver(Finder, 5),
    resolver(new Finder(), -5),
  ],
})
const site = module('Site', {
  mount: '/',
  convention: false,
  steps: [table((routes) => routes.get('/', [PageController, 'index']).name('home')), resolver(Finder)],
})

describe('Inspection.routes(), word for word', () => {
  it('lists tables, then claims, then convention, then resolvers of each module', () => {
    const app = router([shop, site], {
      locales: ['fr', 'en'],
      localePrefixes: true,
      trailingSlash: TrailingSlash.Remove,
    })

    assert.deepEqual(inspect(app).routes().flatMap(whole), [
      'table Shop GET|HEAD PageController::show 3 Gate|Inner',
      'fr:/fr/boutique/produit/{slug} en:/en/shop/product/{slug} shop:product null route-listing.whole.test.ts:…',
      'slug string optional [a-z]+',
      'table Shop GET|HEAD PageController::file 0 Gate',
      'fr:/fr/boutique/files/{path} en:/en/shop/files/{path} null null route-listing.whole.test.ts:…',
      'path string rest .+',
      'table Shop GET|HEAD PageController::files 0 Gate',
      'fr:/fr/boutique/many/{path} en:/en/shop/many/{path} null null route-listing.whole.test.ts:…',
      'path string rest list .*',
      'table Shop PUT|HEAD|GET PageController::range 0 Gate',
      'fr:/fr/boutique/put/{from}/{to} en:/en/shop/put/{from}/{to} null null route-listing.whole.test.ts:…',
      'from int, to int',
      'table Shop GET|HEAD Cart::both 0 Gate',
      'fr:/fr/boutique/both/{a} en:/en/shop/both/{a} null null route-listing.whole.test.ts:…',
      'a string',
      'claim Shop POST PageController::save 0 Gate',
      'fr:/fr/promo en:/en/promo shop:promo null route-listing.whole.test.ts:…',
      '',
      'convention Shop GET|HEAD Cart::index 0 Gate',
      'fr:/fr/boutique/cart en:/en/shop/cart null null undefined',
      '',
      'convention Shop POST Cart::addPost 0 Gate',
      'fr:/fr/boutique/cart/add/{n}/{tab?} en:/en/shop/cart/add/{n}/{tab?} null null undefined',
      'n int, tab string optional',
      'convention Shop GET|HEAD Cart::list 0 Gate',
      'fr:/fr/boutique/cart/list/{...tag} en:/en/shop/cart/list/{...tag} null null undefined',
      'tag string rest list optional',
      'resolver Shop * Finder 5 ',
      'fr:/fr/boutique/* en:/en/shop/* null null module.ts:…',
      '',
      'resolver Shop * Finder -5 ',
      'fr:/fr/boutique/* en:/en/shop/* null null module.ts:…',
      '',
      'table Site GET|HEAD PageController::index 0 ',
      'null:/ site:home home route-listing.whole.test.ts:…',
      '',
      'resolver Site * Finder 0 ',
      'null:/* null null undefined',
      '',
    ])
  })

  it('lists the paths of all locales where no prefix tells them apart, with the slash of the policy', () => {
    const books = module('Books', {
      convention: false,
      steps: [
        table((routes) => {
          routes.get({ fr: '/livre', en: '/book/' }, [PageController, 'index'])
          routes.get('/', [PageController, 'other'])
        }),
      ],
    })
    const paths = (trailingSlash: TrailingSlash): readonly string[] => {
      const app = router([books], { locales: ['fr', 'en'], trailingSlash })
      return inspect(app)
        .routes()
        .flatMap((route) => route.paths.map(({ locale, path }) => `${locale}:${path}`))
    }

    assert.deepEqual(paths(TrailingSlash.Preserve), ['fr:/books/livre', 'en:/books/book/', 'null:/books/'])
    assert.deepEqual(paths(TrailingSlash.Add), ['fr:/books/livre/', 'en:/books/book/', 'null:/books/'])
    assert.deepEqual(paths(TrailingSlash.Remove), ['fr:/books/livre', 'en:/books/book', 'null:/books'])
  })
})
