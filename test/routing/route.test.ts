import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { App, Controller, defineModule, type HttpContext } from 'sallyport'
import type { Middleware, Next } from 'sallyport/http'
import {
  type Actions,
  input,
  param,
  type Route,
  type RouteMatch,
  type Router,
  type RouteRequest,
  TrailingSlash,
} from 'sallyport/routing'
import { TestClient } from 'sallyport/testing'

import { inspect, claim, module, resolver, router, table } from './fixture.ts'
import type { ModuleRouting } from '../../src/routing/internal.ts'

class Gate implements Middleware {
  process(_context: unknown, next: Next): Promise<Response> {
    return next()
  }
}

const anything = {
  '~standard': { version: 1, vendor: 'test', validate: (value: unknown) => ({ value }) },
} as const

class ItemController {
  static readonly actions = {
    index: [],
    show: [param.string('id')],
    pair: [param.int('a'), param.string('b').optional()],
    tags: [param.rest(param.string('tag'))],
    addPost: [param.string('x').optional(), input(anything)],
  } satisfies Actions<ItemController>
  index(): void {}
  show(_id: string): void {}
  pair(_a: number, _b?: string): void {}
  tags(..._tags: string[]): void {}
  addPost(_x?: string, _input?: unknown): void {}
}

class FoundController {
  static readonly actions = { show: [param.string('id')] } satisfies Actions<FoundController>
  show(_id: string): void {}
}

const page = { title: 'page' }

function modules(): ModuleRouting[] {
  const finder = {
    resolve: (request: RouteRequest) =>
      request.segments[0] === 'found'
        ? request.route(FoundController, 'show', { args: ['x'], bindings: { page } })
        : null,
  }
  return [
    module('Shop', {
      controllers: [ItemController],
      middlewares: [Gate as never],
      steps: [
        table((r) => {
          r.get('/', [ItemController, 'index']).name('home')
          r.map(['PUT', 'PATCH'], '/i/{id}', [ItemController, 'show'])
            .name('item')
            .where('id', '[a-z]+')
            .default('id', 'x')
          r.post('/add', [ItemController, 'addPost']).name('add')
          r.post('/typed/{a}', [ItemController, 'pair']).name('typed')
          r.prefix('/g')
            .middleware(Gate as never)
            .group((g) => g.get('/x', [ItemController, 'index']).name('x'))
        }),
        claim('/claimed', (r) => r.get('/{id}', [FoundController, 'show']).name('claimed')),
        resolver(finder, 500),
      ],
    }),
  ]
}

const ASKED = [
  'GET /shop',
  'GET /SHOP',
  'PUT /shop/i/abc',
  'GET /shop/i/abc',
  'DELETE /shop/typed/5',
  'POST /shop/typed/5',
  'POST /shop/add',
  'GET /shop/add',
  'GET /shop/g/x',
  'GET /claimed/a',
  'POST /claimed/a',
  'GET /shop/found',
  'GET /shop/item/tags/a/b',
  'POST /shop/item/tags/a/b',
  'GET /nothing',
  'GET /%',
]

const OPTIONS = { trailingSlash: TrailingSlash.Remove }

/** Everything that can be reached from an answer of the router by properties, but classes, schemas and what was bound. */
function reachable(start: unknown): readonly object[] {
  const seen = new Set<object>()
  const open: unknown[] = [start]
  while (open.length > 0) {
    const value = open.pop()
    if (
      typeof value !== 'object' ||
      value === null ||
      seen.has(value) ||
      value === page ||
      value === anything
    )
      continue
    seen.add(value)
    for (let type: object | null = value; type !== null && type !== Object.prototype; type = parentOf(type)) {
      if (Array.isArray(value) && type !== value) break
      for (const [name, { get }] of Object.entries(Object.getOwnPropertyDescriptors(type)))
        if (Object.hasOwn(type, name) && (get !== undefined || type === value))
          open.push(Reflect.get(value, name))
    }
  }
  return [...seen]
}

function parentOf(type: object): object | null {
  return Object.getPrototypeOf(type) as object | null
}

