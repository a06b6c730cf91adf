import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { form, input, param } from 'sallyport/routing'
import { inspect, ask, conventional, fails, module, resolver, router, table } from '../fixture.ts'
import type { ActionTable } from '../../../src/routing/declaration/controller-class.ts'
import type { ActionParameter } from '../../../src/routing/declaration/parameter.ts'
import type { ControllerClass } from '../../../src/routing/index.ts'

const schema = {
  '~standard': { version: 1 as const, vendor: 'test', validate: (value: unknown) => ({ value }) },
}

/** A controller with some methods and the given action table, as an untyped caller might write it. */
function controller(actions: unknown): ControllerClass {
  return class ProbeController {
    static readonly actions = actions as ActionTable
    static fixed(): void {}
    field = (): void => undefined
    get virtual(): number {
      return 1
    }
    show(): void {}
    showGet(): void {}
    showHead(): void {}
    Show(): void {}
    __get(): void {}
    __invoke(): void {}
  }
}

function boot(actions: unknown): void {
  router([conventional('Shop', [controller(actions)])])
}

describe('ActionCatalog', () => {
  class Bare {
    readonly actions = { index: [] }
    index(): void {}
  }
  class Inheriting {
    static readonly actions: ActionTable = { index: [] }
    index(): void {}
  }
  const NO_TABLE = [
    'Bare',
    'it has no static actions',
    'static readonly actions',
    'without "static"',
  ] as const

  it('refuses a listed controller without a static table at boot, by class and module [CONV-32]', () => {
    assert.throws(
      () => router([conventional('Shop', [Bare])]),
      fails('invalid-action', ...NO_TABLE, '(in module "Shop")'),
    )
    assert.throws(
      () => router([conventional('Shop', [Bare], { convention: false })]),
      fails('invalid-action', ...NO_TABLE),
    )
  })

  it('refuses it in a route, a URL and a resolver with the same words [TABLE-16]', () => {
    const routed = router([
      module('Shop', {
        steps: [
          table((routes) => routes.get('/', [Bare, 'index'])),
          resolver({ resolve: (request) => request.route(Bare, 'index') }, -1),
        ],
      }),
    ])

    assert.throws(() => routed.match('GET', '/shop/x'), fails('invalid-action', ...NO_TABLE))
    assert.throws(() => routed.urlFor([Bare, 'index']), fails('invalid-action', ...NO_TABLE))
    assert.throws(() => inspect(routed).routes(), fails('invalid-action', ...NO_TABLE, 'module "Shop"'))
  })

  it('takes a table that is inherited, empty, made by a getter or has no prototype [CONV-33]', () => {
    class Derived extends Inheriting {}
    class Empty {
      static readonly actions = {}
    }
    class Getter extends Inheriting {
      static override get actions(): ActionTable {
        return { index: [] }
      }
    }
    class NoPrototype extends Inheriting {
      static override readonly actions: ActionTable = Object.assign(Object.create(null) as object, {
        index: [],
      })
    }
    const app = router([conventional('Shop', [Derived, Empty, Getter, NoPrototype])])

    assert.equal(ask(app, '/shop/derived'), 'Shop Derived.index()')
    assert.equal(ask(app, '/shop/empty'), '404')
    assert.equal(ask(app, '/shop/getter'), 'Shop Getter.index()')
    assert.equal(ask(app, '/shop/no-prototype'), 'Shop NoPrototype.index()')
  })

  it('says what is wrong with a table that is no plain object [HOLD-35]', () => {
    const inherited: unknown = Object.create({ index: [] })
    for (const [given, ...texts] of [
      [inherited, 'an object with a prototype, whose entries are not read', 'plain object'],
      [
        Object.assign(Object.create(Object.create(null) as object) as object, { show: [] }),
        'with a prototype',
      ],
      [new Map([['show', []]]), 'static actions is an instance of Map', 'such as { index: [] }'],
      [['show'], 'static actions is a list of 1', 'such as { index: [] }'],
    ] as const)
      assert.throws(() => boot(given), fails('invalid-action', 'ProbeController', ...texts))
  })

  it('x() and xGet() cannot coexist [CONV-13]', () => {
    assert.throws(
      () => boot({ show: [], showGet: [] }),
      fails('verb-conflict', 'ProbeController::show', 'ProbeController::showGet'),
    )
    assert.doesNotThrow(() => boot({ show: [], showHead: [] }))
  })

  it('refuses what stands for a form or a parameter and is neither [CONV-33]', () => {
    for (const parameter of [
      { role: 'form' },
      { role: 'form', submit: true },
      { role: 'body' },
      { submit: () => undefined },
      null,
      'show',
    ])
      assert.throws(() => boot({ show: [parameter] }), fails('invalid-parameter', 'ProbeController::show'))
    assert.doesNotThrow(() => boot({ show: [form(schema)] }))
  })

  it('refuses two methods that a URL spells alike', () => {
    assert.throws(() => boot({ show: [], Show: [] }), fails('invalid-action', '"show"'))
  })

  it('refuses names that no URL can hold, at boot [HOLD-35]', () => {
    const name = 'a\ud800'
    const methods = {
      [name]: class ProbeController {
        static readonly actions = { [name]: [] };
        [name](): void {}
      },
    }
    const names = {
      [name]: class {
        static readonly actions = { show: [] }
        show(): void {}
      },
    }

    for (const type of [methods[name], names[name]] as ControllerClass[])
      assert.throws(() => router([conventional('Shop', [type])]), fails('invalid-action', 'lone surrogate'))
  })

  it('refuses entries that name no method of the prototype, at boot [CONV-34]', () => {
    for (const name of [
      'fixed',
      'field',
      'virtual',
      'nothing',
      'constructor',
      '__get',
      '__proto_',
      'toString',
      'hasOwnProperty',
    ]) {
      assert.throws(() => boot({ [name]: [] }), fails('invalid-action', 'ProbeController', name))
    }
    assert.doesNotThrow(() => boot({ __invoke: [] }))
  })

  it('refuses every other kind of parameter, at boot [CONV-26]', () => {
    const text = param.string('a')
    const signatures: Readonly<Record<string, readonly unknown[]>> = {
      'a type': [String],
      'a name': ['slug'],
      'a hole': [undefined],
      'an object': [{ name: 'slug', role: 'required' }],
      'two inputs': [input(schema), input(schema)],
      'input before a segment': [input(schema), text],
      'rest before a segment': [param.rest(param.int('b')), text],
      'rest before input': [param.rest(param.int('b')), input(schema)],
      'required behind optional': [param.int('b').optional(), text],
      'a name twice': [text, param.int('a')],
      'an empty name': [param.string('')],
    }
    for (const [what, signature] of Object.entries(signatures)) {
      assert.throws(
        () => boot({ show: signature }),
        fails('invalid-parameter', 'ProbeController::show'),
        what,
      )
    }
    assert.throws(() => boot({ show: param.string('a') }), fails('invalid-action', 'list of parameters'))
    assert.throws(() => boot([1]), fails('invalid-action'))
    assert.throws(() => boot(null), fails('invalid-action'))
  })

  it('merges tables over those of ancestors, and undefined withdraws an entry', () => {
    class Base {
      static readonly actions: Record<string, ActionParameter[] | undefined> = { show: [], list: [] }
      show(): void {}
      list(): void {}
    }
    class Derived extends Base {
      static override readonly actions = { show: undefined, list: [param.int('page')], more: [] }
      more(): void {}
    }
    const app = router([conventional('Shop', [Derived])])

    assert.equal(app.match('GET', '/shop/derived/show').kind, 'notFound')
    assert.equal(app.match('GET', '/shop/derived/more').kind, 'found')
    assert.equal(app.match('GET', '/shop/derived/list').kind, 'notFound')
    assert.equal(app.match('GET', '/shop/derived/list/2').kind, 'found')
  })

  it('refuses a method that a class without a common ancestor does not have', () => {
    class Rootless {
      static readonly actions = { show: [], more: [] } as unknown as ActionTable
      show(): void {}
    }
    Object.setPrototypeOf(Rootless.prototype, null)

    assert.throws(
      () => router([conventional('Shop', [Rootless])]),
      fails('invalid-action', 'Rootless', 'it has no method "more"'),
    )
  })

  it('refuses an inheriting controller whose own table has a misspelled name, and no other member [HOLD-35]', () => {
    const named = (name: string, table: unknown): ControllerClass => {
      class Base {
        static readonly actions: ActionTable = { show: [] }
        show(): void {}
      }
      class Derived extends Base {}
      Object.defineProperty(Derived, name, { value: table })
      return Derived
    }

    for (const name of ['acitons', 'Actions', 'action', 'actionss', 'ctions', 'acctions'])
      for (const table of [{ show: undefined }, { show: [] }, {}])
        assert.throws(
          () => router([conventional('Shop', [named(name, table)])]),
          fails('invalid-action', 'Derived', `"static ${name}"`, '"static actions"'),
          name,
        )
    for (const [name, table] of [
      ['action', 'show'],
      ['action', { show: 'all' }],
      ['action', null],
      ['options', { show: [] }],
      ['ations2', { show: [] }],
    ] as const)
      assert.equal(
        ask(router([conventional('Shop', [named(name, table)])]), '/shop/derived/show'),
        'Shop Derived.show()',
      )
  })

  it('refuses what is no class with a name', () => {
    const odd = [() => undefined, null, {}, class {}] as unknown as ControllerClass[]

    for (const type of odd)
      assert.throws(() => router([conventional('Shop', [type])]), fails('invalid-action'))
  })

  it('a verb stands at the end of a name, behind something [CONV-11]', () => {
    class ShopController {
      static readonly actions = { showPosters: [], post: [], getTicket: [], putDelete: [] }
      showPosters(): void {}
      post(): void {}
      getTicket(): void {}
      putDelete(): void {}
    }
    const app = router([conventional('Shop', [ShopController])])

    for (const [path, action] of [
      ['GET /shop/shop/show-posters', 'ShopController.showPosters()'],
      ['GET /shop/shop/post', 'ShopController.post()'],
      ['GET /shop/shop/get-ticket', 'ShopController.getTicket()'],
      ['DELETE /shop/shop/put', 'ShopController.putDelete()'],
    ] as const)
      assert.equal(ask(app, path), `Shop ${action}`)
    assert.equal(ask(app, 'POST /shop/shop/show'), '404')
  })

  it('refuses what a class of the platform has, and says what to do [CONV-32]', () => {
    class Basket extends Map {
      static readonly actions: ActionTable = { clear: [] }
    }

    assert.throws(
      () => router([conventional('Shop', [Basket])]),
      fails(
        'invalid-action',
        'is inherited from Map and open to every URL; remove it from the static actions',
      ),
    )
  })

  it('takes a schema that is a function, and nothing that only looks like one', () => {
    const callable = Object.assign(() => undefined, schema)
    const without = { version: 1, vendor: 'test' }

    assert.doesNotThrow(() => boot({ show: [input(callable)] }))
    for (const given of [
      undefined,
      null,
      'schema',
      () => undefined,
      { '~standard': null },
      { '~standard': () => undefined },
      { '~standard': without },
      { '~standard': { ...schema['~standard'], version: 2 } },
    ])
      assert.throws(
        () => boot({ show: [input(given as never)] }),
        fails('invalid-parameter', 'ProbeController::show'),
      )
  })
})
