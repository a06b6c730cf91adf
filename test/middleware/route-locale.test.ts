import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { App, Controller, defineModule } from 'sallyport'
import { RouteLocale } from 'sallyport/middleware'
import { type Actions, param } from 'sallyport/routing'
import { TestClient } from 'sallyport/testing'

import { Faults } from '../app/fixture.ts'

class PageController extends Controller {
  static readonly actions: Actions<PageController> = { show: [param.string('locale')], other: [] }
  show(locale: string): object {
    return { argument: locale, locale: this.context.locale(), set: this.context.hasLocale() }
  }
  other(): string {
    return this.context.locale()
  }
}

function client(faults: Faults = new Faults()): TestClient {
  const root = defineModule('Site', (module) =>
    module
      .mount('/')
      .withoutConventionRouting()
      .routes((routes) => {
        routes.get('/{locale}/page', [PageController, 'show']).middleware(RouteLocale)
        routes.get('/no-placeholder', [PageController, 'other']).middleware(RouteLocale)
        routes.get('/plain/{locale}', [PageController, 'show'])
      }),
  )
  const app = App.create({ locales: ['fr', 'en', 'pt-BR'] }).modules(root)
  faults.listen(app)
  return new TestClient(app)
}

describe('RouteLocale', () => {
  for (const [path, locale] of [
    ['/fr/page', 'fr'],
    ['/en/page', 'en'],
    ['/pt-br/page', 'pt-br'],
  ] as const) {
    it(`sets ${locale} for ${path}; the placeholder stays an ordinary argument`, async () => {
      const response = await client().get(path, { headers: { 'accept-language': 'fr' } })

      assert.deepEqual(await response.json(), { argument: path.split('/')[1], locale, set: true })
    })
  }

  for (const path of ['/de/page', '/frr/page', '/__proto__/page', '/*/page']) {
    it(`answers 404 to ${path}`, async () => {
      assert.equal((await client().get(path)).status, 404)
    })
  }

  it('is a programming error on a route without {locale}', async () => {
    const faults = new Faults()

    assert.equal((await client(faults).get('/no-placeholder')).status, 500)
    assert.match(faults.messages[0] ?? '', /\{locale\}/)
  })

  it('reserves {locale} nowhere else', async () => {
    const response = await client().get('/plain/de', { headers: { 'accept-language': 'en' } })

    assert.deepEqual(await response.json(), { argument: 'de', locale: 'en', set: false })
  })
})
