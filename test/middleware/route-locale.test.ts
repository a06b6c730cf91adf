import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { App, Controller, defineModule } from 'sallyport'
import { RouteLocale } from 'sallyport/middleware'
import { type Actions, param } from 'sallyport/routing'
import { TestClient } from 'sallyport/testing'

import { Faults } from '../app/fixture.ts'

class PageController extends Controller {
  static readonly actions: Actions<PageController> = {
    show: [param.string('locale')],
    optional: [param.string('locale').optional()],
    numbered: [param.int('locale')],
    other: [],
  }
  optional(locale?: string): object {
    return { argument: locale, locale: this.context.locale() }
  }
  numbered(locale: number): object {
    return { locale }
  }
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
        routes.get('/optional', [PageController, 'optional']).middleware(RouteLocale)
        routes.get('/numbered/{locale}', [PageController, 'numbered']).middleware(RouteLocale)
        routes
          .get({ en: '/english/{locale}', 'pt-br': '/portuguese/{locale}' }, [PageController, 'show'])
          .middleware(RouteLocale)
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
    ['/pt-br/page', 'pt-BR'],
    ['/PT-BR/page', 'pt-BR'],
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

  for (const [path, locale] of [
    ['/english/en', 'en'],
    ['/english/EN', 'en'],
    ['/portuguese/pt-br', 'pt-BR'],
    ['/portuguese/PT-br', 'pt-BR'],
  ] as const) {
    it(`accepts ${path}, whose value is the locale of the path in any letter case [HOLD-32]`, async () => {
      const response = await client().get(path)

      assert.equal(((await response.json()) as { locale: string }).locale, locale)
    })
  }

  it('no URL of a route with {locale} is a 500 [HOLD-32]', async () => {
    const faults = new Faults()
    const values = [
      'de',
      'fr',
      'en',
      'PT-BR',
      '5',
      '*',
      '%00',
      'a%2Fb',
      '%E2%84%AA',
      '__proto__',
      'x'.repeat(500),
    ]
    for (const begin of ['', '/english', '/portuguese', '/numbered', '/optional']) {
      for (const value of values) {
        const path = begin === '' ? `/${value}/page` : `${begin}/${value}`
        const { status } = await client(faults).get(path)
        assert.ok([200, 400, 404].includes(status), `${path}: ${status}`)
      }
    }
    for (const path of ['/english/de', '/english/fr', '/portuguese/en', '/numbered/5'])
      assert.equal((await client(faults).get(path)).status, 404)

    assert.deepEqual(faults.messages, [])
  })

  it('sets nothing where an optional {locale} is missing [HOLD-32]', async () => {
    const response = await client().get('/optional', { headers: { 'accept-language': 'en' } })

    assert.deepEqual(await response.json(), { locale: 'en' })
  })

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
