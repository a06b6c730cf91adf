import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  type Actions,
  param,
  parameterType,
  type Router,
  type Routes,
  type UrlParams,
} from 'sallyport/routing'
import { claim, conventional, fails, module, PageController, router, table } from '../fixture.ts'

class TypedController {
  static readonly actions: Actions<TypedController> = {
    odd: [
      param.of(
        parameterType<string>({
          name: 'odd',
          pattern: '[a-z]+',
          parse: (text) => text,
          format: (text) => (text === 'later' ? (Promise.resolve(text) as never) : String(text)),
        }),
        'odd',
      ),
    ],
  }
  odd(_odd: string): void {}
}

const declare = (routes: Routes): void => {
  routes.get('/page/{slug}', [PageController, 'show']).name('page')
  routes.post('/page/posted', [PageController, 'save'])
  routes.get('/page/new', [PageController, 'index'])
  routes.get('/page/long/{slug}', [PageController, 'show'])
  routes.get('/page/{a}-to-{b}.html', [PageController, 'pair'])
  routes.get('/page/{slug}.json', [PageController, 'show'])
  routes.get('/page/{id}', [PageController, 'item']).where('id', '[0-9]+')
  routes.get('/pair/{a}/{b}', [PageController, 'pair']).name('pair')
  routes.get('/pair/{slug}/edit', [PageController, 'show'])
  routes.get('/{slug}', [PageController, 'show']).name('root')
  routes.get('/rest/{path}', [PageController, 'files']).where('path', '.*').name('rest')
  routes.get('/rest/{a}-{b}', [PageController, 'pair']).name('parts')
  routes.get('/high/{slug}', [PageController, 'show']).name('high')
  routes.get('/high/{slug}', [PageController, 'edit']).where('slug', '.*x').priority(1)
  routes.get('/about', [PageController, 'index']).name('about')
  routes.get('/shop/{slug}', [PageController, 'show']).name('mounted')
  routes.get('/num/{id}', [PageController, 'item']).where('id', '[0-9]+').name('num')
  routes.get('/two/{slug}', [PageController, 'show']).name('two')
  routes.get('/two/{path}', [PageController, 'files']).where('path', '.*')
  routes.get('/way/{slug}/edit', [PageController, 'edit']).name('way')
  routes.get('/way/b/{slug}', [PageController, 'show'])
  routes.get('/way/c/{slug}', [PageController, 'show']).where('slug', '[a-z]+')
  routes.get('/way/e/{slug}', [PageController, 'show']).where('slug', '[0-9]+')
  routes.head('/head/{slug}', [PageController, 'show']).name('head')
  routes.get('/head/new', [PageController, 'index'])
  routes.post('/save/{slug}', [PageController, 'show']).name('save')
  routes.get('/save/new', [PageController, 'index'])
  routes.get('/deep/{path}', [PageController, 'files']).where('path', '.*').name('deep')
  routes.post('/deep/a/b', [PageController, 'save'])
  routes.get('/odd/{odd}', [TypedController, 'odd']).name('odd')
  routes.get('/odds/{odd}', [TypedController, 'odd']).where('odd', '.*').name('odds')
}

const app = router([
  module('Site', { mount: '/', convention: false, steps: [table(declare)] }),
  module('News', {
    steps: [
      claim('/pair/claimed/x', (routes) => routes.get('/{slug}', [PageController, 'show']).name('claimed')),
    ],
  }),
  module('Parts', {
    convention: false,
    steps: [
      table((routes) => {
        routes.get('/shop/{slug}', [PageController, 'show']).name('shop')
        routes.get('/{slug}', [PageController, 'show']).name('part')
      }),
    ],
  }),
  conventional('Shop', [PageController]),
])

/** Whether a URL is matched again before it is given, when others of the same route were given before. */
function isMatchedAgain(router: Router, generate: () => string): boolean {
  generate()
  const { resolution } = router.model()
  const verify = resolution.verify.bind(resolution)
  let isMatched = false
  resolution.verify = (method, path) => {
    isMatched = true
    return verify(method, path)
  }
  try {
    generate()
  } finally {
    resolution.verify = verify
  }
  return isMatched
}

