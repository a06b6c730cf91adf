import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { type Actions, param, TrailingSlash } from 'sallyport/routing'

import { claim, module, PageController, router, site, table } from '../fixture.ts'
import { type Refused, refuses } from '../refusals.ts'

class Other {
  static readonly actions: Actions<Other> = { index: [] }
  index(): void {}
}

class Unlisted extends Other {}

class Tags {
  static readonly actions: Actions<Tags> = {
    none: [],
    more: [param.string('first'), param.rest(param.string('others'))],
  }
  none(): void {}
  more(_first: string, ..._others: string[]): void {}
}

const app = router(
  [
    module('Shop', {
      localized: true,
      controllers: [PageController],
      steps: [
        table((routes) => {
          routes.get('/p/{slug}', [PageController, 'show']).name('product')
          routes.get('/p/mine', [PageController, 'other'])
          routes.get('/i/{id}', [PageController, 'item']).name('item')
          routes.post('/save', [PageController, 'save'])
          routes.get('/f/{slug}', [PageController, 'show']).name('few').where('slug', '[a-c]')
          routes.get({ fr: '/seulement' }, [PageController, 'index']).name('french')
          routes.get('/page/edit/taken', [PageController, 'index'])
        }),
        claim('/sale', (routes) => routes.get('/{slug}', [PageController, 'show']).name('sale')),
      ],
    }),
    module('Blog', { convention: false, controllers: [Other] }),
    module('Site', {
      mount: '/',
      convention: false,
      steps: [table((routes) => routes.get('/about', [PageController, 'index']).name('about'))],
    }),
  ],
  { locales: ['fr', 'en'], localePrefixes: true, trailingSlash: TrailingSlash.Remove },
)
const twins = router(
  ['One', 'Two'].map((name) =>
    module(name, {
      steps: [
        table((routes) => {
          routes.get('/label', [Other, 'index']).name('label')
          if (name === 'Two') routes.get('/other', [Other, 'index']).name('other')
        }),
      ],
    }),
  ),
)
const entry = router([
  module('Shop', { steps: [table((routes) => routes.get('', [PageController, 'index']))] }),
])
const threefold = site(
  (routes) => routes.get({ fr: '/deux', en: '/two' }, [PageController, 'index']).name('two'),
  {
    locales: ['fr', 'en', 'de'],
  },
)
const rootless = router([module('Shop', { controllers: [Tags] })])

