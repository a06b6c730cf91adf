import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { App, defineModule, SallyportException } from 'sallyport'
import { input, param, RoutingException } from 'sallyport/routing'

import { fails, module, resolver, router, table } from './fixture.ts'
import type { ControllerClass } from '../../src/routing/index.ts'

/** The action table of a class that JavaScript would let anybody write. */
function controller(actions: unknown): ControllerClass {
  class JunkController {
    static readonly actions = actions as never
    add(): void {}
  }
  return JunkController
}

const well = { role: 'required', name: 'x', kind: 'string', parse: (text: string) => text }
const validate = (value: unknown): object => ({ value })

const JUNK: readonly (readonly [what: string, signature: unknown])[] = [
  ['input() of a class', [input(class Dto {} as never)]],
  ['input() of an empty object', [input({} as never)]],
  ['input() of nothing', [input(undefined as never)]],
  ['input() of null', [input(null as never)]],
  ['input() of a text', [input('schema' as never)]],
  [
    'input() of a schema of another version',
    [input({ '~standard': { version: 2, vendor: 'x', validate } } as never)],
  ],
  ['input() of a schema that judges nothing', [input({ '~standard': { version: 1, vendor: 'x' } } as never)]],
  ['input() of a schema whose standard is null', [input({ '~standard': null } as never)]],
  ['a plain object in the place of a parameter', [well]],
  ['a parameter without a type', [{ ...well, type: undefined }]],
  ['a parameter whose name is none', [param.string(5 as never)]],
  ['a parameter whose name is empty', [param.string('')]],
  ['param itself', [param]],
  ['a constructor', [param.string]],
  ['null', [null]],
  ['a hole', Array.from({ length: 1 })],
  ['a rest before others', [param.rest(param.string('x')), param.string('y')]],
  ['no list', param.string('x')],
  ['a list of lists', [[param.string('x')]]],
]

describe('what boot refuses of a module', () => {
  for (const [what, signature] of JUNK) {
    it(`an action table with ${what}, by module, controller and action [HOLD-35]`, () => {
      const boot = (): unknown => router([module('Shop', { controllers: [controller({ add: signature })] })])

      assert.throws(boot, (error) => {
        assert.ok(error instanceof RoutingException, String(error))
        assert.match(error.code, /^invalid-(action|parameter)$/)
        for (const part of ['module "Shop"', 'JunkController', 'add'])
          assert.ok(error.message.includes(part), error.message)
        return true
      })
    })
  }

  it('an action table that is a list [HOLD-35]', () => {
    for (const actions of [[], ['add'], 'add', () => ({})])
      assert.throws(
        () => router([module('Shop', { controllers: [controller(actions)] })]),
        fails('invalid-action', 'Shop'),
      )
  })

  it('leaves an error of the application as it is', () => {
    const broken = new TypeError('no configuration')
    class Broken {
      static get actions(): never {
        throw broken
      }
    }

    assert.throws(
      () => router([module('Shop', { controllers: [Broken] })]),
      (error) => error === broken,
    )
  })

  it('names the module also where only its table names the controller [HOLD-35]', () => {
    const unlisted = controller({ add: [input({} as never)] })
    const app = router([
      module('Shop', { steps: [table((routes) => routes.get('/', [unlisted, 'add' as never]))] }),
    ])

    assert.throws(
      () => app.match('GET', '/shop'),
      fails('invalid-parameter', 'module "Shop"', 'JunkController::add'),
    )
  })

  for (const [what, junk] of [
    ['a class without resolve()', class Silent {}],
    [
      'a class whose resolve() is static',
      class Silent {
        static resolve(): null {
          return null
        }
      },
    ],
    ['an object without resolve()', {}],
    ['an object whose resolve is no function', { resolve: 'x' }],
    ['a function', () => null],
    ['nothing', undefined],
    ['null', null],
    ['a text', 'Silent'],
  ] as const) {
    it(`a resolver that is ${what} [HOLD-35]`, () => {
      const boot = (): unknown => router([module('Shop', { steps: [resolver(junk as never)] })])

      assert.throws(boot, fails('invalid-resolver', 'module "Shop"', 'resolve(request)'))
    })
  }

  it('a resolver whose priority is no number [HOLD-35]', () => {
    for (const priority of [NaN, Infinity, '5', null])
      assert.throws(
        () => router([module('Shop', { steps: [resolver({ resolve: () => null }, priority as never)] })]),
        fails('invalid-resolver', 'Shop'),
      )
  })

  it('a resolver that cannot be built, by module and class [HOLD-35]', () => {
    class Pages {
      resolve(): null {
        return null
      }
    }
    const building = (error: Error) => () =>
      router([module('Shop', { steps: [resolver(Pages)] })], {
        service() {
          throw error
        },
      })
    const missing = new SallyportException('ERR_TEST', 'the database is not bound')
    const own = new TypeError('no configuration')

    assert.throws(building(missing), (error) => {
      assert.ok(error instanceof RoutingException && error.code === 'invalid-resolver')
      assert.equal(
        error.message,
        'Cannot use class Pages as a resolver of module "Shop": the database is not bound',
      )
      return error.cause === missing
    })
    assert.throws(building(own), (error) => error === own)
  })

  it('is refused by boot() of an application [HOLD-35]', async () => {
    const shop = defineModule('Shop', (declared) => declared.resolver(class Silent {} as never))

    await assert.rejects(App.create().modules(shop).boot(), fails('invalid-resolver', 'Shop', 'Silent'))
  })
})
