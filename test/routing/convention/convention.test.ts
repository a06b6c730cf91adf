import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { input, param, type Router } from 'sallyport/routing'
import { ask, claim, conventional, fails, module, resolver, router, table } from '../fixture.ts'
import type { ActionParameter } from '../../../src/routing/declaration/parameter.ts'
import type { ControllerClass } from '../../../src/routing/index.ts'

const schema = {
  '~standard': { version: 1 as const, vendor: 'test', validate: (value: unknown) => ({ value }) },
}

class IndexController {
  static readonly actions = { index: [], about: [] }
  index(): void {}
  about(): void {}
}
class CartController {
  static readonly actions = {
    index: [],
    indexPost: [],
    add: [param.string('value')],
    addPost: [],
    typedInt: [param.int('n')],
    float: [param.float('n')],
    bool: [param.bool('on')],
    list: [param.rest(param.string('tag'))],
    numbers: [param.string('first'), param.rest(param.int('more'))],
    page: [param.int('from').optional(), param.int('to').optional()],
    savePut: [param.int('id'), param.string('tab').optional(), input(schema)],
    lastPostGet: [],
    probe: [],
    probeHead: [],
    probeOptions: [],
    goneDelete: [],
    fixPatch: [],
  }
  secret = 1
  static helper(): void {}
  get virtual(): number {
    return this.secret
  }
  index(): void {}
  indexPost(): void {}
  add(): void {}
  addPost(): void {}
  typedInt(): void {}
  float(): void {}
  bool(): void {}
  list(): void {}
  numbers(): void {}
  page(): void {}
  savePut(): void {}
  lastPostGet(): void {}
  probe(): void {}
  probeHead(): void {}
  probeOptions(): void {}
  goneDelete(): void {}
  fixPatch(): void {}
  unlisted(): void {}
  _underscore(): void {}
}
class DemoController {
  static readonly actions = { index: [param.string('x')], show: [] }
  index(): void {}
  show(): void {}
}
class HookController {
  static readonly actions = {
    __invoke: [param.string('event').optional()],
    index: [],
    indexPost: [],
    ping: [],
  }
  __invoke(): void {}
  index(): void {}
  indexPost(): void {}
  ping(): void {}
}
class ShopCartController {
  static readonly actions = { index: [] }
  index(): void {}
}

const controllers = [IndexController, CartController, DemoController, HookController, ShopCartController]

function shop(): Router {
  return router([conventional('Shop', controllers)])
}

function answers(app: Router, expected: Readonly<Record<string, string>>): void {
  for (const [request, answer] of Object.entries(expected)) assert.equal(ask(app, request), answer, request)
}