const REFUSALS: readonly Refused[] = [
  [
    () => app.url('nothing:x'),
    'unknown-route: Cannot generate a URL for "nothing:x": there is no such module, only shop, blog, site',
  ],
  [
    () => app.url('shop:nothing'),
    'unknown-route: Cannot generate a URL for "shop:nothing": module "Shop" names product, item, few, french, sale',
  ],
  [
    () => app.url('blog:nothing'),
    'unknown-route: Cannot generate a URL for "blog:nothing": module "Blog" names no routes',
  ],
  [
    () => twins.url('label'),
    'unknown-route: Cannot generate a URL for "label": no module owns the root; write "module:name"; did you mean "one:label" or "two:label"?',
  ],
  [
    () => twins.url('three:label'),
    'unknown-route: Cannot generate a URL for "three:label": there is no such module, only one, two; did you mean "one:label" or "two:label"?',
  ],
  [
    () => twins.url('one:other'),
    'unknown-route: Cannot generate a URL for "one:other": module "One" names label; did you mean "two:other"?',
  ],
  [() => app.url('nothing'), 'unknown-route: Cannot generate a URL for "nothing": module "Site" names about'],
  [
    () => rootless.url('product'),
    'unknown-route: Cannot generate a URL for "product": no module owns the root; write "module:name"',
  ],
  [
    () => app.url('shop:prodct'),
    'unknown-route: Cannot generate a URL for "shop:prodct": module "Shop" names product, item, few, french, sale; did you mean "shop:product"?',
  ],
  [
    () => app.url('abuot'),
    'unknown-route: Cannot generate a URL for "abuot": module "Site" names about; did you mean "about"?',
  ],
  [() => app.url('prodct'), 'unknown-route: Cannot generate a URL for "prodct": module "Site" names about'],
  [
    () => app.url('shop:product'),
    'missing-parameter: Cannot generate a URL for "shop:product": pass a value for "slug"',
  ],
  [
    () => app.url('shop:product', { slug: '' }),
    'invalid-parameter: Cannot generate a URL for "shop:product": "" for "slug" cannot be a segment of a path',
  ],
  [
    () => app.url('shop:item', { id: 'x' }),
    'invalid-parameter: Cannot generate a URL for "shop:item": "x" for "id" does not fit its type',
  ],
  [
    () => app.url('shop:few', { slug: 'z' }),
    'invalid-parameter: Cannot generate a URL for "shop:few": "z" for "slug" does not fit its type and the constraint [a-c]',
  ],
  [
    () => app.url('about', { extra: {} as never }),
    'invalid-parameter: Cannot generate a URL for "about": "extra" is of type object; it must be a string, finite number, boolean or bigint, or a list of these',
  ],
  [
    () => app.url('shop:french', {}, 'en'),
    'locale-variant-missing: Cannot generate a URL for "shop:french" in "en": the route has a path for fr',
  ],
  [
    () => threefold.url('two', {}, 'DE'),
    'locale-variant-missing: Cannot generate a URL for "two" in "DE": the route has a path for fr, en',
  ],
  [
    () => app.url('shop:product', { slug: 'x' }, 'de'),
    'locale-variant-missing: Cannot generate a URL for "shop:product" in "de": module "Shop" answers in fr, en',
  ],
  [
    () => app.url('shop:product', { slug: 'mine' }),
    'invalid-parameter: Cannot generate a URL for "shop:product" with "mine" for "slug": "/fr/shop/p/mine" reaches PageController::other of module "Shop", by its route GET /p/mine',
  ],
  [
    () => app.url('shop:sale'),
    'missing-parameter: Cannot generate a URL for "shop:sale": pass a value for "slug"',
  ],
  [
    () => app.urlFor([PageController, 'pair'], ['a']),
    'invalid-parameter: Cannot generate a URL for PageController::pair of module "Shop" with 1 argument: it takes 2',
  ],
  [
    () => app.urlFor([PageController, 'pair'], ['a', 'b', 'c'] as never),
    'invalid-parameter: Cannot generate a URL for PageController::pair of module "Shop" with 3 arguments: it takes 2',
  ],
  [
    () => app.urlFor([PageController, 'range'], [] as never),
    'invalid-parameter: Cannot generate a URL for PageController::range of module "Shop" with 0 arguments: it takes 1 to 2',
  ],
  [
    () => app.urlFor([PageController, 'flag'], [true, true] as never),
    'invalid-parameter: Cannot generate a URL for PageController::flag of module "Shop" with 2 arguments: it takes 1',
  ],
  [
    () => rootless.urlFor([Tags, 'none'], ['a'] as never),
    'invalid-parameter: Cannot generate a URL for Tags::none of module "Shop" with 1 argument: it takes none',
  ],
  [
    () => rootless.urlFor([Tags, 'more'], [] as never),
    'invalid-parameter: Cannot generate a URL for Tags::more of module "Shop" with 0 arguments: it takes 1 or more',
  ],
  [
    () => app.urlFor([PageController, 'range'], [{} as never]),
    'invalid-parameter: Cannot generate a URL for PageController::range of module "Shop": an object as argument 1 does not fit int "from"',
  ],
  [
    () => app.urlFor([PageController, 'range'], [1, 'x' as never]),
    'invalid-parameter: Cannot generate a URL for PageController::range of module "Shop": "x" as argument 2 does not fit int "to"',
  ],
  [
    () => app.urlFor([PageController, 'show'], ['']),
    'explicit-action: Cannot generate a conventional URL for PageController::show of module "Shop": its table owns it; use url("shop:product" or "shop:few" or "shop:sale")',
  ],
  [
    () => app.urlFor([PageController, 'files'], ['a', {} as never]),
    'invalid-parameter: Cannot generate a URL for PageController::files of module "Shop": an object as argument 2 does not fit string "path"',
  ],
  [
    () => app.urlFor([PageController, 'show'], ['x'], 'de'),
    'explicit-action: Cannot generate a conventional URL for PageController::show of module "Shop": its table owns it; use url("shop:product" or "shop:few" or "shop:sale")',
  ],
  [
    () => app.urlFor([PageController, 'nothing' as 'show'], ['x']),
    'invalid-action: Cannot generate a URL for PageController::nothing: it is not an action',
  ],
  [
    () => app.urlFor([Other, 'index']),
    'unknown-route: Cannot generate a URL for Other::index: module "Blog" has no convention routing',
  ],
  [
    () => app.urlFor([Unlisted, 'index']),
    'unknown-route: Cannot generate a URL for Unlisted::index: no module lists Unlisted',
  ],
  [
    () => app.urlFor([PageController, 'item'], [7]),
    'explicit-action: Cannot generate a conventional URL for PageController::item of module "Shop": its table owns it; use url("shop:item")',
  ],
  [
    () => app.urlFor([PageController, 'save']),
    'explicit-action: Cannot generate a conventional URL for PageController::save of module "Shop": its table owns it; name POST /save and use url()',
  ],
  [
    () => entry.urlFor([PageController, 'index']),
    'explicit-action: Cannot generate a conventional URL for PageController::index of module "Shop": its table owns it; name GET (entry point) and use url()',
  ],
  [
    () => app.urlFor([PageController, 'edit'], ['taken']),
    'invalid-parameter: Cannot generate a URL for PageController::edit of module "Shop": "/fr/shop/page/edit/taken" reaches PageController::index of module "Shop", by its route GET /page/edit/taken',
  ],
]

describe('what url() and urlFor() say when they refuse', () => {
  refuses(REFUSALS)

  for (const [what, attempt, message] of [
    ['no name', () => app.url(5 as never), 'Cannot generate a URL for 5: pass the name of a route'],
    ['null for values', () => app.url('about', null as never), '"about" with null as values: pass an object'],
    ['a text for values', () => app.url('about', 'x' as never), '"about" with "x" as values: pass an object'],
    [
      'a class for a handler',
      () => app.urlFor(PageController as never, [] as never),
      "for class PageController: pass [Controller, 'action']",
    ],
    [
      'no arguments',
      () => app.urlFor([PageController, 'index'], 5 as never),
      'with 5 as arguments: pass a list',
    ],
    [
      'no locale',
      () => app.url('shop:sale', { slug: 'x' }, 5 as never),
      'in the locale 5: pass a language tag',
    ],
  ] as const) {
    it(`is what to pass instead of ${what} [HOLD-35]`, () => {
      assert.throws(attempt, (error) => error instanceof TypeError && error.message.includes(message))
    })
  }
})
