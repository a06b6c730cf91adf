import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { App, Controller, defineModule, type HttpContext, inject, type Module } from 'sallyport'
import type { Middleware, Next } from 'sallyport/http'
import { RouteLocale } from 'sallyport/middleware'
import {
  type Actions,
  param,
  type RouteRequest,
  type RoutingException,
  TrailingSlash,
} from 'sallyport/routing'
import { TestClient } from 'sallyport/testing'
import { ViewEngine } from 'sallyport/view'

/** A service that a controller asks for. */
class EmptyController {
  static readonly actions = { index: [] } satisfies Actions<EmptyController>
  index(): void {}
}

class Greeting {
  readonly text: string

  constructor(text = 'Hello') {
    this.text = text
  }
}

/** Sets the locale of every request, as a preference of the user would. */
class PreferEnglish implements Middleware {
  process(context: HttpContext, next: Next): Promise<Response> {
    context.useLocale('en')
    return next()
  }
}

/** Shows the data that a template sees, as JSON. */
class DataEngine extends ViewEngine {
  override async render(_template: string, data: Readonly<Record<string, unknown>>): Promise<string> {
    const { $url, $i18n, mine } = data as {
      $url: (name: string, params?: Record<string, string>) => string
      $i18n: { locale: string; t: (id: string) => string }
      mine: unknown
    }
    return JSON.stringify({ url: $url('shop:product', { slug: 'a b' }), locale: $i18n.locale, mine })
  }
}

class PageController extends Controller {
  static readonly actions: Actions<PageController> = {
    product: [param.string('slug')],
    links: [],
    away: [],
    awayForGood: [],
    page: [],
    greet: [],
    locale: [],
    inLocale: [param.string('locale')],
  }

  readonly #greeting = inject(Greeting)

  product(slug: string): object {
    return { slug, locale: this.context.locale() }
  }

  links(): object {
    const router = this.context
    return {
      route: router.url('shop:product', { slug: 'x' }),
      action: router.urlFor([PageController, 'greet']),
    }
  }

  away(): Response {
    return this.redirectToRoute('shop:product', { slug: 'x' })
  }

  awayForGood(): Response {
    return this.redirectToRoute('shop:product', { slug: 'x' }, 308)
  }

  page(): unknown {
    return this.view('page', { $url: 'taken', $i18n: 'taken', mine: 1 })
  }