describe('takenByOthers()', () => {
  for (const [name, params] of [
    ['page', { slug: 'green-tea' }],
    ['page', { slug: 'posted' }],
    ['page', { slug: 'long' }],
    ['page', { slug: 'x.jso' }],
    ['page', { slug: '7x' }],
    ['page', { slug: 'é/ü' }],
    ['high', { slug: 'y' }],
    ['pair', { a: 'x', b: 'y' }],
    ['root', { slug: 'page' }],
    ['root', { slug: 'shops' }],
    ['rest', { path: 'a/b/c' }],
    ['rest', { path: ['ab'] }],
    ['odd', { odd: 'x' }],
    ['news:claimed', { slug: 'x' }],
    ['about', {}],
    ['page', { slug: '.json' }],
    ['root', { slug: 'pair' }],
    ['num', { id: 7 }],
    ['two', { slug: 'x' }],
    ['way', { slug: 'd' }],
    ['way', { slug: 'e' }],
    ['head', { slug: 'x' }],
    ['save', { slug: 'new' }],
    ['deep', { path: 'a/b' }],
    ['parts:shop', { slug: 'x' }],
    ['parts:part', { slug: 'shop' }],
  ] satisfies [string, UrlParams][]) {
    it(`matches no URL of "${name}" again for ${JSON.stringify(params)} [URL-14]`, () => {
      assert.equal(
        isMatchedAgain(app, () => app.url(name, params)),
        false,
      )
    })
  }

  it('matches each URL whose values decide where they lead [URL-14]', () => {
    assert.equal(
      isMatchedAgain(app, () => app.url('parts', { a: 'x', b: 'y' })),
      true,
    )
  })

  it('matches again what one of several claims may take [URL-14]', () => {
    const claims = ['/far/away/x', '/one/two/x', '/further/away/y']
    const claimed = router([
      module('Site', {
        mount: '/',
        convention: false,
        steps: [
          table((routes) => {
            routes.get('/{a}/{b}/x', [PageController, 'pair']).name('any')
            routes.get('/near/{a}/{b}', [PageController, 'pair']).name('near')
          }),
        ],
      }),
      module('News', {
        convention: false,
        steps: claims.map((path) =>
          claim(path, (routes) => routes.get('/', [PageController, 'index']).name(path.slice(1, 4))),
        ),
      }),
    ])

    assert.throws(() => claimed.url('any', { a: 'one', b: 'two' }), fails('invalid-parameter', 'news:one'))
    assert.equal(claimed.url('any', { a: 'one', b: 'three' }), '/one/three/x')
    assert.equal(
      isMatchedAgain(claimed, () => claimed.url('near', { a: 'one', b: 'two' })),
      false,
    )
  })

  it('matches no conventional URL again [URL-14]', () => {
    assert.equal(
      isMatchedAgain(app, () => app.urlFor([PageController, 'index'])),
      false,
    )
    assert.equal(
      isMatchedAgain(app, () => app.urlFor([PageController, 'edit'], ['x'])),
      false,
    )
    assert.equal(
      isMatchedAgain(app, () => app.urlFor([PageController, 'files'], ['x', 'y'])),
      false,
    )
  })

  it('a text beside several values of one segment is taken [URL-14]', () => {
    for (const slug of ['x-to-y.html', 'feed.json', '7', 'new'])
      for (let time = 0; time < 2; time++)
        assert.throws(() => app.url('page', { slug }), fails('invalid-parameter', 'reaches'), slug)
    assert.throws(() => app.url('rest', { path: 'a-b' }), fails('invalid-parameter', 'reaches'))
    assert.throws(() => app.url('high', { slug: 'x' }), fails('invalid-parameter', 'reaches'))
  })

  it('a value that leads into the way of another route is refused [URL-14]', () => {
    for (const [name, slug] of [
      ['way', 'b'],
      ['way', 'c'],
      ['head', 'new'],
      ['mounted', 'x'],
    ] as const)
      for (let time = 0; time < 2; time++)
        assert.throws(() => app.url(name, { slug }), fails('invalid-parameter', 'reaches'), `${name} ${slug}`)
  })

  it('a value that is missing is refused each time, whatever its type would write [HOLD-35]', () => {
    for (const name of ['odd', 'odds', 'odd', 'odds'])
      for (const params of [{}, { odd: null }, { odd: undefined }])
        assert.throws(() => app.url(name, params), fails('missing-parameter', '"odd"'))
  })

  it('what a type does wrong is said each time, with its route [HOLD-35]', () => {
    for (let time = 0; time < 2; time++)
      assert.throws(
        () => app.url('odd', { odd: 'later' }),
        fails('invalid-parameter', 'Cannot use the parameter "odd" of "odd", GET /odd/{odd}', 'promise'),
      )
  })
})
