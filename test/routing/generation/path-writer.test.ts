import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type Actions, param, parameterType, type UrlParams } from 'sallyport/routing'
import { ask, claim, fails, module, PageController, router, site, table } from '../fixture.ts'

const day = parameterType({
  name: 'day',
  pattern: '[0-9]{4}-[0-9]{2}-[0-9]{2}',
  parse: (text) => (Number.isNaN(Date.parse(text)) ? undefined : new Date(text)),
  format: (date) => date.toISOString().slice(0, 10),
})

const SLUGS = ['x', 'green-tea', 'a/b', 'é', '%41', '...', '~', '😀', 'a+b', "it's", '-1', 'constructor']

class DayController {
  static readonly actions: Actions<DayController> = {
    day: [param.of(day, 'day')],
    days: [param.string('name'), param.of(day, 'day'), param.rest(param.of(day, 'others'))],
  }
  day(_day: Date): void {}
  days(_name: string, _day: Date, ..._others: Date[]): void {}
}

const app = router([
  module('Site', {
    mount: '/',
    convention: false,
    steps: [
      table((routes) => {
        routes.get('/about', [PageController, 'index']).name('about')
        routes.get('/{slug}', [PageController, 'show']).name('page')
        routes.get('/{slug}/edit', [PageController, 'edit']).name('edit')
        routes.post('/posted', [PageController, 'save'])
        routes.get('/{slug}.json', [PageController, 'show'])
        routes.get('/{a}/{b}', [PageController, 'pair']).name('pair')
        routes.get('/n/{id}', [PageController, 'item']).name('item')
        routes.get('/d/{day}', [DayController, 'day']).name('day')
        routes.get('/days/{name}.{day}/{others}', [DayController, 'days']).where('others', '.*').name('days')
        routes.get('/joined/{a}-to-{b}', [PageController, 'pair']).name('joined')
        routes.get('/part/v{slug}', [PageController, 'show']).name('part')
        routes.get('/part/vnew', [PageController, 'index'])
        routes.get('/few/{slug}', [PageController, 'show']).where('slug', '[a-c]+').name('few')
        routes.get('/few/abc', [PageController, 'index'])
      }),
    ],
  }),
  module('Shop', { steps: [claim('/news/today', () => undefined)] }),
])

function twice(name: string, params: UrlParams): string {
  const url = app.url(name, params)
  assert.equal(app.url(name, params), url)
  return url
}

