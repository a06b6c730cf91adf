import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { type Actions, param, type Router, type Routes } from 'sallyport/routing'

import { claim, inspect, module, PageController, router, site, table } from '../../routing/fixture.ts'
import { finds, prefixed, shop, Small } from './findings.ts'
import type { ModuleRouting } from '../../../src/routing/internal.ts'

class Numbers {
  static readonly actions: Actions<Numbers> = { all: [param.rest(param.int('x'))] }
  all(..._x: number[]): void {}
}

/** A module that owns the root, without convention. */
function root(declare: (routes: Routes) => void): ModuleRouting {
  return module('Site', { mount: '/', convention: false, steps: [table(declare)] })
}

describe('Inspection.audit() about what no URL reaches, word for word', () => {
  it('tells a priority that takes everything', () => {
    const app = site((routes) => {
      routes.get('/{path}', [PageController, 'file']).where('path', '.*').priority(5)
      routes.get('/about', [PageController, 'index'])
      routes.post('/about', [PageController, 'save'])
    })

    finds(app, '3 routes, 2 URLs', [
      'fault unreachable-route Site | GET /about | - | no URL reaches GET /about of module "Site": GET /{path} wins (priority 5 before 0)',
    ])
  })

  it('tells a route that has the same constraint', () => {
    const app = site((routes) => {
      routes.get('/{id}', [PageController, 'item']).where('id', '[0-9]+').priority(1)
      routes.get('/{id}', [PageController, 'item']).where('id', '[0-9]+')
    })

    finds(app, '2 routes, 1 URLs', [
      'fault unreachable-route Site | GET /42 | - | no URL reaches GET /{id} of module "Site": GET /{id} wins (priority 1 before 0)',
    ])
  })

  it('asks who takes each method of a route', () => {
    const app = site((routes) => {
      routes.get('/{slug}', [PageController, 'show']).priority(1)
      routes.post('/{slug}', [PageController, 'edit']).priority(2)
      routes.map(['POST', 'GET'], '/x', [PageController, 'index'])
    })

    finds(app, '3 routes, 2 URLs', [
      'fault unreachable-route Site | POST /x | - | no URL reaches POST|GET /x of module "Site": POST /{slug} wins (priority 2 before 0)',
    ])
  })

  it('knows what a number includes', () => {
    const app = site((routes) => {
      routes.get('/{id}', [PageController, 'item'])
      routes.get('/{from}', [PageController, 'range']).priority(-1)
      routes.get('/{value}', [PageController, 'measure']).priority(-2)
      routes.get('/{slug}', [PageController, 'show']).where('slug', '[0-9]').priority(-3)
      routes.get('/5', [PageController, 'index']).priority(-4)
    })

    finds(app, '5 routes, 17 URLs', [
      'fault unreachable-route Site | GET /42 | - | no URL reaches GET /{from} of module "Site": GET /{id} wins (priority 0 before -1)',
      'fault unreachable-route Site | GET /5 | - | no URL reaches GET /5 of module "Site": GET /{slug} wins (priority -3 before -4)',
      'note shadowed-by-priority Site | GET /42 | GET /{id} | GET /{id} and GET /{value} of module "Site" take the same URL: the first wins by priority, 0 before -2',
      'note shadowed-by-priority Site | GET /1 | GET /{id} | GET /{id} and GET /{slug} of module "Site" take the same URL: the first wins by priority, 0 before -3',
      'note no-url-found Site | GET /1 | - | no URL was found that reaches GET /{slug} of module "Site", 12 were tried: "GET /9" reaches PageController::item',
    ])
  })

  it('knows that a free placeholder takes every segment', () => {
    const app = site((routes) => {
      routes.get('/{slug}', [PageController, 'show']).priority(1)
      routes.get('/{id}', [PageController, 'item'])
      routes.get('/{on}', [PageController, 'flag']).priority(-1)
      routes.get('/{a}-{b}', [PageController, 'pair'])
      routes.get('/{path}', [PageController, 'file']).where('path', '[a-z]+')
      routes.get('/lit', [PageController, 'index'])
    })

    finds(app, '6 routes, 1 URLs', [
      'fault unreachable-route Site | GET /42 | - | no URL reaches GET /{id} of module "Site": GET /{slug} wins (priority 1 before 0)',
      'fault unreachable-route Site | GET /true | - | no URL reaches GET /{on} of module "Site": GET /{slug} wins (priority 1 before -1)',
      'fault unreachable-route Site | GET /green-tea | - | no URL reaches GET /{a}-{b} of module "Site": GET /{slug} wins (priority 1 before 0)',
      'fault unreachable-route Site | GET /example | - | no URL reaches GET /{path} of module "Site": GET /{slug} wins (priority 1 before 0)',
      'fault unreachable-route Site | GET /lit | - | no URL reaches GET /lit of module "Site": GET /{slug} wins (priority 1 before 0)',
    ])
  })

  it('knows what a boolean includes', () => {
    const app = site((routes) => {
      routes.get('/{on}', [PageController, 'flag']).priority(1)
      routes.get('/true', [PageController, 'index'])
      routes.get('/yes', [PageController, 'other'])
    })

    finds(app, '3 routes, 2 URLs', [
      'fault unreachable-route Site | GET /true | - | no URL reaches GET /true of module "Site": GET /{on} wins (priority 1 before 0)',
    ])
  })

  it('knows what the rest of a path includes', () => {
    const app = site((routes) => {
      routes.get('/f/{path}', [PageController, 'file']).where('path', '.+').priority(1)
      routes.get('/f/a/b', [PageController, 'index'])
      routes.get('/f', [PageController, 'other'])
      routes.get('/f/{slug}', [PageController, 'show'])
      routes.get('/f/x/{path}', [PageController, 'files']).where('path', '.+')
      routes.get('/{path}', [PageController, 'files']).where('path', '.+')
    })

    finds(app, '6 routes, 3 URLs', [
      'fault unreachable-route Site | GET /f/a/b | - | no URL reaches GET /f/a/b of module "Site": GET /f/{path} wins (priority 1 before 0)',
      'fault unreachable-route Site | GET /f/example | - | no URL reaches GET /f/{slug} of module "Site": GET /f/{path} wins (priority 1 before 0)',
      'fault unreachable-route Site | GET /f/x/example | - | no URL reaches GET /f/x/{path} of module "Site": GET /f/{path} wins (priority 1 before 0)',
      'note shadowed-by-priority Site | GET /f/example | GET /f/{path} | GET /f/{path} and GET /{path} of module "Site" take the same URL: the first wins by priority, 1 before 0',
      'note shadowed-by-specificity Site | GET /f | GET /f | GET /f and GET /{path} of module "Site" take the same URL: the first wins, being more specific at segment 1: literal text before the rest of the path',
    ])
  })

  it('knows that a rest of numbers takes numbers only', () => {
    const app = site((routes) => {
      routes.get('/n/{x}', [Numbers, 'all']).where('x', '.*').priority(1)
      routes.get('/n/a/b', [PageController, 'index'])
      routes.get('/n/1', [PageController, 'other'])
    })

    finds(app, '3 routes, 4 URLs', [
      'fault unreachable-route Site | GET /n/1 | - | no URL was found that reaches GET /n/1 of module "Site", 2 were tried: "GET /n/1" reaches Numbers::all',
      'note shadowed-by-priority Site | GET /n/1 | GET /n/{x} | GET /n/{x} and GET /n/1 of module "Site" take the same URL: the first wins by priority, 1 before 0',
    ])
  })

  it('tells a path of one locale from the same in another', () => {
    const app = router(
      [
        shop((routes) => {
          routes.get({ fr: '/{slug}' }, [PageController, 'show']).priority(1)
          routes.get({ fr: '/a', en: '/b' }, [PageController, 'index'])
          routes.get({ fr: '/c' }, [PageController, 'other'])
          routes.get('/d', [PageController, 'save'])
        }),
      ],
      prefixed,
    )

    finds(app, '4 routes, 7 URLs', [
      'fault unreachable-route Shop | GET /fr/shop/c | - | no URL reaches GET /c of module "Shop": GET /{slug} wins (priority 1 before 0)',
      'fault unreachable-route Shop | GET /fr/shop/a | - | no URL was found that reaches GET /a of module "Shop", 2 were tried: "GET /fr/shop/a" reaches PageController::show',
      'fault unreachable-route Shop | GET /fr/shop/d | - | no URL was found that reaches GET /d of module "Shop", 2 were tried: "GET /fr/shop/d" reaches PageController::show',
      'note shadowed-by-priority Shop | GET /fr/shop/a | GET /{slug} | GET /{slug} and GET /a of module "Shop" take the same URL: the first wins by priority, 1 before 0',
      'note shadowed-by-priority Shop | GET /fr/shop/d | GET /{slug} | GET /{slug} and GET /d of module "Shop" take the same URL: the first wins by priority, 1 before 0',
      'note missing-locale Shop | - | - | GET /{slug} of module "Shop" has no path in "en"',
    ])
  })

  it('shows a URL as it is declared and generated, where slashes are preserved', () => {
    const app = site((routes) => {
      routes.get('/{slug}', [PageController, 'show']).priority(1)
      routes.get('/about/', [PageController, 'index']).name('about')
    })

    assert.equal(inspect(app).audit().findings[0]?.example, 'GET /about/')
  })

  it('finds that the path of one locale takes all of a route, where no prefix tells locales apart', () => {
    const declare = (routes: Routes): void => {
      routes.get({ fr: '/{slug}', en: '/page/{slug}' }, [PageController, 'show']).priority(1)
      routes.get('/{id}', [PageController, 'item'])
    }
    const codes = (app: Router): readonly string[] =>
      inspect(app)
        .audit()
        .findings.flatMap(({ code, example }) => (code === 'unreachable-route' ? [example ?? ''] : []))

    assert.deepEqual(codes(site(declare, { locales: ['fr', 'en'] })), ['GET /42'])
    assert.deepEqual(codes(router([shop(declare)], prefixed)), [])
  })

  it('tells what begins like a locale prefix', () => {
    const app = router(
      [
        root((routes) => {
          routes.get('/fr/about', [PageController, 'index'])
          routes.get('/en', [PageController, 'other'])
          routes.get('/about', [PageController, 'save'])
        }),
        shop((routes) => routes.get('/', [PageController, 'index'])),
      ],
      prefixed,
    )

    finds(app, '4 routes, 3 URLs', [
      'fault unreachable-route Site | GET /fr/about | - | no URL reaches GET /fr/about of module "Site": "/fr" is a locale prefix',
      'fault unreachable-route Site | GET /en | - | no URL reaches GET /en of module "Site": "/en" is a locale prefix',
    ])
  })

  it('tells the mounts and claims of others', () => {
    const app = router([
      module('Shop', {
        convention: false,
        steps: [
          table((routes) => routes.get('/', [PageController, 'index'])),
          claim('/shop/sale', (routes) => routes.get('/', [PageController, 'other'])),
        ],
      }),
      module('News', {
        convention: false,
        steps: [claim('/latest', (routes) => routes.get('/', [PageController, 'index']))],
      }),
      root((routes) => {
        routes.get('/shop/about', [PageController, 'other'])
        routes.get('/shop/sale/x', [PageController, 'other'])
        routes.get('/latest', [PageController, 'other'])
        routes.get('/{slug}', [PageController, 'show'])
        routes.get('/{slug}/x', [PageController, 'edit'])
      }),
    ])

    finds(app, '8 routes, 5 URLs', [
      'fault unreachable-route Site | GET /shop/about | - | no URL reaches GET /shop/about of module "Site": the mount "/shop" of module "Shop" takes its URLs',
      'fault unreachable-route Site | GET /shop/sale/x | - | no URL reaches GET /shop/sale/x of module "Site": a claim "/shop/sale" of module "Shop" takes its URLs',
      'fault unreachable-route Site | GET /latest | - | no URL reaches GET /latest of module "Site": a claim "/latest" of module "News" takes its URLs',
    ])
  })

  it('reports a mount that its own claim takes where something answers there, and nothing of the convention there', () => {
    const app = router([
      module('Press', {
        convention: false,
        steps: [
          claim('/press', (routes) => routes.get('/', [PageController, 'index'])),
          table((routes) => routes.get('/old', [PageController, 'other'])),
        ],
      }),
      module('Empty', { steps: [claim('/empty', (routes) => routes.get('/', [PageController, 'index']))] }),
      module('Silent', {
        convention: false,
        controllers: [PageController],
        steps: [claim('/silent', (routes) => routes.get('/', [PageController, 'index']))],
      }),
      module('Full', {
        controllers: [Small],
        steps: [claim('/full', (routes) => routes.get('/', [PageController, 'index']))],
      }),
      module('Quiet', {
        convention: false,
        controllers: [Small],
        steps: [table((routes) => routes.get('/', [Small, 'index']))],
      }),
    ])

    finds(app, '11 routes, 5 URLs', [
      'fault unreachable-mount Press | GET /press | - | the mount of module "Press" is never asked: its own claim takes "/press"',
      'fault unreachable-mount Full | GET /full | - | the mount of module "Full" is never asked: its own claim takes "/full"',
      'fault unreachable-route Press | GET /press/old | - | no URL reaches GET /old of module "Press": a claim "/press" of module "Press" takes its URLs',
      'fault unreachable-action Quiet | - | - | no route of module "Quiet" leads to Small::show: no URL reaches it; route to it or drop it from the actions',
      'fault unreachable-action Quiet | - | - | no route of module "Quiet" leads to Small::savePost: no URL reaches it; route to it or drop it from the actions',
      'fault unreachable-action Quiet | - | - | no route of module "Quiet" leads to Small::many: no URL reaches it; route to it or drop it from the actions',
      'fault unreachable-action Quiet | - | - | no route of module "Quiet" leads to Small::opt: no URL reaches it; route to it or drop it from the actions',
    ])
  })
})
