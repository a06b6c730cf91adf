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

describe('RouteExplanation.toText() of a shop in two languages', () => {
  const policy = { locales: ['fr', 'en'], localePrefixes: true, trailingSlash: TrailingSlash.Remove }
  explains(
    router([shop, root], policy),
    `
GET /fr/boutique/item/7
1. locale: fr, by the prefix
2. mount /fr/boutique of module "Shop"
3. resolver Chooser of module "Shop": does not know it
4. table of module "Shop": found PageController::other
   → GET /item/7 (…): wins
   · GET /item/{id} (…): fits too, but is less specific
   · GET /item/{slug} (…): fits too, but has priority -1, the winner 0
   · POST /item/{slug}/buy (…): goes on where the URL ends
   · GET /{a}-{b}/pair (…): "7" is not "pair"
   · 4 more: further from the URL
5. the URL is spelled canonically
= PageController::other() of module "Shop"
  locale: fr
  middlewares: Gate

GET /fr/boutique/item/9
1. locale: fr, by the prefix
2. mount /fr/boutique of module "Shop"
3. resolver Chooser of module "Shop": does not know it
4. table of module "Shop": found PageController::item
   → GET /item/{id} (…): wins
   · GET /item/{slug} (…): fits too, but has priority -1, the winner 0
   · POST /item/{slug}/buy (…): goes on where the URL ends
   · GET /item/7 (…): "9" is not "7"
   · GET /{a}-{b}/pair (…): "9" is not "pair"
   · 4 more: further from the URL
5. the URL is spelled canonically
= PageController::item(9) of module "Shop"
  name: item
  locale: fr
  middlewares: Gate

POST /fr/boutique/item/9/buy
1. locale: fr, by the prefix
2. mount /fr/boutique of module "Shop"
3. resolver Chooser of module "Shop": does not know it
4. table of module "Shop": found PageController::show
   → POST /item/{slug}/buy (…): wins
   · GET /item/{id} (…): ends where the URL goes on with "/buy"
   · GET /item/{slug} (…): ends where the URL goes on with "/buy"
   · GET /item/7 (…): "9" is not "7"
   · GET /{a}-{b}/pair (…): "9" is not "pair"
   · 4 more: further from the URL
5. the URL is spelled canonically
= PageController::show("9") of module "Shop"
  locale: fr
  middlewares: Gate

GET /en/shop/item/9/buy
1. locale: en, by the prefix
2. mount /en/shop of module "Shop"
3. resolver Chooser of module "Shop": does not know it
4. table of module "Shop": knows it for POST only
   · POST /item/{slug}/buy (…): answers POST, not GET
   · GET /item/{id} (…): ends where the URL goes on with "/buy"
   · GET /item/{slug} (…): ends where the URL goes on with "/buy"
   · GET /item/7 (…): "9" is not "7"
   · GET /{a}-{b}/pair (…): "9" is not "pair"
   · 4 more: further from the URL
= 405, allowed: POST

GET /FR/Boutique/item/7/
1. locale: fr, by the prefix
2. mount /fr/boutique of module "Shop"
3. resolver Chooser of module "Shop": does not know it
4. table of module "Shop": found PageController::other
   → GET /item/7 (…): wins
   · GET /item/{id} (…): fits too, but is less specific
   · GET /item/{slug} (…): fits too, but has priority -1, the winner 0
   · POST /item/{slug}/buy (…): goes on where the URL ends
   · GET /{a}-{b}/pair (…): "7" is not "pair"
   · 4 more: further from the URL
5. the canonical spelling is /fr/boutique/item/7: mounts and locales are written in lower case, URLs end without a slash
= 308 redirect to /fr/boutique/item/7

GET /en/shop/book/x
1. locale: en, by the prefix
2. mount /en/shop of module "Shop"
3. resolver Chooser of module "Shop": does not know it
4. table of module "Shop": found PageController::show
   → GET /book/{slug} (…): wins
   · GET /{a}-{b}/pair (…): "x" is not "pair"
   · 7 more: further from the URL
5. the URL is spelled canonically
= PageController::show("x") of module "Shop"
  name: book
  locale: en
  middlewares: Gate

GET /en/shop/livre/x
1. locale: en, by the prefix
2. mount /en/shop of module "Shop"
3. resolver Chooser of module "Shop": does not know it
4. table of module "Shop": does not know it
   · GET /{a}-{b}/pair (…): "x" is not "pair"
   · 8 more: further from the URL
5. resolver Finder of module "Shop": does not know it
6. convention of module "Shop": does not know it
= 404, nothing answers

GET /en/shop/feed.xml
1. locale: en, by the prefix
2. mount /en/shop of module "Shop"
3. resolver Chooser of module "Shop": does not know it
4. table of module "Shop": found PageController::show
   → GET /feed.{slug} (…): wins
   · GET /{a}-{b}/pair (…): goes on where the URL ends
   · 7 more: further from the URL
5. the URL is spelled canonically
= PageController::show("xml") of module "Shop"
  locale: en
  middlewares: Gate

GET /en/shop/feedxml
1. locale: en, by the prefix
2. mount /en/shop of module "Shop"
3. resolver Chooser of module "Shop": does not know it
4. table of module "Shop": does not know it
   · GET /{a}-{b}/pair (…): goes on where the URL ends
   · 8 more: further from the URL
5. resolver Finder of module "Shop": does not know it
6. convention of module "Shop": does not know it
= 404, nothing answers

GET /en/shop/files/a/b
1. locale: en, by the prefix
2. mount /en/shop of module "Shop"
3. resolver Chooser of module "Shop": does not know it
4. table of module "Shop": found PageController::file
   → GET /files/{path} (…): wins
   · GET /{a}-{b}/pair (…): "a" is not "pair"
   · 7 more: further from the URL
5. the URL is spelled canonically
= PageController::file("a/b") of module "Shop"
  locale: en
  middlewares: Gate

GET /en/shop/files/A
1. locale: en, by the prefix
2. mount /en/shop of module "Shop"
3. resolver Chooser of module "Shop": does not know it
4. table of module "Shop": does not know it
   · GET /files/{path} (…): "A" does not match where("path", "[a-z/]+")
   · GET /{a}-{b}/pair (…): "A" is not "pair"
   · 7 more: further from the URL
5. resolver Finder of module "Shop": does not know it
6. convention of module "Shop": does not know it
= 404, nothing answers

GET /en/shop/item/abc
1. locale: en, by the prefix
2. mount /en/shop of module "Shop"
3. resolver Chooser of module "Shop": does not know it
4. table of module "Shop": does not know it
   · GET /item/{id} (…): "abc" is no int, as "id" is to be
   · POST /item/{slug}/buy (…): goes on where the URL ends
   · GET /item/7 (…): "abc" is not "7"
   · GET /item/{slug} (…): "abc" does not match where("slug", "[0-9]+")
   · GET /{a}-{b}/pair (…): "abc" is not "pair"
   · 4 more: further from the URL
5. resolver Finder of module "Shop": does not know it
6. convention of module "Shop": does not know it
= 404, nothing answers

GET /en/shop/a-b/pair
1. locale: en, by the prefix
2. mount /en/shop of module "Shop"
3. resolver Chooser of module "Shop": does not know it
4. table of module "Shop": found PageController::pair
   → GET /{a}-{b}/pair (…): wins
   · 8 more: further from the URL
5. the URL is spelled canonically
= PageController::pair("a", "b") of module "Shop"
  locale: en
  middlewares: Gate → Inner

GET /en/shop/chosen
1. locale: en, by the prefix
2. mount /en/shop of module "Shop"
3. resolver Chooser of module "Shop": found IndexController::add
4. the URL is spelled canonically
= IndexController::add("x") of module "Shop"
  locale: en
  middlewares: Gate

DELETE /about
1. locale: none: the module is not localized
2. the root of module "Site"
3. table of module "Site": knows it for GET, HEAD, PUT only
   · GET /about (…): answers GET, not DELETE
   · PUT /about (…): answers PUT, not DELETE
   · GET / (…): ends where the URL goes on with "/about"
= 405, allowed: GET, HEAD, PUT

GET /about
1. locale: none: the module is not localized
2. the root of module "Site"
3. table of module "Site": found PageController::index
   → GET /about (…): wins
   · PUT /about (…): answers PUT, not GET
   · GET / (…): ends where the URL goes on with "/about"
4. the URL is spelled canonically
= PageController::index() of module "Site"
  name: about
  middlewares: none

GET /fr/about
1. locale: none: the module is not localized
2. the root of module "Site"
3. table of module "Site": found PageController::index
   → GET /about (…): wins
   · PUT /about (…): answers PUT, not GET
   · GET / (…): ends where the URL goes on with "/about"
4. the canonical spelling is /about: the locale prefix is missing or one too many
= 308 redirect to /about

GET /press
1. locale: no prefix; tried in order: fr, en
2. claim /fr/press of module "Shop"
3. claim /en/press of module "Shop"
4. table of claim "/press" of module "Shop": found PageController::index
   → GET / (…): wins
   · GET /{slug} (…): goes on where the URL ends
5. the canonical spelling is /fr/press: the locale prefix is missing or one too many
= 308 redirect to /fr/press

GET /en/press/x
1. locale: en, by the prefix
2. claim /en/press of module "Shop"
3. table of claim "/press" of module "Shop": found PageController::show
   → GET /{slug} (…): wins
   · GET / (…): ends where the URL goes on with "/x"
4. the URL is spelled canonically
= PageController::show("x") of module "Shop"
  locale: en
  middlewares: Gate

GET /nothing
1. locale: none: the module is not localized
2. the root of module "Site"
3. table of module "Site": does not know it
   · GET /about (…): "nothing" is not "about"
   · PUT /about (…): "nothing" is not "about"
   · GET / (…): ends where the URL goes on with "/nothing"
4. mounts and claims: /fr/boutique (module "Shop"), /en/shop (module "Shop"), /fr/press (module "Shop"), /en/press (module "Shop")
= 404, nothing answers

GET /%zz
= 400, the path cannot be decoded, holds a control character or is too long

GET /
1. locale: none: the module is not localized
2. the root of module "Site"
3. table of module "Site": found PageController::other
   → GET / (…): wins
   · GET /about (…): goes on where the URL ends
   · PUT /about (…): goes on where the URL ends
4. the URL is spelled canonically
= PageController::other() of module "Site"
  middlewares: none

GET /en
1. locale: none: the module is not localized
2. the root of module "Site"
3. table of module "Site": found PageController::other
   → GET / (…): wins
   · GET /about (…): goes on where the URL ends
   · PUT /about (…): goes on where the URL ends
4. the canonical spelling is /: the home page of the default locale has no prefix
= 308 redirect to /

GET /boutique
1. locale: no prefix; tried in order: fr
2. mount /fr/boutique of module "Shop"
3. resolver Chooser of module "Shop": does not know it
4. table of module "Shop": does not know it
   · 9 more: further from the URL
5. resolver Finder of module "Shop": does not know it
6. convention of module "Shop": found IndexController::index
7. the canonical spelling is /fr/boutique: the locale prefix is missing or one too many
= 308 redirect to /fr/boutique

GET /fr/boutique/%69tem/7
1. locale: fr, by the prefix
2. mount /fr/boutique of module "Shop"
3. resolver Chooser of module "Shop": does not know it
4. table of module "Shop": found PageController::other
   → GET /item/7 (…): wins
   · GET /item/{id} (…): fits too, but is less specific
   · GET /item/{slug} (…): fits too, but has priority -1, the winner 0
   · POST /item/{slug}/buy (…): goes on where the URL ends
   · GET /{a}-{b}/pair (…): "7" is not "pair"
   · 4 more: further from the URL
5. the canonical spelling is /fr/boutique/item/7: an escape is needless or in small letters
= 308 redirect to /fr/boutique/item/7
`,
  )
})
