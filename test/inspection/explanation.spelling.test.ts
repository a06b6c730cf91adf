import { describe } from 'node:test'

import { type Actions, param, TrailingSlash } from 'sallyport/routing'

import { module, PageController, router, table } from '../routing/fixture.ts'
import { explains } from './transcript.ts'

class IndexController {
  static readonly actions: Actions<IndexController> = { index: [], add: [param.string('name')] }
  index(): void {}
  add(_name: string): void {}
}

const untranslated = module('Shop', {
  controllers: [IndexController],
  steps: [table((routes) => routes.get({ fr: '/livre', en: '/book' }, [PageController, 'index']))],
})

describe('RouteExplanation.toText() with translated paths and without prefixes', () => {
  explains(
    router([untranslated], { locales: ['fr', 'en'], trailingSlash: TrailingSlash.Add }),
    `
GET /shop/livre/
1. mount /shop of module "Shop"
2. table of module "Shop": found PageController::index
   → GET /livre (…): wins
   · GET /book (…): "livre" is not "book"
3. the URL is spelled canonically
= PageController::index() of module "Shop"
  locale: fr
  middlewares: none

GET /shop/book
1. mount /shop of module "Shop"
2. table of module "Shop": found PageController::index
   → GET /book (…): wins
   · GET /livre (…): "book" is not "livre"
3. the canonical spelling is /shop/book/: URLs end with a slash
= 308 redirect to /shop/book/

GET /Shop
1. mount /shop of module "Shop"
2. table of module "Shop": does not know it
   · GET /livre (…): goes on where the URL ends
   · GET /book (…): goes on where the URL ends
3. convention of module "Shop": found IndexController::index
4. the canonical spelling is /shop/: mounts and locales are written in lower case, URLs end with a slash
= 308 redirect to /shop/

GET /
1. no module is mounted on the root, no claim begins so, and no module owns the root
2. mounts and claims: /shop (module "Shop")
= 404, nothing answers

GET /other
1. no module is mounted on "/other", no claim begins so, and no module owns the root
2. mounts and claims: /shop (module "Shop")
= 404, nothing answers

GET /shop/index/add/x/
1. mount /shop of module "Shop"
2. table of module "Shop": does not know it
   · GET /livre (…): "index" is not "livre"
   · GET /book (…): "index" is not "book"
3. convention of module "Shop": found IndexController::add
4. the URL is spelled canonically
= IndexController::add("x") of module "Shop"
  middlewares: none

GET /shop/index/add/
1. mount /shop of module "Shop"
2. table of module "Shop": does not know it
   · GET /livre (…): "index" is not "livre"
   · GET /book (…): "index" is not "book"
3. convention of module "Shop": does not know it
= 404, nothing answers

POST /shop/index/add/x/
1. mount /shop of module "Shop"
2. table of module "Shop": does not know it
   · GET /livre (…): "index" is not "livre"
   · GET /book (…): "index" is not "book"
3. convention of module "Shop": knows it for GET, HEAD only
= 405, allowed: GET, HEAD

GET /shop/index/index/
1. mount /shop of module "Shop"
2. table of module "Shop": does not know it
   · GET /livre (…): "index" is not "livre"
   · GET /book (…): "index" is not "book"
3. convention of module "Shop": found IndexController::index
4. the canonical spelling is /shop/: the convention spells controller and action otherwise
= 308 redirect to /shop/

POST /shop/book/
1. mount /shop of module "Shop"
2. table of module "Shop": knows it for GET, HEAD only
   · GET /book (…): answers GET, not POST
   · GET /livre (…): "book" is not "livre"
= 405, allowed: GET, HEAD
`,
  )
})

describe('RouteExplanation.toText() of a home page in two languages', () => {
  const home = module('Site', { mount: '/', localized: true, controllers: [IndexController] })
  const policy = { locales: ['fr', 'en'], localePrefixes: true, trailingSlash: TrailingSlash.Preserve }
  explains(
    router([home], policy),
    `
GET /
1. locale: "/" answers for fr, the default locale, without prefix
2. the root of module "Site"
3. convention of module "Site": found IndexController::index
4. the URL is spelled canonically
= IndexController::index() of module "Site"
  locale: fr
  middlewares: none

GET /fr
1. locale: fr, by the prefix
2. the root of module "Site"
3. convention of module "Site": found IndexController::index
4. the canonical spelling is /: the home page of the default locale has no prefix
= 308 redirect to /

GET /en/
1. locale: en, by the prefix
2. the root of module "Site"
3. convention of module "Site": found IndexController::index
4. the URL is spelled canonically
= IndexController::index() of module "Site"
  locale: en
  middlewares: none

GET /en
1. locale: en, by the prefix
2. the root of module "Site"
3. convention of module "Site": found IndexController::index
4. the URL is spelled canonically
= IndexController::index() of module "Site"
  locale: en
  middlewares: none

GET /add/x
1. locale: no prefix; tried in order: fr, en
2. the root of module "Site"
3. convention of module "Site": does not know it
4. convention of module "Site": does not know it
= 404, nothing answers

GET /fr/add/x
1. locale: fr, by the prefix
2. the root of module "Site"
3. convention of module "Site": does not know it
= 404, nothing answers

GET /index/add/x/
1. locale: no prefix; tried in order: fr, en
2. the root of module "Site"
3. convention of module "Site": found IndexController::add
4. the canonical spelling is /fr/index/add/x/: the locale prefix is missing or one too many
= 308 redirect to /fr/index/add/x/
`,
  )
})