/** Tries to change each property and to add one; what is not taken is as good as frozen. */
function spoil(value: object): void {
  for (const name of [
    ...Reflect.ownKeys(value),
    'added',
    'target',
    'args',
    'middlewares',
    'where',
    'defaults',
    'locale',
    0,
  ]) {
    if (name === 'length') continue
    Reflect.set(value, name, name === 'args' ? ['spoilt'] : 'spoilt')
    Reflect.deleteProperty(value, name)
  }
  if (Array.isArray(value) && !Object.isFrozen(value)) value.push('spoilt')
}

function ask(app: Router, asked: string): RouteMatch {
  const [method = '', path = ''] = asked.split(' ')
  return app.match(method, path)
}

/** What a route says of itself. */
function factsOf(route: Route): Readonly<Record<string, unknown>> {
  const {
    args,
    locale,
    name,
    module: owner,
    action,
    middlewares,
    where,
    defaults,
    priority,
    bindings,
  } = route
  const parameters = route.target.action.parameters.map((each) => [each.name, each.role, each.type.name])
  return { args, locale, name, owner, action, middlewares, where, defaults, priority, bindings, parameters }
}

function named(_: string, value: unknown): unknown {
  return typeof value === 'function' ? value.name : value
}

function facts(app: Router): readonly unknown[] {
  const matches = ASKED.map((asked) => {
    const match = ask(app, asked)
    if (match.kind !== 'found') return match
    return factsOf(match.route)
  })
  return structuredClone([
    matches.map((each) => JSON.stringify(each, named)),
    app.url('shop:item'),
    app.url('shop:add', {}),
    inspect(app)
      .routes()
      .map((each) => JSON.stringify({ ...each, source: null })),
    inspect(app).locales,
  ])
}

