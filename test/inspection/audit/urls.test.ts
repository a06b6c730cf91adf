import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { type Actions, param, parameterType, TrailingSlash } from 'sallyport/routing'

import {
  claim,
  conventional,
  fails,
  module,
  PageController,
  router,
  site,
  table,
} from '../../routing/fixture.ts'
import { finds, prefixed, shop } from './findings.ts'

// A value that is a list itself.
const words = parameterType<readonly string[]>({
  name: 'words',
  pattern: '[a-z]+(?:,[a-z]+)*',
  parse: (text) => text.split(','),
  format: (list) => list.join(','),
})

class ListController {
  static readonly actions = {
    rest: [param.rest(param.int('n'))],
    behind: [param.int('a'), param.rest(param.int('n'))],
    list: [param.of(words, 'a')],
  } satisfies Actions<ListController>
  rest(..._n: number[]): void {}
  behind(_a: number, ..._n: number[]): void {}
  list(_a: readonly string[]): void {}
}

describe('Inspection.audit() about generated URLs, word for word', () => {
  it('generates those of named routes with values of every type', () => {
    const app = site((routes) => {
      routes.get('/{id}', [PageController, 'item']).name('item')
      routes.get('/f/{path}', [PageController, 'files']).where('path', '.+').name('files')
      routes.get('/g/{path}', [PageController, 'file']).where('path', '[a-z/]+').name('file')
      routes.get('/{value}/v', [PageController, 'measure']).name('v')
      routes.get('/{on}/on', [PageController, 'flag']).name('on')
    })

    finds(app, '5 routes, 5 URLs', [])
  })

  it('generates one value for one segment of a parameter that takes the rest', () => {
    const app = site((routes) => {
      routes.get('/f/{path}', [PageController, 'files']).name('one')
      routes.get('/g/{path}.html', [PageController, 'files']).name('beside')
      routes.get('/h/{path}/more', [PageController, 'files']).name('inside')
      routes.get('/i/{n}', [ListController, 'rest']).name('typed')
      routes.get('/j/{a}-{n}', [ListController, 'behind']).name('behind')
      routes.get('/k/{n}/{a}', [ListController, 'behind']).name('before')
      routes.get('/l/{a}', [ListController, 'list']).name('list')
      routes.get('/m/{a}/{n}', [ListController, 'behind']).where('n', '.*').name('whole')
    })

    finds(app, '8 routes, 8 URLs', [])
    assert.equal(app.url('site:one', { path: 'a' }), '/f/a')
    assert.equal(app.url('site:typed', { n: 7 }), '/i/7')
    assert.throws(() => app.url('site:one', { path: ['a'] }), fails('invalid-parameter'))
  })

  it('finds a value also for a constraint that is hard to meet, and says when there is none', () => {
    const app = site((routes) => {
      routes.get('/{slug}', [PageController, 'show']).where('slug', '(?:[a-z]{40}-){6}')
      routes.get('/x/{id}', [PageController, 'item']).where('id', '[a-z]+')
      routes.get('/y/{path}', [PageController, 'files']).where('path', '[A-Z]{3}')
    })

    finds(app, '3 routes, 2 URLs', [
      'note no-url-found Site | - | - | no URL was found that reaches GET /x/{id} of module "Site", 0 were tried: no value was found that fits it',
    ])
  })

  it('finds a value of an own type beside other text, whose constraint takes more than the type', () => {
    const code = parameterType({ name: 'code', pattern: '[A-Z]{3}[0-9]{4}', parse: (text) => text })
    class CodeController {
      static readonly actions = { show: [param.of(code, 'code')] }
      show(): void {}
    }
    const app = site((routes) => {
      routes.get('/c-{code}', [CodeController, 'show']).where('code', '[A-Za-z0-9]+').name('code')
    })

    finds(app, '1 routes, 1 URLs', [])
  })

  it('says so of a named route, too', () => {
    const app = site((routes) =>
      routes.get('/x/{id}', [PageController, 'item']).where('id', '[a-z]+').name('x'),
    )

    finds(app, '1 routes, 0 URLs', [
      'note no-url-found Site | - | - | no URL was found that reaches GET /x/{id} of module "Site", 0 were tried: no value was found that fits it',
    ])
  })

  it('notes that all values it tried belong to other routes', () => {
    const app = site((routes) => {
      routes.get('/{slug}', [PageController, 'show']).where('slug', 'a|b').name('show')
      routes.get('/a', [PageController, 'index'])
      routes.get('/b', [PageController, 'index'])
    })

    finds(app, '3 routes, 2 URLs', [
      'note shadowed-by-specificity Site | GET /a | GET /a | GET /a and GET /{slug} of module "Site" take the same URL: the first wins, being more specific at segment 1: literal text before a constrained placeholder',
      'note shadowed-by-specificity Site | GET /b | GET /b | GET /b and GET /{slug} of module "Site" take the same URL: the first wins, being more specific at segment 1: literal text before a constrained placeholder',
      'note no-url-found Site | GET /a | - | no URL was found that reaches GET /{slug} of module "Site", 6 were tried: Cannot generate a URL for "site:show" with "b" for "slug": "/b" reaches PageController::index of module "Site", by its route GET /b',
    ])
  })

  it('notes so of a rest as well, of which it cannot try all', () => {
    const app = site((routes) => {
      routes.get('/f/{path}', [PageController, 'file']).where('path', '[a-z0-9/.-]+').priority(1)
      routes.get('/f/{path}', [PageController, 'files']).where('path', 'Q{30}|[a-z0-9/.-]+')
    })

    finds(app, '2 routes, 13 URLs', [
      'note shadowed-by-priority Site | GET /f/example | GET /f/{path} | GET /f/{path} and GET /f/{path} of module "Site" take the same URL: the first wins by priority, 1 before 0',
      'note no-url-found Site | GET /f/example | - | no URL was found that reaches GET /f/{path} of module "Site", 12 were tried: "GET /f/1" reaches PageController::file',
    ])
  })

  it('tells a placeholder that takes what is written out', () => {
    const app = site((routes) => {
      routes.get('/{slug}', [PageController, 'show']).where('slug', '[0-9]+|a').priority(1)
      routes.get('/a', [PageController, 'index']).name('a')
      routes.get('/{id}', [PageController, 'item'])
    })

    finds(app, '3 routes, 13 URLs', [
      'fault unreachable-route Site | GET /a | - | no URL reaches GET /a of module "Site": GET /{slug} wins (priority 1 before 0)',
      'note shadowed-by-priority Site | GET /42 | GET /{slug} | GET /{slug} and GET /{id} of module "Site" take the same URL: the first wins by priority, 1 before 0',
      'note no-url-found Site | GET /42 | - | no URL was found that reaches GET /{id} of module "Site", 12 were tried: "GET /7" reaches PageController::show',
    ])
  })

  it('tells a name whose first method goes to another route, and takes any method where there is no name', () => {
    const app = site((routes) => {
      routes.get('/{slug}', [PageController, 'show']).priority(1)
      routes.map(['GET', 'POST'], '/both', [PageController, 'save'])
      routes.map(['GET', 'PUT'], '/other', [PageController, 'save']).name('other')
    })

    finds(app, '3 routes, 2 URLs', [
      'fault url-not-generated Site | GET /other | - | no URL was found that reaches GET|PUT /other of module "Site", 2 were tried: Cannot generate a URL for "site:other": "/other" reaches PageController::show of module "Site", by its route GET /{slug}',
      'note shadowed-by-priority Site | GET /both | GET /{slug} | GET /{slug} and GET|POST /both of module "Site" take the same URL: the first wins by priority, 1 before 0',
      'note shadowed-by-priority Site | GET /other | GET /{slug} | GET /{slug} and GET|PUT /other of module "Site" take the same URL: the first wins by priority, 1 before 0',
    ])
  })

  it('tells a route without a path in one of the locales', () => {
    const app = router(
      [
        shop((routes) => {
          routes.get({ fr: '/produit/{slug}' }, [PageController, 'show']).name('product')
          routes.get('/a', [PageController, 'index'])
          routes.get({ en: '/book', fr: '/livre' }, [PageController, 'other']).name('o')
        }),
      ],
      prefixed,
    )

    finds(app, '3 routes, 5 URLs', [
      'note missing-locale Shop | - | - | GET /produit/{slug} of module "Shop" has no path in "en"',
    ])
  })

  it('reaches the home pages of all locales', () => {
    const app = router(
      [
        module('Site', {
          mount: '/',
          localized: true,
          convention: false,
          steps: [
            table((routes) => {
              routes.get('/', [PageController, 'index']).name('home')
              routes.get('/x', [PageController, 'other'])
            }),
          ],
        }),
      ],
      { ...prefixed, trailingSlash: TrailingSlash.Add },
    )

    finds(app, '2 routes, 4 URLs', [])
  })

  it('reaches them also without a name, by table and by convention', () => {
    const app = router(
      [
        module('Site', {
          mount: '/',
          localized: true,
          convention: false,
          steps: [
            table((routes) => routes.get('/', [PageController, 'index'])),
            claim('/own', (routes) => routes.get('/', [PageController, 'other'])),
          ],
        }),
        conventional('Shop', [PageController], { localized: true }),
      ],
      prefixed,
    )

    finds(app, '14 routes, 16 URLs', [])
  })

  it('tells a name that a table and a claim share, once', () => {
    const app = router([
      module('Site', {
        mount: '/',
        convention: false,
        steps: [
          table((routes) => {
            routes.get('/a', [PageController, 'index']).name('x')
            routes.get('/b', [PageController, 'other']).name('y')
          }),
          claim('/c', (routes) => {
            routes.get('/', [PageController, 'index']).name('x')
            routes.get('/e', [PageController, 'index']).name('z')
          }),
        ],
      }),
    ])

    finds(app, '4 routes, 2 URLs', [
      'fault duplicate-name Site | - | - | Cannot generate a URL for "x" of module "Site": its table and claims use that name for both GET /a and GET /; rename one of them',
    ])
  })

  it('finds each name that table and claim share, once, whatever else is at fault', () => {
    const shared = (path: string, name: string, mount: string): ReturnType<typeof module> =>
      module(mount, {
        convention: false,
        steps: [
          table((routes) => routes.get(path, [PageController, 'index']).name(name)),
          claim(`/c-${mount.toLowerCase()}`, (routes) =>
            routes.get('/', [PageController, 'index']).name(name),
          ),
        ],
      })
    const app = router([shared('/a', 'x', 'News'), shared('/b', 'y', 'Shop')])

    finds(app, '4 routes, 0 URLs', [
      'fault duplicate-name News | - | - | Cannot generate a URL for "x" of module "News": its table and claims use that name for both GET /a and GET /; rename one of them',
      'fault duplicate-name Shop | - | - | Cannot generate a URL for "y" of module "Shop": its table and claims use that name for both GET /b and GET /; rename one of them',
    ])
  })

  it('goes on with the tables that compile', () => {
    const app = router([
      module('Bad', {
        convention: false,
        controllers: [PageController],
        steps: [
          table((routes) => routes.get('/{slug', [PageController, 'show'])),
          claim('/elsewhere', (routes) => {
            routes.get('/{id}', [PageController, 'item']).name('x')
            routes.get('/7', [PageController, 'index'])
          }),
        ],
      }),
      module('Good', {
        convention: false,
        steps: [table((routes) => routes.get('/a', [PageController, 'index']))],
      }),
    ])

    finds(app, '3 routes, 1 URLs', [
      'fault does-not-compile Bad | - | - | Cannot compile the routes of module "Bad". Cannot read the path "/{slug": "{": it cannot be part of a path [invalid-pattern]',
      'note shadowed-by-specificity Bad | GET /elsewhere/7 | GET /7 | GET /7 and GET /{id} of module "Bad" take the same URL: the first wins, being more specific at segment 1: literal text before a free placeholder',
    ])
  })
})
