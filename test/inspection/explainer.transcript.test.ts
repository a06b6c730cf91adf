import { describe } from 'node:test'

import { type Actions, param, type Route, type RouteRequest, TrailingSlash } from 'sallyport/routing'

import { claim, module, PageController, resolver, router, table } from '../routing/fixture.ts'
import { explains } from './transcript.ts'

class Gate {
  process(): Response {
    return new Response()
  }
}

class Inner extends Gate {}

class IndexController {
  static readonly actions: Actions<IndexController> = { index: [], add: [param.string('name')] }
  index(): void {}
  add(_name: string): void {}
}

class Finder {
  async resolve(): Promise<null> {
    return null
  }
}

class Chooser {
  resolve(request: RouteRequest): Route | null {
    return request.segments[0] === 'chosen' ? request.route(IndexController, 'add', { args: ['x'] }) : null
  }
}

const shop = module('Shop', {
  mount: { fr: 'boutique', en: 'shop' },
  localized: true,
  controllers: [IndexController],
  middlewares: [Gate],
  steps: [
    table((routes) => {
      routes.get('/item/{id}', [PageController, 'item']).name('item')
      routes.get('/item/7', [PageController, 'other'])
      routes.get('/item/{slug}', [PageController, 'show']).where('slug', '[0-9]+').priority(-1)
      routes.get({ fr: '/livre/{slug}', en: '/book/{slug}' }, [PageController, 'show']).name('book')
      routes.post('/item/{slug}/buy', [PageController, 'show'])
      routes.get('/feed.{slug}', [PageController, 'show'])
      routes.get('/files/{path}', [PageController, 'file']).where('path', '[a-z/]+')
      routes.middleware(Inner).group((group) => group.get('/{a}-{b}/pair', [PageController, 'pair']))
    }),
    resolver(new Finder(), 500),
    resolver(Chooser, -5),
    claim('/press', (routes) => {
      routes.get('/', [PageController, 'index'])
      routes.get('/{slug}', [PageController, 'show'])
    }),
  ],
})
const root = module('Site', {
  mount: '/',
  convention: false,
  steps: [
    table((routes) => {
      routes.get('/about', [PageController, 'index']).name('about')
      routes.put('/about', [PageController, 'save'])
      routes.get('/', [PageController, 'other'])
    }),
  ],
})

describe('Inspection.explain() of a shop in two languages', () => {
  const policy = { locales: ['fr', 'en'], localePrefixes: true, trailingSlash: TrailingSlash.Remove }
  explains(
    router([shop, root], policy),
    `
GET /fr/boutique/item/7
  locale > entry > resolver > table > spelling
  *GET /item/7, GET /item/{id}, GET /item/{slug}, POST /item/{slug}/buy, GET /{a}-{b}/pair, 4 more
  = found Shop PageController::other(): fr, Gate

GET /fr/boutique/item/9
  locale > entry > resolver > table > spelling
  *GET /item/{id}, GET /item/{slug}, POST /item/{slug}/buy, GET /item/7, GET /{a}-{b}/pair, 4 more
  = found Shop PageController::item(9): item, fr, Gate

POST /fr/boutique/item/9/buy
  locale > entry > resolver > table > spelling
  *POST /item/{slug}/buy, GET /item/{id}, GET /item/{slug}, GET /item/7, GET /{a}-{b}/pair, 4 more
  = found Shop PageController::show("9"): fr, Gate

GET /en/shop/item/9/buy
  locale > entry > resolver > table
  POST /item/{slug}/buy, GET /item/{id}, GET /item/{slug}, GET /item/7, GET /{a}-{b}/pair, 4 more
  = methodNotAllowed: POST

GET /FR/Boutique/item/7/
  locale > entry > resolver > table > spelling
  *GET /item/7, GET /item/{id}, GET /item/{slug}, POST /item/{slug}/buy, GET /{a}-{b}/pair, 4 more
  = redirect: /fr/boutique/item/7

GET /en/shop/book/x
  locale > entry > resolver > table > spelling
  *GET /book/{slug}, GET /{a}-{b}/pair, 7 more
  = found Shop PageController::show("x"): book, en, Gate

GET /en/shop/livre/x
  locale > entry > resolver > table > resolver > convention
  GET /{a}-{b}/pair, 8 more
  = notFound

GET /en/shop/feed.xml
  locale > entry > resolver > table > spelling
  *GET /feed.{slug}, GET /{a}-{b}/pair, 7 more
  = found Shop PageController::show("xml"): en, Gate

GET /en/shop/feedxml
  locale > entry > resolver > table > resolver > convention
  GET /{a}-{b}/pair, 8 more
  = notFound

GET /en/shop/files/a/b
  locale > entry > resolver > table > spelling
  *GET /files/{path}, GET /{a}-{b}/pair, 7 more
  = found Shop PageController::file("a/b"): en, Gate

GET /en/shop/files/A
  locale > entry > resolver > table > resolver > convention
  GET /files/{path}, GET /{a}-{b}/pair, 7 more
  = notFound

GET /en/shop/item/abc
  locale > entry > resolver > table > resolver > convention
  GET /item/{id}, POST /item/{slug}/buy, GET /item/7, GET /item/{slug}, GET /{a}-{b}/pair, 4 more
  = notFound

GET /en/shop/a-b/pair
  locale > entry > resolver > table > spelling
  *GET /{a}-{b}/pair, 8 more
  = found Shop PageController::pair("a", "b"): en, Gate, Inner

GET /en/shop/chosen
  locale > entry > resolver > spelling
  = found Shop IndexController::add("x"): en, Gate

DELETE /about
  locale > entry > table
  GET /about, PUT /about, GET /
  = methodNotAllowed: GET, HEAD, PUT

GET /about
  locale > entry > table > spelling
  *GET /about, PUT /about, GET /
  = found Site PageController::index(): about

GET /fr/about
  locale > entry > table > spelling
  *GET /about, PUT /about, GET /
  = redirect: /about

GET /press
  locale > entry > entry > table > spelling
  *GET /, GET /{slug}
  = redirect: /fr/press

GET /en/press/x
  locale > entry > table > spelling
  *GET /{slug}, GET /
  = found Shop PageController::show("x"): en, Gate

GET /nothing
  locale > entry > table > entry
  GET /about, PUT /about, GET /
  = notFound

GET /%zz
  
  = badRequest

GET /
  locale > entry > table > spelling
  *GET /, GET /about, PUT /about
  = found Site PageController::other()

GET /en
  locale > entry > table > spelling
  *GET /, GET /about, PUT /about
  = redirect: /

GET /boutique
  locale > entry > resolver > table > resolver > convention > spelling
  9 more
  = redirect: /fr/boutique

GET /fr/boutique/%69tem/7
  locale > entry > resolver > table > spelling
  *GET /item/7, GET /item/{id}, GET /item/{slug}, POST /item/{slug}/buy, GET /{a}-{b}/pair, 4 more
  = redirect: /fr/boutique/item/7
`,
  )
})
