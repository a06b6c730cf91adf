import { describe, it } from 'node:test'

import { type Actions, TrailingSlash } from 'sallyport/routing'

import { conventional, module, PageController, resolver, router, table } from '../../routing/fixture.ts'
import { finds, prefixed, Small } from './findings.ts'

class IndexController {
  static readonly actions: Actions<IndexController> = { index: [] }
  index(): void {}
}

describe('Inspection.audit() about actions, word for word', () => {
  it('finds those that no route leads to', () => {
    const app = router([
      module('Pages', {
        controllers: [Small],
        convention: false,
        steps: [table((routes) => routes.get('/', [Small, 'index']))],
      }),
    ])

    finds(app, '1 routes, 1 URLs', [
      'fault unreachable-action Pages | - | - | no route of module "Pages" leads to Small::show: no URL reaches it; route to it or drop it from the actions',
      'fault unreachable-action Pages | - | - | no route of module "Pages" leads to Small::savePost: no URL reaches it; route to it or drop it from the actions',
      'fault unreachable-action Pages | - | - | no route of module "Pages" leads to Small::many: no URL reaches it; route to it or drop it from the actions',
      'fault unreachable-action Pages | - | - | no route of module "Pages" leads to Small::opt: no URL reaches it; route to it or drop it from the actions',
    ])
  })

  it('leaves them to resolvers where there are some', () => {
    const app = router([
      module('Pages', {
        controllers: [Small],
        convention: false,
        steps: [resolver({ resolve: () => null })],
      }),
    ])

    finds(app, '0 routes, 0 URLs', [
      'note left-to-resolvers Pages | - | - | no route of module "Pages" leads to Small::index: it is left to the resolvers',
      'note left-to-resolvers Pages | - | - | no route of module "Pages" leads to Small::show: it is left to the resolvers',
      'note left-to-resolvers Pages | - | - | no route of module "Pages" leads to Small::savePost: it is left to the resolvers',
      'note left-to-resolvers Pages | - | - | no route of module "Pages" leads to Small::many: it is left to the resolvers',
      'note left-to-resolvers Pages | - | - | no route of module "Pages" leads to Small::opt: it is left to the resolvers',
    ])
  })

  it('finds them also of a controller that no module lists', () => {
    const app = router([
      module('Pages', {
        convention: false,
        steps: [
          table((routes) => {
            routes.get('/', [Small, 'index'])
            routes.get('/s/{slug}', [Small, 'show'])
          }),
        ],
      }),
      module('Other', {
        convention: false,
        steps: [table((routes) => routes.post('/{id}', [Small, 'savePost']))],
      }),
    ])

    finds(app, '3 routes, 3 URLs', [
      'fault unreachable-action Pages | - | - | no route of module "Pages" leads to Small::many: no URL reaches it; route to it or drop it from the actions',
      'fault unreachable-action Pages | - | - | no route of module "Pages" leads to Small::opt: no URL reaches it; route to it or drop it from the actions',
    ])
  })

  it('finds none that the convention of another module reaches, whichever module comes first', () => {
    const listed = module('Listed', { controllers: [Small], convention: false })
    const routed = module('Routed', {
      convention: false,
      steps: [table((routes) => routes.get('/', [Small, 'index']))],
    })

    finds(router([listed, routed, conventional('Pages', [Small])]), '6 routes, 6 URLs', [])
  })

  it('tries the URL of each conventional action', () => {
    const app = router([conventional('Pages', [Small])])

    finds(app, '5 routes, 5 URLs', [])
  })

  it('tries that of the home page in every locale', () => {
    const app = router([conventional('Site', [IndexController], { mount: '/', localized: true })], prefixed)

    finds(app, '1 routes, 1 URLs', [])
  })

  it('tries them in every locale', () => {
    const app = router([conventional('Pages', [Small, PageController], { localized: true })], {
      ...prefixed,
      trailingSlash: TrailingSlash.Add,
    })

    finds(app, '17 routes, 17 URLs', [])
  })

  it('tells which route takes all URLs of an action', () => {
    const app = router([
      conventional('Pages', [Small], {
        steps: [
          table((routes) => {
            routes.get('/small/show/{slug}', [PageController, 'show'])
            routes.get('/small/{path}', [PageController, 'files']).where('path', 'opt|many')
            routes.post('/{a}/{b}', [PageController, 'pair']).where('a', 'small').where('b', '[a-z]+')
          }),
        ],
      }),
    ])

    finds(app, '8 routes, 21 URLs', [
      'fault unreachable-action Pages | GET /pages/small/show/example | - | no URL was found that reaches Small::show of module "Pages" by convention: GET /small/show/{slug} takes its URLs',
      'note no-url-found Pages | GET /pages/small/many | - | no URL was found that reaches Small::many of module "Pages" by convention: GET /small/{path} takes its URLs',
      'note no-url-found Pages | GET /pages/small/opt | - | no URL was found that reaches Small::opt of module "Pages" by convention: GET /small/{path} takes its URLs',
    ])
  })

  it('tells a rest that takes all of a method', () => {
    const app = router([
      conventional('Pages', [Small], {
        steps: [
          table((routes) => {
            routes.post('/{path}', [PageController, 'files']).where('path', '.*')
            routes.get('/small', [PageController, 'index'])
          }),
        ],
      }),
    ])

    finds(app, '7 routes, 32 URLs', [
      'fault unreachable-action Pages | GET /pages/small | - | no URL was found that reaches Small::index of module "Pages" by convention: POST /{path} takes its URLs',
      'fault unreachable-action Pages | GET /pages/small/show/example | - | no URL was found that reaches Small::show of module "Pages" by convention: POST /{path} takes its URLs',
      'fault unreachable-action Pages | POST /pages/small/save/42 | - | no URL was found that reaches Small::savePost of module "Pages" by convention: POST /{path} takes its URLs',
      'note no-url-found Pages | GET /pages/small/many | - | no URL was found that reaches Small::many of module "Pages" by convention: POST /{path} takes its URLs',
      'note no-url-found Pages | GET /pages/small/opt | - | no URL was found that reaches Small::opt of module "Pages" by convention: POST /{path} takes its URLs',
    ])
  })

  it('notes what only some values show', () => {
    const app = router([
      conventional('Pages', [Small], {
        steps: [
          table((routes) => {
            routes.get('/small/show/{slug}', [PageController, 'show']).where('slug', '[a-z0-9.-]+')
          }),
        ],
      }),
    ])

    finds(app, '6 routes, 17 URLs', [
      'note no-url-found Pages | GET /pages/small/show/example | - | no URL was found that reaches Small::show of module "Pages" by convention: "GET /pages/small/show/green-tea" reaches PageController::show',
    ])
  })
})