describe('what a match hands out', () => {
  it('changes nothing that is declared, whatever is done to it [HOLD-34]', () => {
    const app = router(modules(), { ...OPTIONS, locales: ['fr', 'en'] })
    const expected = facts(app)

    for (let turn = 0; turn < 2; turn++) {
      for (const asked of ASKED) for (const value of reachable(ask(app, asked))) spoil(value)
      for (const value of reachable(inspect(app).routes())) spoil(value)
      spoil(inspect(app).locales)
      const explained = inspect(app).explain('PUT', '/shop/i/abc')
      assert.ok(!(explained instanceof Promise))
      for (const value of reachable(explained)) spoil(value)
    }

    assert.deepEqual(facts(app), expected)
  })

  it('is frozen where more than one match has it [HOLD-34]', () => {
    const app = router(modules(), OPTIONS)

    for (const asked of ASKED) {
      const again = new Set(reachable(ask(app, asked)))
      for (const value of reachable(ask(app, asked)))
        if (again.has(value))
          assert.ok(Object.isFrozen(value), `${asked}: ${value.constructor.name} ${JSON.stringify(value)}`)
    }
  })

  it('is another request’s own: nothing that is done to one match changes one that was made before [HOLD-34]', () => {
    const app = router(modules(), OPTIONS)
    const shown = (match: RouteMatch): string =>
      match.kind === 'found' ? JSON.stringify(factsOf(match.route), named) : JSON.stringify(match)

    for (let turn = 0; turn < 2; turn++) {
      for (const asked of ASKED) {
        const held = ask(app, asked)
        const expected = shown(held)

        for (const value of reachable(ask(app, asked))) spoil(value)

        assert.equal(shown(held), expected, asked)
      }
    }
  })

  it('takes no guard away and changes no later URL [HOLD-34]', async () => {
    const seen: string[] = []
    class Guard implements Middleware {
      process(_context: unknown, next: Next): Promise<Response> {
        seen.push('guard')
        return next()
      }
    }
    class PageController extends Controller {
      static readonly actions = { show: [param.string('id')] } satisfies Actions<PageController>
      show(_id: string): string {
        const { target } = this.context.route()
        for (const name of ['middlewares', 'chain', 'action', 'defaults']) Reflect.set(target, name, [])
        Reflect.set(this.context.route().defaults, 'id', 'q')
        assert.throws(() => (target.middlewares as unknown[]).pop(), TypeError)
        return this.context.url('shop:page')
      }
    }
    const shop = defineModule('Shop', (declared) =>
      declared.routes((routes) => {
        routes.get('/{id}', [PageController, 'show']).name('page').default('id', 'x').middleware(Guard)
      }),
    )
    const client = new TestClient(App.create().modules(shop))

    for (let turn = 0; turn < 3; turn++) assert.equal(await (await client.get('/shop/a')).text(), '/shop/x')
    assert.deepEqual(seen, ['guard', 'guard', 'guard'])
  })

  it('leaves the arguments as the URL has them, whichever way the action was found [HOLD-34]', async () => {
    const refused: unknown[] = []
    class Meddle implements Middleware<HttpContext> {
      process(context: HttpContext, next: Next) {
        const { args } = context.route()
        for (const change of [
          () => Reflect.set(args, 0, 'other'),
          () => Reflect.set(args, 'length', 0),
          () => Reflect.defineProperty(args, 0, { value: 'other' }),
        ])
          refused.push(change())
        assert.throws(() => (args as unknown[]).push('more'), TypeError)
        return next()
      }
    }
    class PageController extends Controller {
      static readonly actions = {
        show: [param.string('id')],
        tags: [param.rest(param.string('id'))],
        plain: [],
      } satisfies Actions<PageController>
      show(id: string): string {
        return id
      }
      tags(...given: string[]): string {
        return given.join()
      }
      plain(): string {
        return ''
      }
    }
    class PageResolver {
      resolve(request: RouteRequest) {
        return request.segments[0] === 'r' ? request.route(PageController, 'show', { args: ['ada'] }) : null
      }
    }
    const shop = defineModule('Shop', (declared) =>
      declared
        .middleware(Meddle)
        .controllers(PageController)
        .routes((routes) => {
          routes.get('/t/{id}', [PageController, 'show'])
          routes.get('/p', [PageController, 'plain'])
        })
        .resolver(PageResolver),
    )
    const client = new TestClient(App.create().modules(shop))

    const answers = []
    for (const path of ['t/ada', 'p', 'page/tags/ada/eve', 'r'])
      answers.push(await (await client.get(`/shop/${path}`)).text())

    assert.deepEqual(answers, ['ada', '', 'ada,eve', 'ada'])
    assert.ok(refused.length === 12 && !refused.includes(true), JSON.stringify(refused))
  })

  it('gives each builder its own, so that nobody takes the place of the dispatcher [HOLD-34]', () => {
    const route = ask(router(modules()), 'GET /shop') as Route
    const [one, other] = [() => ({}), () => ({})]

    const first = route.target.built(one)
    assert.equal(route.target.built(one), first)
    assert.notEqual(route.target.built(other), first)
  })
})

describe('what an application was handed', () => {
  it('may change afterwards without changing it [HOLD-34]', async () => {
    const locales = ['fr', 'en']
    const controllers: (typeof ItemController)[] = [ItemController]
    const steps = [table((r) => r.get('/a', [ItemController, 'index']).name('a'))]
    const mount: Record<string, string> = { fr: 'boutique', en: 'shop' }
    const parts = { controllers, steps, mount, localized: true, middlewares: [] as never[] }
    const app = router([module('Shop', parts)], { ...OPTIONS, locales, localePrefixes: true })
    locales.splice(0, 2, 'de')
    controllers.length = 0
    steps.length = 0
    parts.middlewares.push(Gate as never)
    mount['fr'] = 'laden'

    const match = app.match('GET', '/fr/boutique/a')
    assert.ok(match.kind === 'found')
    assert.deepEqual([match.route.locale, match.route.middlewares], ['fr', []])
    assert.equal(app.url('shop:a', {}, 'en'), '/en/shop/a')
    assert.equal(app.match('GET', '/en/shop/item/tags/x').kind, 'found')

    const given = ['fr', 'en']
    const whole = App.default({ locales: given }).modules(
      defineModule('Site', (declared) => declared.mount('/').localized().controllers(ItemController)),
    )
    given.reverse()
    await whole.boot()
    assert.deepEqual((await whole.inspection()).locales, ['fr', 'en'])
  })
})
