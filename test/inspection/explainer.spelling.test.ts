import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { type Actions, param, TrailingSlash } from 'sallyport/routing'

import { inspect, module, PageController, router, table } from '../routing/fixture.ts'
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

describe('Inspection.explain() with translated paths and without prefixes', () => {
  explains(
    router([untranslated], { locales: ['fr', 'en'], trailingSlash: TrailingSlash.Add }),
    `
GET /shop/livre/
  entry > table > spelling
  *GET /livre, GET /book
  = found Shop PageController::index(): fr

GET /shop/book
  entry > table > spelling
  *GET /book, GET /livre
  = redirect: /shop/book/

GET /Shop
  entry > table > convention > spelling
  GET /livre, GET /book
  = redirect: /shop/

GET /
  entry > entry
  = notFound

GET /other
  entry > entry
  = notFound

GET /shop/index/add/x/
  entry > table > convention > spelling
  GET /livre, GET /book
  = found Shop IndexController::add("x")

GET /shop/index/add/
  entry > table > convention
  GET /livre, GET /book
  = notFound

POST /shop/index/add/x/
  entry > table > convention
  GET /livre, GET /book
  = methodNotAllowed: GET, HEAD

GET /shop/index/index/
  entry > table > convention > spelling
  GET /livre, GET /book
  = redirect: /shop/

POST /shop/book/
  entry > table
  GET /book, GET /livre
  = methodNotAllowed: GET, HEAD
`,
  )
})

describe('Inspection.explain() of a home page in two languages', () => {
  const home = module('Site', { mount: '/', localized: true, controllers: [IndexController] })
  const policy = { locales: ['fr', 'en'], localePrefixes: true, trailingSlash: TrailingSlash.Preserve }
  explains(
    router([home], policy),
    `
GET /
  locale > entry > convention > spelling
  = found Site IndexController::index(): fr

GET /fr
  locale > entry > convention > spelling
  = redirect: /

GET /en/
  locale > entry > convention > spelling
  = found Site IndexController::index(): en

GET /en
  locale > entry > convention > spelling
  = found Site IndexController::index(): en

GET /add/x
  locale > entry > convention > convention
  = notFound

GET /fr/add/x
  locale > entry > convention
  = notFound

GET /index/add/x/
  locale > entry > convention > spelling
  = redirect: /fr/index/add/x/
`,
  )
})

describe('Inspection.explain() of a redirect', () => {
  const home = module('Site', { mount: '/', localized: true, controllers: [IndexController] })
  const shop = module('Shop', { localized: true, controllers: [IndexController] })
  const policy = { locales: ['fr', 'en'], localePrefixes: true }
  const explained = inspect(router([home, shop], { ...policy, trailingSlash: TrailingSlash.Remove }))
  const slashed = inspect(router([home, shop], { ...policy, trailingSlash: TrailingSlash.Add }))

  for (const [path, ...causes] of [
    ['/fr', 'home page'],
    ['/shop', 'locale prefix'],
    ['/fr/Shop', 'lower case'],
    ['/FR/shop', 'lower case'],
    ['/fr/shop/index', 'convention'],
    ['/fr/shop/', 'without a slash'],
    ['/fr/%73hop', 'escape'],
    ['/Shop/index/', 'locale prefix', 'convention', 'without a slash'],
  ] as const) {
    it(`names what is not canonical in ${path}: ${causes.join(', ')}`, async () => {
      const { steps } = await explained.explain('GET', path)
      const text = steps.find(({ kind }) => kind === 'spelling')?.text ?? ''

      for (const cause of ['home page', 'locale prefix', 'lower case', 'convention', 'slash', 'escape'])
        assert.equal(
          text.includes(cause),
          causes.some((each) => each.includes(cause)),
          `${cause} in ${text}`,
        )
    })
  }

  it('names a slash that is missing', async () => {
    const { steps } = await slashed.explain('GET', '/fr/shop')

    assert.match(steps.at(-1)?.text ?? '', /\/fr\/shop\/.* end with a slash/)
  })
})
