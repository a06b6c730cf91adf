import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { App, Controller, defineModule } from 'sallyport'
import { param } from 'sallyport/routing'
import { TestClient } from 'sallyport/testing'

class PageController extends Controller {
  static readonly actions = {
    index: [],
    show: [param.string('slug')],
    list: [param.int('page').optional()],
    tags: [param.rest(param.string('tag'))],
    chosen: [],
    own: [],
  }
  #pattern(): string {
    return this.context.route().pattern
  }
  index() {
    return this.#pattern()
  }
  show(_slug: string) {
    return this.#pattern()
  }
  list(_page?: number) {
    return this.#pattern()
  }
  tags(..._tags: string[]) {
    return this.#pattern()
  }
  chosen() {
    return this.#pattern()
  }
  own() {
    return this.#pattern()
  }
}

describe('Route.pattern', () => {
  it('is the pattern of the URL as it is listed, for each locale [PAGE-16]', async () => {
    const shop = defineModule('Shop', (module) =>
      module
        .mount({ fr: 'boutique', en: 'shop' })
        .localized()
        .controllers(PageController)
        .routes((routes) => {
          routes.get('/', [PageController, 'index'])
          routes
            .get({ fr: '/produit/{slug}', en: '/product/{slug}' }, [PageController, 'show'])
            .where('slug', '[a-z]+')
        })
        .claim('/news', (routes) => routes.get('/own', [PageController, 'own'])),
    )
    const pages = defineModule('Pages', (module) =>
      module
        .withoutConventionRouting()
        .resolver({ resolve: (request) => request.route(PageController, 'chosen', { bindings: { a: {} } }) }),
    )
    const app = App.default({ locales: ['fr', 'en'] }).modules(shop, pages)
    const client = new TestClient(app)
    const labels: [string, string][] = [
      ['/fr/boutique/produit/the', '/fr/boutique/produit/{slug}'],
      ['/en/shop/product/tea', '/en/shop/product/{slug}'],
      ['/en/shop', '/en/shop'],
      ['/fr/news/own', '/fr/news/own'],
      ['/en/shop/page/list/2', '/en/shop/page/list/{page?}'],
      ['/en/shop/page/list', '/en/shop/page/list/{page?}'],
      ['/fr/boutique/page/tags/a/b', '/fr/boutique/page/tags/{...tag}'],
      ['/pages/any/thing', '/pages/*'],
    ]

    for (const [url, label] of labels) assert.equal(await (await client.get(url)).text(), label, url)
    const listed = (await app.inspection()).routes().flatMap(({ paths }) => paths.map(({ path }) => path))
    for (const [, label] of labels) assert.ok(listed.includes(label), label)
  })
})
