import { describe, it } from 'node:test'

import { TrailingSlash } from 'sallyport/routing'

import { module, PageController, router, site, table } from '../../routing/fixture.ts'
import { finds, prefixed, shop } from './findings.ts'

describe('Inspection.audit() about pairs, word for word', () => {
  it('tells at which segment the winner is more specific', () => {
    const app = site((routes) => {
      routes.get('/users/{id}', [PageController, 'item'])
      routes.get('/users/7', [PageController, 'index'])
    })

    finds(app, '2 routes, 2 URLs', [
      'note shadowed-by-specificity Site | GET /users/7 | GET /users/7 | GET /users/7 and GET /users/{id} of module "Site" take the same URL: the first wins, being more specific at segment 2: literal text before a free placeholder',
    ])
  })

  it('shows the language in which the two meet', () => {
    const app = router(
      [
        shop((routes) => {
          routes.get('/{id}', [PageController, 'item'])
          routes.get({ fr: '/un', en: '/7' }, [PageController, 'index'])
        }),
      ],
      prefixed,
    )

    finds(app, '2 routes, 4 URLs', [
      'note shadowed-by-specificity Shop | GET /en/shop/7 | GET /un | GET /un and GET /{id} of module "Shop" take the same URL: the first wins, being more specific at segment 1: literal text before a free placeholder',
    ])
  })

  it('writes examples with a slash where URLs end with one', () => {
    const app = site(
      (routes) => {
        routes.get('/users/{id}', [PageController, 'item'])
        routes.get('/users/7', [PageController, 'index'])
      },
      { trailingSlash: TrailingSlash.Add },
    )

    finds(app, '2 routes, 2 URLs', [
      'note shadowed-by-specificity Site | GET /users/7/ | GET /users/7 | GET /users/7 and GET /users/{id} of module "Site" take the same URL: the first wins, being more specific at segment 2: literal text before a free placeholder',
    ])
  })

  it('has a word for each kind of segment', () => {
    const app = site((routes) => {
      routes.get('/a/{slug}', [PageController, 'show']).where('slug', '[a-z]+')
      routes.get('/a/{slug}', [PageController, 'edit'])
      routes.get('/{path}', [PageController, 'file']).where('path', '.*')
      routes.get('/a/b/{slug}', [PageController, 'show'])
    })

    finds(app, '4 routes, 5 URLs', [
      'note shadowed-by-specificity Site | GET /a/example | GET /a/{slug} | GET /a/{slug} and GET /a/{slug} of module "Site" take the same URL: the first wins, being more specific at segment 2: a constrained placeholder before a free placeholder',
      'note shadowed-by-specificity Site | GET /a/example | GET /a/{slug} | GET /a/{slug} and GET /{path} of module "Site" take the same URL: the first wins, being more specific at segment 1: literal text before the rest of the path',
      'note shadowed-by-specificity Site | GET /a/42 | GET /a/{slug} | GET /a/{slug} and GET /{path} of module "Site" take the same URL: the first wins, being more specific at segment 1: literal text before the rest of the path',
      'note shadowed-by-specificity Site | GET /a/b/example | GET /a/b/{slug} | GET /a/b/{slug} and GET /{path} of module "Site" take the same URL: the first wins, being more specific at segment 1: literal text before the rest of the path',
    ])
  })

  it('says nothing of a pair whose URLs a third route answers', () => {
    const app = site((routes) => {
      routes.get('/{slug}', [PageController, 'show']).where('slug', '[a-k]')
      routes.get('/{slug}', [PageController, 'edit']).where('slug', '[k-z]')
      routes.get('/k', [PageController, 'index'])
    })

    finds(app, '3 routes, 4 URLs', [
      'note shadowed-by-specificity Site | GET /k | GET /k | GET /k and GET /{slug} of module "Site" take the same URL: the first wins, being more specific at segment 1: literal text before a constrained placeholder',
      'note shadowed-by-specificity Site | GET /k | GET /k | GET /k and GET /{slug} of module "Site" take the same URL: the first wins, being more specific at segment 1: literal text before a constrained placeholder',
    ])
  })

  it('compares a longer path with one that takes the rest', () => {
    const app = site((routes) => {
      routes.get('/a/{path}', [PageController, 'files']).where('path', '.+')
      routes.get('/a/{slug}/x/y', [PageController, 'show'])
      routes.get('/a', [PageController, 'index'])
    })

    finds(app, '3 routes, 3 URLs', [
      'note shadowed-by-specificity Site | GET /a/example/x/y | GET /a/{slug}/x/y | GET /a/{slug}/x/y and GET /a/{path} of module "Site" take the same URL: the first wins, being more specific at segment 2: a free placeholder before the rest of the path',
    ])
  })

  it('names the higher priority first, whatever was declared first', () => {
    const app = site((routes) => {
      routes.get('/{slug}/x', [PageController, 'edit']).where('slug', '[a-z0-9]+')
      routes.get('/{slug}/x', [PageController, 'show']).where('slug', '[a-z]+').priority(1)
    })

    finds(app, '2 routes, 3 URLs', [
      'note shadowed-by-priority Site | GET /example/x | GET /{slug}/x | GET /{slug}/x and GET /{slug}/x of module "Site" take the same URL: the first wins by priority, 1 before 0',
    ])
  })

  it('compares routes that share a method, and no others', () => {
    const app = site((routes) => {
      routes.map(['GET', 'POST'], '/{slug}', [PageController, 'show']).where('slug', '[a-k]+')
      routes.map(['POST', 'PUT'], '/{slug}', [PageController, 'edit']).where('slug', '[g-z]+')
      routes.map(['PATCH'], '/{slug}', [PageController, 'edit']).where('slug', '[g-z]+')
    })

    finds(app, '3 routes, 3 URLs', [
      'fault ambiguous-routes Site | POST /g | GET|POST /{slug} | GET|POST /{slug} and POST|PUT /{slug} of module "Site" take the same URL: only the order of declaration decides; give one of them a priority() or narrow its where()',
    ])
  })

  it('compares those that begin with a text with those that begin with a placeholder', () => {
    const app = site((routes) => {
      routes.get('/x/{slug}', [PageController, 'show']).where('slug', '[a-k]+')
      routes.get('/{a}/{b}', [PageController, 'pair']).where('a', '[x-z]+')
      routes.get('/x/m', [PageController, 'index'])
    })

    finds(app, '3 routes, 3 URLs', [
      'note shadowed-by-specificity Site | GET /x/a | GET /x/{slug} | GET /x/{slug} and GET /{a}/{b} of module "Site" take the same URL: the first wins, being more specific at segment 1: literal text before a constrained placeholder',
      'note shadowed-by-specificity Site | GET /x/m | GET /x/m | GET /x/m and GET /{a}/{b} of module "Site" take the same URL: the first wins, being more specific at segment 1: literal text before a constrained placeholder',
    ])
  })

  it('finds a text that two partial segments share', () => {
    const app = site((routes) => {
      routes.get('/feed.{slug}', [PageController, 'show'])
      routes.get('/{slug}.xml', [PageController, 'edit'])
      routes.get('/feed.rss', [PageController, 'index'])
      routes.get('/x-{a}-{b}', [PageController, 'pair']).where('a', '[0-9]+').where('b', '[a-z]+')
      routes.get('/{slug}', [PageController, 'show']).where('slug', 'x-[0-9]-c')
    })

    finds(app, '5 routes, 16 URLs', [
      'fault ambiguous-routes Site | GET /feed.xml | GET /feed.{slug} | GET /feed.{slug} and GET /{slug}.xml of module "Site" take the same URL: only the order of declaration decides; give one of them a priority() or narrow its where()',
      'fault ambiguous-routes Site | GET /x-0-c | GET /x-{a}-{b} | GET /x-{a}-{b} and GET /{slug} of module "Site" take the same URL: only the order of declaration decides; give one of them a priority() or narrow its where()',
      'note shadowed-by-specificity Site | GET /feed.rss | GET /feed.rss | GET /feed.rss and GET /feed.{slug} of module "Site" take the same URL: the first wins, being more specific at segment 1: literal text before a constrained placeholder',
      'note no-url-found Site | GET /x-0-c | - | no URL was found that reaches GET /{slug} of module "Site", 12 were tried: "GET /x-7-c" reaches PageController::pair',
    ])
  })

  it('compares the paths of one locale, and those of all locales with them', () => {
    const app = router(
      [
        shop((routes) => {
          routes.get({ fr: '/a/{slug}', en: '/b/{slug}' }, [PageController, 'show'])
          routes.get({ fr: '/b/x', en: '/a/x' }, [PageController, 'index'])
          routes.get('/a/y', [PageController, 'other'])
        }),
      ],
      prefixed,
    )

    finds(app, '3 routes, 6 URLs', [
      'note shadowed-by-specificity Shop | GET /fr/shop/a/y | GET /a/y | GET /a/y and GET /a/{slug} of module "Shop" take the same URL: the first wins, being more specific at segment 2: literal text before a free placeholder',
    ])
  })

  it('compares no route with itself, though its locales share a URL', () => {
    const app = router(
      [
        module('Shop', {
          convention: false,
          steps: [
            table((routes) => {
              routes.get({ fr: '/a/{slug}', en: '/{slug}/b' }, [PageController, 'show'])
            }),
          ],
        }),
      ],
      { locales: ['fr', 'en'] },
    )

    finds(app, '1 routes, 1 URLs', [])
  })

  it('compares the paths of all locales where no prefix tells them apart', () => {
    const app = router(
      [
        module('Shop', {
          convention: false,
          steps: [
            table((routes) => {
              routes.get({ fr: '/a/{slug}', en: '/b/{slug}' }, [PageController, 'show']).name('s')
              routes.get({ fr: '/b/x', en: '/a/x' }, [PageController, 'index'])
            }),
          ],
        }),
      ],
      { locales: ['fr', 'en'] },
    )

    finds(app, '2 routes, 2 URLs', [
      'note shadowed-by-specificity Shop | GET /shop/a/x | GET /b/x | GET /b/x and GET /a/{slug} of module "Shop" take the same URL: the first wins, being more specific at segment 2: literal text before a free placeholder',
    ])
  })
})