describe('Convention', () => {
  it('maps controller/action/params [CONV-02 CONV-03 CONV-04 CONV-05]', () => {
    answers(shop(), {
      '/shop/': 'Shop IndexController.index()',
      '/shop/cart/': 'Shop CartController.index()',
      '/shop/cart/add/7/': 'Shop CartController.add("7")',
      '/shop/cart/numbers/a/1/2': 'Shop CartController.numbers("a", 1, 2)',
      '/shop/shop-cart': 'Shop ShopCartController.index()',
    })
  })

  it('the verb chooses among the methods of one name [CONV-06 CONV-07 CONV-08 CONV-09 CONV-10]', () => {
    answers(shop(), {
      'GET /shop/cart/last-post': 'Shop CartController.lastPostGet()',
      'GET /shop/cart/probe': 'Shop CartController.probe()',
      'HEAD /shop/cart/probe': 'Shop CartController.probeHead()',
      'HEAD /shop/cart/add/1': 'Shop CartController.add("1")',
      'HEAD /shop/cart/last-post': 'Shop CartController.lastPostGet()',
      'POST /shop/cart/add': 'Shop CartController.addPost()',
      'POST /shop/cart/': 'Shop CartController.indexPost()',
    })
  })

  it('what answers GET answers HEAD where the method for HEAD does not take the URL [CONV-08]', () => {
    class Reports {
      static readonly actions = {
        show: [param.string('name')],
        showHead: [param.int('id')],
        save: [],
        saveHead: [param.int('id')],
        only: [param.int('id')],
        onlyHead: [param.int('id')],
      }
      show(): void {}
      showHead(): void {}
      save(): void {}
      saveHead(): void {}
      only(): void {}
      onlyHead(): void {}
    }
    const app = router([module('Shop', { controllers: [Reports] })])

    answers(app, {
      'HEAD /shop/reports/show/5': 'Shop Reports.showHead(5)',
      'HEAD /shop/reports/show/x': 'Shop Reports.show("x")',
      'HEAD /shop/reports/save': 'Shop Reports.save()',
      'HEAD /shop/reports/save/x': '404',
      'HEAD /shop/reports/only/x': '404',
      'POST /shop/reports/show/x': '405 GET, HEAD',
    })
  })

  it('verbs are suffixes of the method and no part of the URL [CONV-11 CONV-12]', () => {
    answers(shop(), {
      'PUT /shop/cart/save/5': 'Shop CartController.savePut(5, undefined)',
      'PUT /shop/cart/save/5/x': 'Shop CartController.savePut(5, "x")',
      'PATCH /shop/cart/fix': 'Shop CartController.fixPatch()',
      'DELETE /shop/cart/gone': 'Shop CartController.goneDelete()',
      'OPTIONS /shop/cart/probe': 'Shop CartController.probeOptions()',
      'OPTIONS /shop/cart/fix': '405 PATCH',
      'PUT /shop/cart/save-put/5': '404',
    })
  })

  it('a bare name answers GET and HEAD only [CONV-14]', () => {
    answers(shop(), {
      'POST /shop/cart/probe': '405 GET, HEAD, OPTIONS',
      'DELETE /shop/cart': '405 GET, HEAD, POST',
      'POST /shop/hook/ping': '405 GET, HEAD',
    })
  })

  it('another verb makes a 405 only when its signature takes the segments [CONV-15 CONV-16]', () => {
    answers(shop(), {
      'PUT /shop/cart/add': '405 POST',
      'PUT /shop/cart/add/x': '405 GET, HEAD',
      'PUT /shop/cart/add/x/y': '404',
      'GET /shop/cart/add': '405 POST',
      'GET /shop/cart/save/5': '405 PUT',
      'GET /shop/cart/save/x': '404',
    })
  })

  it('unknown actions are not found, and a verb in the URL is one [CONV-17 CONV-18 CONV-19]', () => {
    answers(shop(), {
      '/shop/cart/nothing': '404',
      '/shop/nothing': '404',
      'GET /shop/cart/add-post': '404',
      'POST /shop/cart/add-post': '404',
      'POST /shop/cart/addPost': '404',
      'GET /shop/cart/last-post': 'Shop CartController.lastPostGet()',
      'GET /shop/cart/last-post-get': '404',
    })
  })

  it('typed parameters take their spelling only and arrive as values [CONV-20 CONV-21 CONV-22]', () => {
    answers(shop(), {
      '/shop/cart/typed-int/5': 'Shop CartController.typedInt(5)',
      '/shop/cart/typed-int/-9007199254740991': 'Shop CartController.typedInt(-9007199254740991)',
      '/shop/cart/float/-1.50e2': 'Shop CartController.float(-150)',
      '/shop/cart/bool/1': 'Shop CartController.bool(true)',
      '/shop/cart/bool/false': 'Shop CartController.bool(false)',
    })
    const bad = [
      '1e3',
      '0x10',
      '+5',
      '%205',
      '5%20',
      '5.0',
      '-0',
      '1_0',
      '5%0a',
      '9007199254740993',
      '%D9%A3',
      'Infinity',
      'NaN',
      '',
      '05',
      '-',
    ]
    for (const value of bad) assert.match(ask(shop(), `/shop/cart/typed-int/${value}`), /^40[04]$/, value)
    for (const value of ['1.', '.5', '1e999', '-0.0', '0x1', '1e'])
      assert.equal(ask(shop(), `/shop/cart/float/${value}`), '404')
    for (const value of ['yes', 'TRUE', '01', 'on'])
      assert.equal(ask(shop(), `/shop/cart/bool/${value}`), '404')
  })

  it('only a variadic parameter takes what is left [CONV-23 CONV-24]', () => {
    answers(shop(), {
      '/shop/cart/list': 'Shop CartController.list()',
      '/shop/cart/list/a/b%2Fc': 'Shop CartController.list("a", "b/c")',
      '/shop/cart/add/a/b': '404',
      '/shop/cart/page': 'Shop CartController.page()',
      '/shop/cart/page/1': 'Shop CartController.page(1)',
      '/shop/cart/page/1/2': 'Shop CartController.page(1, 2)',
      '/shop/cart/page/1/2/3': '404',
      '/shop/cart/numbers/a/1/x': '404',
    })
  })

  it('one trailing input takes no segment [CONV-25]', () => {
    const match = shop().match('PUT', '/shop/cart/save/5')

    assert.ok(match.kind === 'found')
    assert.equal(match.route.input, schema)
    assert.equal(ask(shop(), 'PUT /shop/cart/save/5/x/y'), '404')
  })

  it('a controller that is only spelled like the index does not answer at the entry point [CONV-03 CONV-29]', () => {
    class InDexController {
      static readonly actions = { index: [], add: [] }
      index(): void {}
      add(): void {}
    }
    const alone = router([conventional('Shop', [InDexController])])
    const both = router([conventional('Shop', [InDexController, IndexController])])

    for (const path of ['/shop', '/shop/', '/shop/add']) assert.equal(ask(alone, path), '404', path)
    assert.equal(ask(alone, '/shop/in-dex'), 'Shop InDexController.index()')
    assert.equal(ask(alone, '/shop/inDex/add'), '-> /shop/in-dex/add')
    assert.equal(alone.urlFor([InDexController, 'index']), '/shop/in-dex')
    assert.equal(ask(both, '/shop'), 'Shop IndexController.index()')
    assert.equal(ask(both, '/shop/index'), '-> /shop')
    assert.equal(ask(both, '/shop/in-dex'), 'Shop InDexController.index()')
  })

  it('other spellings redirect to the one of the declared name [CONV-28 CONV-29 CONV-30]', () => {
    answers(shop(), {
      '/shop/Cart': '-> /shop/cart',
      '/shop/CART/ADD/X': '-> /shop/cart/add/X',
      '/shop/cart/typedInt/5': '-> /shop/cart/typed-int/5',
      '/shop/cart/TypedInt/5': '-> /shop/cart/typed-int/5',
      '/shop/shopCart/': '-> /shop/shop-cart/',
      '/shop/index/': '-> /shop/',
      '/shop/index/index': '-> /shop',
      '/shop/cart/index': '-> /shop/cart',
      '/Shop/Cart/Index/': '-> /shop/cart/',
      'POST /shop/cart/index': '-> /shop/cart',
      '/shop/index/about': 'Shop IndexController.about()',
      '/shop/about': '404',
    })
  })

  it('the index with arguments has a spelling of its own [CONV-31]', () => {
    const app = router([
      conventional('Root', [DemoController, class IndexController extends DemoController {}], { mount: '/' }),
    ])

    answers(app, {
      '/index/index/param/': 'Root IndexController.index("param")',
      '/index/param': 'Root IndexController.index("param")',
      '/demo/x': 'Root DemoController.index("x")',
      '/demo/index/x': 'Root DemoController.index("x")',
      '/demo/show': 'Root DemoController.show()',
      '/demo': '404',
      '/param': '404',
    })
    assert.equal(app.urlFor([DemoController, 'index'], ['x']), '/demo/index/x')
  })

  it('gives the segments of an invokable controller to __invoke, and its index a name', () => {
    answers(shop(), {
      '/shop/hook': 'Shop HookController.__invoke()',
      '/shop/hook/push': 'Shop HookController.__invoke("push")',
      '/shop/hook/ping': 'Shop HookController.ping()',
      '/shop/hook/index': 'Shop HookController.index()',
      'POST /shop/hook': 'Shop HookController.indexPost()',
      'HEAD /shop/hook': 'Shop HookController.__invoke()',
    })
    assert.equal(shop().urlFor([HookController, '__invoke'], ['push']), '/shop/hook/push')
    assert.throws(
      () => shop().urlFor([HookController, '__invoke'], ['ping']),
      fails('invalid-parameter', 'ping'),
    )
  })

  it('what the action table does not name is not reachable, nor any member of the language [CONV-32 CONV-34]', () => {
    const names = [
      'unlisted',
      '_underscore',
      'helper',
      'virtual',
      'secret',
      'constructor',
      '__proto__',
      'to-string',
    ]
    const more = [
      'has-own-property',
      'value-of',
      'call',
      'apply',
      'bind',
      'name',
      'length',
      'prototype',
      'caller',
      'arguments',
    ]
    for (const name of [...names, ...more, 'then', 'to-json', 'symbol.iterator', '__invoke', 'actions']) {
      for (const method of ['GET', 'POST'])
        assert.equal(ask(shop(), `${method} /shop/cart/${name}`), '404', name)
      assert.equal(ask(shop(), `/shop/${name}`), '404', name)
    }
  })

  it('inherited and mixed-in actions are actions [CONV-33]', () => {
    class BaseController {
      static readonly actions: Record<string, ActionParameter[] | undefined> = { show: [], hide: [] }
      show(): void {}
      hide(): void {}
    }
    class OwnController extends listed(BaseController) {}
    class LessController extends BaseController {
      static override readonly actions = { hide: undefined }
    }
    const app = router([conventional('Shop', [OwnController, LessController])])

    answers(app, {
      '/shop/own/list': 'Shop OwnController.list()',
      '/shop/own/show': 'Shop OwnController.show()',
      '/shop/less/show': 'Shop LessController.show()',
      '/shop/less/hide': '404',
    })
  })

  it('an action that a table owns is not the convention’s, in any spelling [CONV-35 CONV-37 CONV-38]', () => {
    const steps = [table((r) => r.get('/basket/{value}', [CartController, 'add']).name('add'))]
    const app = router([conventional('Shop', controllers, { steps })])

    for (const path of ['add/x', 'ADD/x', 'Add/x', 'aDD/x', 'add'])
      for (const method of ['GET', 'HEAD'])
        assert.equal(ask(app, `${method} /shop/cart/${path}`), '404', `${method} ${path}`)
    assert.equal(ask(app, '/shop/basket/x'), 'Shop CartController.add("x")')
    assert.equal(ask(app, 'POST /shop/cart/add'), 'Shop CartController.addPost()')
    const index = [
      claim('/home', (r) => r.get('/{x}', [DemoController, 'index'])),
      table((r) => r.get('/d', [DemoController, 'show'])),
    ]
    const owned = router([conventional('Shop', controllers, { steps: index })])
    answers(owned, {
      '/shop/demo/x': '404',
      '/shop/demo/index/x': '404',
      '/shop/demo/show': '404',
      '/shop/demo/Show': '404',
    })
  })

  it('an owned action gets no conventional URL, and the failure names the route [CONV-36]', () => {
    const steps = [
      table(
        (r) => (
          r.get('/basket/{value}', [CartController, 'add']).name('basket'),
          r.get('/i', [CartController, 'index'])
        ),
      ),
    ]
    const app = router([conventional('Shop', controllers, { steps })])

    assert.throws(() => app.urlFor([CartController, 'add'], ['x']), fails('explicit-action', '"shop:basket"'))
    assert.throws(() => app.urlFor([CartController, 'index']), fails('explicit-action', 'GET /i'))
  })

  it('counts the tables of the same module only', () => {
    const steps = [table((r) => r.get('/x/{value}', [CartController, 'add']))]
    const app = router([conventional('Shop', controllers), module('Other', { steps })])

    assert.equal(ask(app, '/shop/cart/add/1'), 'Shop CartController.add("1")')
  })

  it('comes last and stands behind the middlewares of the module [TOPO-10 CONV-01]', () => {
    class Gate {
      process(): Response {
        return new Response()
      }
    }
    const never = { resolve: () => null }
    const steps = [resolver(never, 999), table((r) => r.get('/cart/index', [DemoController, 'show']))]
    const app = router([conventional('Shop', controllers, { middlewares: [Gate], steps })])

    const match = app.match('GET', '/shop/cart')
    assert.ok(match.kind === 'found')
    assert.deepEqual(match.route.middlewares, [Gate])
    assert.equal(ask(app, '/shop/cart/index'), 'Shop DemoController.show()')
  })

  it('gives the same target for every match of an action', () => {
    const app = shop()
    const [one, two] = ['/shop/cart/add/1', '/shop/cart/add/2'].map((path) => app.match('GET', path))

    assert.ok(one?.kind === 'found' && two?.kind === 'found')
    assert.equal(one.route.target, two.route.target)
    assert.notEqual(one.route, two.route)
  })

  it('a module without convention has none [ROUTE-25]', () => {
    const app = router([conventional('Shop', controllers, { convention: false })])

    assert.equal(ask(app, '/shop/cart'), '404')
    assert.throws(() => app.urlFor([CartController, 'index']), fails('unknown-route', 'no convention'))
  })

  it('refuses two controllers that a URL spells alike', () => {
    const other = { CartController: class CartController extends DemoController {} }

    assert.throws(
      () => router([conventional('Shop', [CartController, other.CartController])]),
      fails('invalid-action', '"cart"'),
    )
  })
})

// A mixin as an application may write one: it knows nothing of its base.
function listed(
  base: ControllerClass & { readonly actions: Record<string, ActionParameter[] | undefined> },
): ControllerClass {
  return class extends base {
    static override readonly actions = { list: [] }
    list(): void {}
  }
}