  greet(): object {
    return { text: this.#greeting.text }
  }

  locale(): object {
    return { locale: this.context.locale() }
  }

  inLocale(locale: string): object {
    return { argument: locale, locale: this.context.locale() }
  }
}

const shop = defineModule('Shop', (module) =>
  module
    .mount({ fr: 'boutique', en: 'shop' })
    .localized()
    .controllers(PageController)
    .routes((routes) => {
      routes
        .get({ fr: '/produit/{slug}', en: '/product/{slug}' }, [PageController, 'product'])
        .name('product')
      routes.get('/links', [PageController, 'links'])
      routes.get('/away', [PageController, 'away'])
      routes.get('/away-for-good', [PageController, 'awayForGood'])
      routes.get('/page', [PageController, 'page'])
    }),
)

const plain = defineModule('Plain', (module) =>
  module.mount('plain').routes((routes) => {
    routes.get('/here', [PageController, 'locale'])
  }),
)

const localized = (): App => App.default({ locales: ['fr', 'en'] }).modules(shop)

const locationOf = (response: Response): [number, string | null] => [
  response.status,
  response.headers.get('location'),
]

describe('App, profiles of URLs', () => {
  it('create() keeps slashes unchanged and adds no locale prefix [ROUTE-07 ROUTE-08]', async () => {
    const client = new TestClient(App.create({ locales: ['fr', 'en'] }).modules(plain))

    assert.equal((await client.get('/plain/here')).status, 200)
    assert.equal((await client.get('/plain/here/')).status, 200)
    assert.equal((await client.get('/fr/plain/here')).status, 404)
  })

  it('default() removes slashes and adds locale prefixes [ROUTE-09]', async () => {
    const client = new TestClient(localized())

    assert.equal((await client.get('/fr/boutique/links')).status, 200)
    assert.deepEqual(locationOf(await client.get('/fr/boutique/links/')), [308, '/fr/boutique/links'])
    assert.deepEqual(locationOf(await client.get('/boutique/links')), [308, '/fr/boutique/links'])
  })

  it('routing() changes the parts that it names and no other, in any order [HOLD-45]', async () => {
    const paths = (app: App): string => app.router().url('blog:index', {}, 'en')
    const make = (app: App): Promise<App> =>
      app
        .locales(['fr', 'en'])
        .modules(
          defineModule('Blog', (module) =>
            module.localized().routes((routes) => {
              routes.get('/posts', [EmptyController, 'index']).name('index')
            }),
          ),
        )
        .boot()

    assert.deepEqual(
      await Promise.all(
        [
          App.default(),
          App.default().routing(TrailingSlash.Add),
          App.default().routing({ trailingSlash: TrailingSlash.Add }),
          App.default().routing({}),
          App.default().routing(TrailingSlash.Add, false),
          App.default().routing({ localePrefixes: false }),
          App.create().routing({ localePrefixes: true }).routing(TrailingSlash.Add),
          App.create().routing(TrailingSlash.Add).routing({ localePrefixes: true }),
        ].map((app) => make(app).then(paths, (refused: RoutingException) => refused.code)),
      ),
      [
        '/en/blog/posts',
        '/en/blog/posts/',
        '/en/blog/posts/',
        '/en/blog/posts',
        'locale-prefixes-disabled',
        'locale-prefixes-disabled',
        '/en/blog/posts/',
        '/en/blog/posts/',
      ],
    )
  })

  it('routing() sets the policy and the prefixes [ROUTE-06 ROUTE-10 ROUTE-33]', async () => {
    const added = new TestClient(localized().routing(TrailingSlash.Add, true))
    const removed = new TestClient(App.create().routing(TrailingSlash.Remove).modules(plain))
    const named = new TestClient(
      App.create().routing({ trailingSlash: TrailingSlash.Preserve }).modules(plain),
    )

    assert.deepEqual(locationOf(await added.get('/boutique/links')), [308, '/fr/boutique/links/'])
    assert.deepEqual(locationOf(await removed.get('/plain/here/')), [308, '/plain/here'])
    assert.equal((await named.get('/plain/here/')).status, 200)
    assert.deepEqual(Object.keys(TrailingSlash).sort(), ['Add', 'Preserve', 'Remove'])
  })

  it('keeps the query byte for byte in a redirect [SLASH-03]', async () => {
    const client = new TestClient(localized().routing(TrailingSlash.Add, true))

    const response = await client.get('/fr/boutique/links?a=%2F%2f&b&c=+%20&&=')

    assert.deepEqual(locationOf(response), [308, '/fr/boutique/links/?a=%2F%2f&b&c=+%20&&='])
    assert.equal(response.headers.get('cache-control'), 'no-cache')
  })

  it('is locked by boot() [ROUTE-06 ROUTE-11]', async () => {
    const app = await App.create().boot()

    assert.throws(() => app.routing(TrailingSlash.Add), /booted/)
    assert.throws(() => app.configure(() => undefined), /booted/)
    assert.throws(() => app.modules(plain), /booted/)
  })
})

describe('App, services of controllers', () => {
  it('a controller receives what configure() registers [ROUTE-11 CONV-27]', async () => {
    const app = localized().configure((definitions) => definitions.set(Greeting, new Greeting('Salut')))

    const response = await new TestClient(app).get('/fr/boutique/page/greet')

    assert.deepEqual(await response.json(), { text: 'Salut' })
  })

  it('a controller receives a service that is not registered [CONV-27]', async () => {
    const response = await new TestClient(localized()).get('/en/shop/page/greet')

    assert.deepEqual(await response.json(), { text: 'Hello' })
  })
})

describe('App, locales of routes', () => {
  it('the locale of the path takes precedence over a middleware and the browser [TABLE-06 LOC-14 LOC-15]', async () => {
    const app = localized()
    app.middleware().incoming(PreferEnglish)
    const headers = { 'accept-language': 'en' }

    const response = await new TestClient(app).get('/fr/boutique/produit/x', { headers })
    const english = await new TestClient(app).get('/en/shop/product/x')

    assert.deepEqual(await response.json(), { slug: 'x', locale: 'fr' })
    assert.deepEqual(await english.json(), { slug: 'x', locale: 'en' })
  })

  it('an error of a URL without a route is in the locale that the URL begins with [LOC-14 LOC-15]', async () => {
    const seen: string[] = []
    const app = localized()
      .limits({ bodyBytes: 10 })
      .errors({
        render: (failure, context) => {
          seen.push(`${failure.status} ${failure.locale} ${context.hasLocale()}`)
          return null
        },
      })
    app.middleware().incoming(PreferEnglish)
    const client = new TestClient(app)
    const headers = { 'accept-language': 'en' }

    const missing = await client.get('/fr/rien', { headers })
    await client.get('/FR/boutique/rien', { headers })
    await client.request('DELETE', '/fr/boutique/produit/x', { headers })
    await client.post('/fr/boutique/produit/x', { headers, body: 'x'.repeat(11) })
    await client.get('/fr/%zz', { headers })
    await client.get('/rien', { headers: { 'accept-language': 'fr' } })

    assert.deepEqual(seen, [
      '404 fr true',
      '404 fr true',
      '405 fr true',
      '413 fr true',
      '400 fr true',
      '404 en true',
    ])
    assert.equal(missing.headers.get('vary'), 'Accept')
  })

  it('with prefixes off, an error is in no locale that the URL seems to begin with [LOC-03]', async () => {
    const app = App.create({ locales: ['fr', 'en'] }).errors({
      render: ({ locale }) => new Response(locale, { status: 404 }),
    })

    const missing = await new TestClient(app).get('/fr/rien', { headers: { 'accept-language': 'en' } })

    assert.equal(await missing.text(), 'en')
  })

  it('RouteLocale takes the locale from a placeholder, which stays an argument [LOC-19 LOC-20 LOC-21]', async () => {
    const guide = defineModule('Guide', (module) =>
      module.mount('/').routes((routes) => {
        routes.get('/{locale}/guide', [PageController, 'inLocale']).middleware(RouteLocale)
      }),
    )
    const client = new TestClient(App.create({ locales: ['fr', 'en'] }).modules(guide))

    const french = await client.get('/fr/guide', { headers: { 'accept-language': 'en' } })
    const unsupported = await client.get('/de/guide')

    assert.deepEqual(await french.json(), { argument: 'fr', locale: 'fr' })
    assert.equal(unsupported.status, 404)
  })
})

class LocaleController extends Controller {
  static readonly actions = { index: [], show: [param.string('locale')] } satisfies Actions<LocaleController>
  index(): object {
    const locale = this.context.locale()
    return { locale, url: this.context.url('site:home', {}, locale) }
  }
  show(_locale: string): object {
    return this.index()
  }
}

describe('App, one spelling for one locale', () => {
  const french = { 'accept-language': 'fr-be' }

  function application(): App {
    const site = defineModule('Site', (module) =>
      module
        .mount('/')
        .localized()
        .withoutConventionRouting()
        .routes((routes) => routes.get('/', [LocaleController, 'index']).name('home')),
    )
    const plain = defineModule('Plain', (module) =>
      module
        .controllers(LocaleController)
        .withoutConventionRouting()
        .routes((routes) => {
          routes.get('/negotiated', [LocaleController, 'index'])
          routes.get('/chosen/{locale}', [LocaleController, 'show']).middleware(RouteLocale)
        })
        .resolver({
          resolve: (request: RouteRequest) => {
            const [first, locale = ''] = request.segments
            return first === 'imposed' ? request.route(LocaleController, 'index', { locale }) : null
          },
        }),
    )
    return App.default({ locales: ['en', 'fr-BE', 'tl'] }).modules(site, plain)
  }

  it('is the declared one, from a prefix, a placeholder, a resolver, a middleware and the browser [HOLD-31]', async () => {
    const app = application()
    app
      .middleware()
      .incoming(
        { process: (context: HttpContext, next: Next) => (context.useLocale('FR-be'), next()) },
        { when: (context) => context.query() === 'set' },
      )
    const client = new TestClient(app)
    const paths = ['/fr-be', '/plain/negotiated', '/plain/chosen/fr-BE', '/plain/chosen/FR-BE']
    for (const path of [...paths, '/plain/imposed/fr-BE', '/plain/imposed/FR-be', '/plain/negotiated?set'])
      assert.deepEqual(await (await client.get(path, { headers: french })).json(), {
        locale: 'fr-BE',
        url: '/fr-be',
      })
  })

  it('is never one that is not declared [HOLD-31]', async () => {
    const client = new TestClient(application())
    const get = async (path: string, language: string): Promise<unknown> =>
      (await client.get(path, { headers: { 'accept-language': language } })).json()

    assert.deepEqual(await get('/plain/negotiated', 'fil'), { locale: 'tl', url: '/tl' })
    assert.deepEqual(await get('/plain/imposed/de', 'fr-BE'), { locale: 'en', url: '/' })
  })

  it('the home page of a localized module is in the default locale, whatever the browser prefers [HOLD-30]', async () => {
    const client = new TestClient(application())

    assert.deepEqual(await (await client.get('/', { headers: french })).json(), { locale: 'en', url: '/' })
    assert.equal((await client.get('/en')).headers.get('location'), '/')
  })
})

describe('App, URLs in contexts, redirects and templates', () => {
  it('url() and urlFor() of a context use the locale of the request [URL-05 TABLE-08]', async () => {
    const app = localized()
    const client = new TestClient(app)

    const french = await (await client.get('/fr/boutique/links')).json()
    const english: unknown = await (await client.get('/en/shop/links')).json()

    assert.deepEqual(french, { route: '/fr/boutique/produit/x', action: '/fr/boutique/page/greet' })
    assert.deepEqual(english, {
      route: app.router().url('shop:product', { slug: 'x' }, 'en'),
      action: app.router().urlFor([PageController, 'greet'], [], 'en'),
    })
  })

  it('redirectToRoute() responds with 303 by default, in the locale of the request [URL-06]', async () => {
    const client = new TestClient(localized())

    assert.deepEqual(locationOf(await client.get('/fr/boutique/away')), [303, '/fr/boutique/produit/x'])
    assert.deepEqual(locationOf(await client.get('/en/shop/away-for-good')), [308, '/en/shop/product/x'])
  })

  it('a template generates with $url, whatever the view calls its own data [URL-07 URL-08]', async () => {
    const app = localized().configure((definitions) => definitions.set(ViewEngine, new DataEngine()))

    const page = await (await new TestClient(app).get('/en/shop/page')).text()

    assert.deepEqual(JSON.parse(page), { url: '/en/shop/product/a%20b', locale: 'en', mine: 1 })
  })

  it('refuses a controller that a module lists twice, by its name and place [HOLD-35]', async () => {
    for (const twice of [
      (module: Module) => module.controllers(PageController, LocaleController, PageController),
      (module: Module) => module.controllers(PageController).controllers(PageController),
    ])
      await assert.rejects(
        async () => App.create().modules(defineModule('Site', twice)).boot(),
        /^TypeError: Cannot configure module "Site".*Cannot list class PageController twice: .*\(.*app\.routing\.test\.ts:\d+\)$/,
      )
    const shared = ['One', 'Two'].map((name) =>
      defineModule(name, (module) => module.controllers(PageController)),
    )
    await App.create()
      .modules(...shared)
      .boot()
  })
})
