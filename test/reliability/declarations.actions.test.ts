import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import { PassThrough, Readable } from 'node:stream'
import { describe, it } from 'node:test'

import { App, Controller, defineModule, type Module } from 'sallyport'
import { param, type RouteRequest } from 'sallyport/routing'
import type { ActionTable } from '../../src/routing/declaration/controller-class.ts'
import type { ControllerClass } from '../../src/routing/index.ts'

/** Everything that a controller inherits: what the framework gives it, and what every object has. */
const INHERITED = [
  ...Object.getOwnPropertyNames(Controller.prototype),
  ...Object.getOwnPropertyNames(Object.prototype),
]

type Way = (module: Module, type: ControllerClass, name: never) => unknown

/** Each way by which a URL gets to an action. */
const WAYS: readonly (readonly [string, Way])[] = [
  ['the convention', (module, type) => module.controllers(type)],
  ['a route', (module, type, name) => module.routes((routes) => void routes.get('/x', [type, name]))],
  ['a claim', (module, type, name) => module.claim('/site/x', (routes) => void routes.get('', [type, name]))],
  [
    'a resolver',
    (module, type, name) =>
      module.resolver({ resolve: (request: RouteRequest) => request.route(type, name) }),
  ],
]

/** A controller with an action table as an untyped caller might write it. */
function withActions(
  actions: unknown,
  base: new () => object = class extends Controller {},
): ControllerClass {
  return class ShopController extends base {
    static readonly actions = actions as ActionTable
    show(): string {
      return 'shop'
    }
  }
}

/** What is said of a module at boot, or else with the first request; null: it answers. */
async function refusalOf(configure: (module: Module) => unknown): Promise<string | null> {
  const told: unknown[] = []
  try {
    const app = await App.create()
      .modules(defineModule('Site', (module) => void configure(module)))
      .onError((error) => void told.push(error))
      .boot()
    const { status } = await app.fetch(new Request('http://localhost/site/x'))
    if (status === 200) return null
  } catch (error) {
    told.push(error)
  }
  return told.map(String).join('\n')
}

describe('an action', () => {
  for (const [way, declare] of WAYS)
    it(`that ${way} leads to is a method of the application, never an inherited helper [HOLD-35]`, async () => {
      for (const name of INHERITED) {
        const type = withActions({ ['show']: [], [name]: [param.string('url').optional()] })

        const refusal = await refusalOf((module) => declare(module, type, name as never))

        assert.match(String(refusal), new RegExp(`ShopController: .*"${name}"`), name)
      }
    })

  it('is not a method of a platform class [HOLD-35]', async () => {
    const list = withActions({ push: [param.string('item')] }, Array)

    const refusal = await refusalOf((module) => module.controllers(list))

    assert.match(String(refusal), /ShopController: "push" is inherited from Array and open to every URL/)
  })

  const PLATFORM: readonly (readonly [string, new () => object])[] = [
    ['emit', class extends EventEmitter {}],
    ['removeAllListeners', class extends EventEmitter {}],
    ['destroy', class extends Readable {}],
    ['pipe', class extends PassThrough {}],
  ]
  for (const [method, base] of PLATFORM) {
    it(`is never "${method}" of a class of Node [HOLD-35]`, async () => {
      const type = withActions({ [method]: [] }, base)

      for (const [, lead] of WAYS) {
        const refusal = await refusalOf((module) => lead(module, type, method as never))
        assert.match(
          String(refusal),
          new RegExp(`ShopController: "${method}" is inherited from .* open to every URL`),
        )
      }
    })
  }

  it('may be inherited from a class without the framework, and may be mixed in [CONV-33]', async () => {
    class Base {
      list(): string {
        return 'list'
      }
    }
    const mixin = (base: new () => object) =>
      class extends base {
        list(): string {
          return 'mixed in'
        }
      }

    for (const base of [Base, mixin(Controller as new () => object)]) {
      const type = withActions({ list: [] }, base)
      assert.equal(
        await refusalOf((module) => module.routes((r) => void r.get('/x', [type, 'list' as never]))),
        null,
      )
    }
  })

  it('may be inherited from a base of the application, and may have the name of a helper', async () => {
    class Base extends Controller {
      static readonly actions: ActionTable = { list: [], text: [] }
      list(): string {
        return 'list'
      }
      protected override text(): Response {
        return super.text('own')
      }
    }
    class ShopController extends Base {}

    const app = await App.create()
      .modules(defineModule('Site', (module) => void module.controllers(ShopController)))
      .boot()

    for (const [action, body] of [
      ['list', 'list'],
      ['text', 'own'],
    ])
      assert.equal(await (await app.fetch(new Request(`http://localhost/site/shop/${action}`))).text(), body)
  })
})

describe('an action table', () => {
  it('with a misspelled name is refused, by that name [HOLD-35]', async () => {
    for (const name of ['action', 'Actions', 'ACTIONS', 'acions', 'acitons', 'actionss']) {
      class ShopController extends Controller {}
      Object.defineProperty(ShopController, name, { value: { show: [] } })

      const refusal = await refusalOf((module) => module.controllers(ShopController))

      assert.match(
        String(refusal),
        new RegExp(`ShopController: they are in "static ${name}".*; rename it to "static actions"`),
      )
    }
  })

  it('that would withdraw an inherited action is refused when misspelled [HOLD-35]', async () => {
    class AdminController extends withActions({ show: [] }) {
      static readonly action = { show: undefined }
    }

    const refusal = await refusalOf((module) => module.controllers(AdminController))

    assert.match(String(refusal), /AdminController: they are in "static action"/)
  })

  it('leaves other members alone', async () => {
    class ShopController extends withActions({ show: [] }) {
      static readonly action = 'buy'
      static readonly caption = { show: [] }
    }

    assert.doesNotMatch(String(await refusalOf((module) => module.controllers(ShopController))), /static/)
  })
})
