/** Parameter types whose functions give promises, which only a request or a check finds. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { type Actions, param, parameterType, type Router, RoutingException } from 'sallyport/routing'

import { inspect, conventional, module, resolver, router, table } from '../fixture.ts'

interface Item {
  readonly id: string
}

const parsed = parameterType<Item>({
  name: 'parsed item',
  pattern: '[a-z0-9]+',
  parse: (id) => Promise.reject(new Error(id)) as unknown as Item,
  format: ({ id }) => id,
})
const formatted = parameterType<Item>({
  name: 'formatted item',
  pattern: '[a-z0-9]+',
  parse: (id) => ({ id }),
  format: ({ id }) => Promise.reject(new Error(id)) as unknown as string,
})

class ItemController {
  static readonly actions = {
    show: [param.of(parsed, 'one')],
    all: [param.rest(param.of(parsed, 'many'))],
    spell: [param.of(formatted, 'other')],
  } satisfies Actions<ItemController>
  show(_one: Item): void {}
  all(..._many: Item[]): void {}
  spell(_other: Item): void {}
}

const byTable = (): Router =>
  router([
    module('Shop', {
      steps: [
        table((routes) => {
          routes.get('/one/{one}', [ItemController, 'show']).name('one')
          routes.get('/many/{many}', [ItemController, 'all']).where('many', '.*').name('many')
          routes.get('/other/{other}', [ItemController, 'spell']).name('other')
        }),
      ],
    }),
  ])
const byConvention = (): Router => router([conventional('Shop', [ItemController])])

const ONE =
  /parameter "one" of "one", GET \/one\/\{one\}, of ItemController::show in module "Shop": .* promise/
const MANY =
  /parameter "many" of "many", GET \/many\/\{many\}, of ItemController::all in module "Shop": .* promise/
const OTHER = /parameter "other" of "other", GET \/other\/\{other\}, of ItemController::spell in .* promise/
const PLACE = /parameter\.faults\.test\.ts:\d+\)$/

function refused(attempt: () => unknown, message: RegExp): void {
  assert.throws(attempt, (error) => {
    assert.ok(error instanceof RoutingException, String(error))
    assert.equal(error.code, 'invalid-parameter')
    assert.match(error.message, message)
    assert.match(error.message, PLACE)
    return true
  })
}

describe('A parameter type that gives a promise', () => {
  for (const [name, ask] of Object.entries({
    match: (app: Router, path: string) => app.match('GET', path),
    resolve: (app: Router, path: string) => app.resolve('GET', path),
    explain: (app: Router, path: string) => inspect(app).explain('GET', path),
  })) {
    it(`is refused by the names of parameter, route and action, by ${name}() [HOLD-36]`, () => {
      refused(() => ask(byTable(), '/shop/one/a'), ONE)
      refused(() => ask(byTable(), '/shop/many/a/b'), MANY)
      refused(
        () => ask(byConvention(), '/shop/item/show/a'),
        /parameter "one" of ItemController::show: .* promise/,
      )
      refused(() => ask(byConvention(), '/shop/item/all/a/b'), /parameter "many" of ItemController::all: /)
    })
  }

  it('is refused by the path alone where the route has no name [HOLD-36]', () => {
    const app = router([
      module('Shop', { steps: [table((routes) => routes.get('/one/{one}', [ItemController, 'show']))] }),
    ])

    refused(
      () => app.match('GET', '/shop/one/a'),
      /parameter "one" of GET \/one\/\{one\}, of ItemController::show/,
    )
    refused(() => app.match('GET', '/shop/one/a'), PLACE)
  })

  it('is refused so where a URL is made, or an argument is shown [HOLD-36]', () => {
    const item = { id: 'a' }

    refused(() => byTable().url('shop:other', { other: item as never }), OTHER)
    refused(() => byTable().url('shop:one', { one: item as never }), ONE)
    refused(
      () => byConvention().urlFor([ItemController, 'spell'], [item]),
      /parameter "other" of ItemController::spell: .*format .* promise/,
    )
    refused(
      () => inspect(byTable()).explain('GET', '/shop/other/a'),
      /parameter "other" of ItemController::spell: .* promise/,
    )
  })

  it('is a fault of a check, which goes on [HOLD-36]', () => {
    const messages = (app: Router): string[] => {
      const { findings } = inspect(app).audit()
      return findings.filter(({ severity }) => severity === 'fault').map(({ message }) => message)
    }

    const table = messages(byTable())
    const convention = messages(byConvention())

    for (const found of [ONE, OTHER])
      assert.ok(
        table.some((message) => found.test(message)),
        table.join('\n'),
      )
    assert.equal(convention.filter((message) => message.includes('parameter "one" of')).length, 1)
  })

  it('is a fault of a check that asks resolvers, too [HOLD-36]', async () => {
    const app = router([
      conventional('Shop', [ItemController], { steps: [resolver({ resolve: () => null })] }),
    ])

    const { findings } = await inspect(app).auditWithResolvers()

    assert.ok(findings.some(({ code, message }) => code === 'does-not-compile' && message.includes('"one"')))
  })
})
