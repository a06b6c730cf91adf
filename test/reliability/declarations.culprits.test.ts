/** Whatever keeps an application from booting says whose it is: the class, the module and its place. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { App, Controller, defineModule, HttpContext, inject, type Module } from 'sallyport'
import type { Middleware, Next } from 'sallyport/http'

abstract class Step implements Middleware {
  process(_context: unknown, next: Next): Promise<Response> {
    return next()
  }

  resolve(): null {
    return null
  }
}

class Needy extends Step {
  readonly key: string

  constructor(key: string) {
    super()
    this.key = key
  }
}

class OfRequest extends Step {
  readonly context = inject(HttpContext)
}

class Asking extends Step {
  readonly needy = inject(Needy as unknown as new () => Needy)
}

class Cart {
  static readonly actions = { index: [] }
  index(): void {}
}

class CartController extends Controller {
  static readonly actions = { index: [] }
  index(): void {}
}

class Unlisted extends Controller {
  readonly actions = { index: [] }
  index(): void {}
}

type Declare = (module: Module) => unknown

const CULPRITS: readonly (readonly [what: string, culprits: readonly string[], declare: Declare])[] = [
  ['two controllers of one URL', ['Cart', 'CartController'], (m) => m.controllers(Cart, CartController)],
  ['a controller without a static table', ['Unlisted'], (m) => m.controllers(Unlisted)],
  ['a middleware with a required argument', ['Needy'], (m) => m.middleware(Needy as never)],
  ['a middleware that keeps a request', ['OfRequest'], (m) => m.middleware(OfRequest)],
  ['a middleware whose service cannot be built', ['Asking', 'Needy'], (m) => m.middleware(Asking)],
  ['a resolver with a required argument', ['Needy'], (m) => m.resolver(Needy as never)],
  ['a resolver that keeps a request', ['OfRequest'], (m) => m.resolver(OfRequest)],
  ['a resolver whose service cannot be built', ['Asking', 'Needy'], (m) => m.resolver(Asking)],
]

describe('a refused boot', () => {
  for (const [what, culprits, declare] of CULPRITS) {
    it(`names ${what} with the module and its place [HOLD-35]`, async () => {
      const app = App.create().modules(defineModule('Shop', (module) => void declare(module)))

      await assert.rejects(app.boot(), (error) => {
        assert.ok(error instanceof Error)
        assert.equal(error.name, 'RoutingException')
        for (const name of culprits) assert.match(error.message, new RegExp(`\\b${name}\\b`))
        assert.match(error.message, /module "Shop" \(\S+declarations\.culprits\.test\.ts:\d+\)/)
        return true
      })
    })
  }

  it('gives the place of a module without a name [HOLD-35]', async () => {
    const app = App.create().modules(defineModule(() => undefined))

    await assert.rejects(app.boot(), {
      name: 'TypeError',
      message: /without a name.*culprits\.test\.ts:\d+\)$/,
    })
  })

  it('leaves alone what a constructor of the application throws [HOLD-35]', async () => {
    const fault = new Error('no key')
    class Failing extends Step {
      constructor() {
        super()
        throw fault
      }
    }
    for (const declare of [
      (module: Module) => module.middleware(Failing),
      (module: Module) => module.resolver(Failing),
    ])
      await assert.rejects(
        App.create()
          .modules(defineModule('Shop', (module) => void declare(module)))
          .boot(),
        (error) => error === fault,
      )
  })
})