describe('the URLs of a route that was asked for before', () => {
  it('each still reaches its route with its value [URL-14]', () => {
    for (const slug of SLUGS) {
      const expected = JSON.stringify(slug)
      assert.equal(ask(app, twice('page', { slug })), `Site PageController.show(${expected})`)
      assert.equal(ask(app, twice('edit', { slug })), `Site PageController.edit(${expected})`)
      assert.equal(ask(app, twice('part', { slug })), `Site PageController.show(${expected})`)
      assert.equal(
        ask(app, twice('pair', { a: slug, b: slug })),
        `Site PageController.pair(${expected}, ${expected})`,
      )
    }
    assert.equal(twice('about', {}), '/about')
    assert.equal(twice('item', { id: -7 }), '/n/-7')
    assert.equal(twice('page', { slug: 'posted' }), '/posted')
    assert.equal(twice('few', { slug: 'ab' }), '/few/ab')
    assert.equal(twice('day', { day: '2026-02-01' }), '/d/2026-02-01')
  })

  it('a value that another route, mount or claim takes is refused each time [URL-14]', () => {
    for (const [name, params] of [
      ['page', { slug: 'about' }],
      ['page', { slug: 'shop' }],
      ['page', { slug: 'SHOP' }],
      ['page', { slug: 'feed.json' }],
      ['edit', { slug: 'Shop' }],
      ['pair', { a: 'news', b: 'today' }],
      ['pair', { a: 'x', b: 'edit' }],
      ['pair', { a: 'n', b: '5' }],
      ['part', { slug: 'new' }],
      ['few', { slug: 'abc' }],
    ] satisfies [string, UrlParams][]) {
      for (let time = 0; time < 2; time++)
        assert.throws(
          () => app.url(name, params),
          fails('invalid-parameter', 'reaches'),
          JSON.stringify(params),
        )
    }
  })

  it('a value that does not fit is refused each time [HOLD-35]', () => {
    for (const [name, params] of [
      ['page', { slug: '' }],
      ['page', { slug: '..' }],
      ['page', { slug: '\n' }],
      ['page', { slug: '\ud800' }],
      ['page', { slug: Number.NaN }],
      ['page', { slug: ['x'] }],
      ['page', { slug: 'x'.repeat(131_073) }],
      ['item', { id: 'x' }],
      ['item', { id: 2 ** 53 }],
      ['few', { slug: 'd' }],
      ['day', { day: '2026-13-01' }],
    ] satisfies [string, UrlParams][]) {
      for (let time = 0; time < 2; time++)
        assert.throws(
          () => app.url(name, params),
          fails('invalid-parameter'),
          JSON.stringify(params).slice(0, 40),
        )
    }
    for (let time = 0; time < 2; time++)
      assert.throws(() => app.url('page', {}), fails('missing-parameter', '"slug"'))
  })

  it('the parameters that the path does not take become the query, but those that an object inherits', () => {
    const inherits = { slug: 'x' }
    Object.setPrototypeOf(inherits, { slug: 'y', page: 3 })

    assert.equal(twice('page', { slug: 'x', page: 2 }), '/x?page=2')
    assert.equal(twice('about', { page: 2 }), '/about?page=2')
    assert.equal(twice('about', { page: null }), '/about')
    assert.equal(twice('page', inherits), '/x')
    assert.equal(twice('pair', { b: 2, q: 'é', a: 1 }), '/1/2?q=%C3%A9')
  })

  it('values that are matched may be objects, and leave the query to the others', () => {
    const [one, other] = ['2026-01-01', '2026-12-31']
    const others = [other, one]

    assert.equal(twice('days', { name: 'x', day: one, others }), `/days/x.${one}/${other}/${one}`)
    assert.equal(twice('joined', { a: 1, b: 2, page: 3 }), '/joined/1-to-2?page=3')
  })

  it('the rest of a path reaches its route, or is refused where anything else takes it [URL-14]', () => {
    const rests = router([
      module('Site', {
        mount: '/',
        convention: false,
        steps: [
          table((routes) => {
            const rest = (path: string, name: string, pattern = '.*'): void =>
              void routes.get(path, [PageController, 'files']).where('path', pattern).name(name)
            rest('/files/{path}', 'files')
            rest('/words/{path}', 'words', '[a-z]+/[a-z]+')
            rest('/words/{path}', 'others')
            rest('/deep/{path}', 'deep')
            routes.get('/deep/{a}/{b}', [PageController, 'pair']).where('b', '.*')
            rest('/pair/{path}', 'pair')
            routes.get('/pair/{a}/{b}', [PageController, 'pair'])
            rest('/part/{path}', 'part')
            routes.get('/part/v{slug}', [PageController, 'show'])
            routes.get('/part/new/{slug}', [PageController, 'show'])
          }),
        ],
      }),
      module('Shop', { convention: false, steps: [claim('/files/secret/area', () => undefined)] }),
    ])
    const said = (name: string, path: string): string => {
      const attempt = (): string => {
        try {
          return rests.url(name, { path })
        } catch (error) {
          assert.ok(fails('invalid-parameter', 'reaches')(error))
          return 'refused'
        }
      }
      const first = attempt()
      assert.equal(attempt(), first)
      return first
    }

    for (const [name, path, expected] of [
      ['files', 'a', '/files/a'],
      ['files', 'a/é/b c', '/files/a/%C3%A9/b%20c'],
      ['files', 'secret', '/files/secret'],
      ['files', 'secret/x', '/files/secret/x'],
      ['files', 'secret/area', 'refused'],
      ['files', 'secret/area/x', 'refused'],
      ['words', 'a/b', '/words/a/b'],
      ['others', 'a/b', 'refused'],
      ['others', 'a/b/c', '/words/a/b/c'],
      ['deep', 'a', '/deep/a'],
      ['deep', 'a/b', 'refused'],
      ['pair', 'a', '/pair/a'],
      ['pair', 'a/b', 'refused'],
      ['pair', 'a/b/c', '/pair/a/b/c'],
      ['part', 'a', '/part/a'],
      ['part', 'v1', 'refused'],
      ['part', 'v1/x', '/part/v1/x'],
      ['part', 'new', '/part/new'],
      ['part', 'new/x', 'refused'],
    ] as const)
      assert.equal(said(name, path), expected, `${name} ${path}`)
  })

  it('the query is written as the platform writes it [URL-03]', () => {
    const texts = ['', 'a b', "!'()~*-._", 'é', '😀', '&=+#?/%', '\n', 'A9']
    for (const text of texts) {
      for (const key of texts) {
        const query = app.url('about', { [key]: [text, 'x'] }).slice('/about'.length)
        const expected = new URLSearchParams([
          [key, text],
          [key, 'x'],
        ])

        assert.equal(query, `?${expected.toString()}`)
      }
    }
  })

  it('a default fills what is missing, and is refused where another route takes it', () => {
    const defaults = site((routes) => {
      routes.get('/a/{slug}', [PageController, 'show']).default('slug', 'x').name('good')
      routes.get('/b/{slug}', [PageController, 'show']).default('slug', 'new').name('taken')
      routes.get('/b/new', [PageController, 'index'])
    })

    for (let time = 0; time < 2; time++) {
      assert.equal(defaults.url('good'), '/a/x')
      assert.equal(defaults.url('good', { slug: null }), '/a/x')
      assert.equal(defaults.url('good', { slug: 'y' }), '/a/y')
      assert.throws(() => defaults.url('taken'), fails('invalid-parameter', 'GET /b/new'))
    }
  })

  it('each locale has its own, however its tag is spelled [URL-10]', () => {
    const localized = router(
      [
        module('Shop', {
          localized: true,
          mount: { fr: 'boutique', en: 'shop' },
          steps: [
            table((routes) =>
              routes.get({ fr: '/thé/{slug}', en: '/tea/{slug}' }, [PageController, 'show']).name('tea'),
            ),
          ],
        }),
      ],
      { locales: ['fr', 'en'], localePrefixes: true },
    )
    const url = (locale?: string): string => localized.url('shop:tea', { slug: 'x' }, locale)

    for (let time = 0; time < 40; time++) {
      assert.deepEqual(
        ['en', 'EN', 'En', 'eN'].map(url),
        Array.from({ length: 4 }, () => '/en/shop/tea/x'),
      )
      assert.deepEqual(
        [undefined, 'fr', 'FR'].map(url),
        Array.from({ length: 3 }, () => '/fr/boutique/th%C3%A9/x'),
      )
      assert.throws(() => url(`e${time}`), fails('locale-variant-missing'))
    }
  })

  it('any number of locales may be named where they change nothing', () => {
    const urls = Array.from({ length: 100 }, (_, index) => app.url('page', { slug: 'x' }, `l${index}`))

    assert.deepEqual(new Set(urls), new Set(['/x']))
  })
})
