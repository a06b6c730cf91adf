import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { type Route, RoutingException, type RouteOptions, type RouteRequest } from 'sallyport/routing'

import { conventional, module, PageController, resolver, router, show } from '../fixture.ts'

const LOCALES = { locales: ['fr', 'en'], localePrefixes: true }

/** A router whose resolver gives one route with some options. */
function answering(action: string, options: unknown, localized = false): () => string {
  const answer = resolver(
    { resolve: (request): Route => request.route(PageController, action, options as RouteOptions) },
    200,
  )
  const app = router([conventional('Shop', [PageController], { localized, steps: [answer] })], LOCALES)
  return () => show(app.match('GET', localized ? '/fr/shop/x' : '/shop/x'))
}

/** A promise that rejects, and whose rejection is handled: others run their tests while it waits for its own. */
function lost(): Promise<never> {
  const promise = Promise.reject(new Error('lost'))
  promise.catch(() => undefined)
  return promise
}

describe('RouteRequest.route()', () => {
  for (const [options, message] of [
    [null, 'Cannot route with null as options: pass an object such as { args: [42] }'],
    ['en', 'Cannot route with "en" as options: pass an object such as { args: [42] }'],
    [{ args: 'a' }, 'Cannot route with "a" as args: pass a list'],
    [{ args: null }, 'Cannot route with null as args: pass a list'],
    [{ locale: 5 }, 'Cannot route with 5 as the locale: pass a language tag'],
    [{ locale: null }, 'Cannot route with null as the locale: pass a language tag'],
    [['x'], 'Cannot route with a list of 1 as options: pass an object such as { args: [42] }'],
    [{ arg: [1] }, 'Cannot route with the option "arg": the options are args, bindings and locale'],
    [{ bindings: null }, 'Cannot route with null as bindings: pass an object such as { page }'],
    [{ bindings: [{}] }, 'Cannot route with a list of 1 as bindings: pass an object such as { page }'],
    [{ bindings: 'x' }, 'Cannot route with "x" as bindings: pass an object such as { page }'],
    [
      { bindings: { post: 'x', page: lost() } },
      'Cannot route with "x" as the binding "post": it must be an object',
    ],
    [{ bindings: lost() }, 'Cannot route with a promise as bindings: pass an object such as { page }'],
    [{ bindings: { page: 'x' } }, 'Cannot route with "x" as the binding "page": it must be an object'],
    [{ bindings: { page: null } }, 'Cannot route with null as the binding "page": it must be an object'],
    [
      { bindings: { page: undefined } },
      'Cannot route with undefined as the binding "page": it must be an object',
    ],
    [
      { bindings: { page: lost(), post: 'x' } },
      'Cannot route with a promise as the binding "page": await it in resolve()',
    ],
    [
      { bindings: Promise.resolve({}) },
      'Cannot route with a promise as bindings: pass an object such as { page }',
    ],
  ] as const) {
    it(`refuses with "${message}", and says where [HOLD-35]`, () => {
      assert.throws(answering('index', options), (error) => {
        assert.ok(error instanceof TypeError)
        assert.ok(error.message.startsWith(`${message} (`), error.message)
        return /route-request\.test\.ts:\d+\)$/.test(error.message)
      })
    })
  }

  for (const [way, copy] of [
    ['a proxy of the request', (request: RouteRequest) => new Proxy(request, {})],
    ['an object made of the request', (request: RouteRequest) => Object.create(request) as RouteRequest],
    [
      'an object with its method',
      (request: RouteRequest) => Object.assign({ ...request }, { route: request.route }),
    ],
  ] as const) {
    it(`says that ${way} makes no routes [ROUTE-27]`, () => {
      const answer = resolver({
        resolve: (request) => copy(request as RouteRequest).route(PageController, 'index'),
      })
      const app = router([module('Site', { mount: '/', steps: [answer] })])

      assert.throws(() => app.match('GET', '/x'), {
        name: 'TypeError',
        message:
          /^Cannot route with a copy of a request.*: call route\(\) on the request that resolve\(\) received/,
      })
    })
  }

  it('takes objects, lists and functions for bindings', () => {
    const bindings = { page: {}, list: [], run: () => undefined }

    assert.equal(answering('index', { bindings })(), 'Shop PageController.index()')
  })

  for (const [action, args, takes] of [
    ['index', ['a'], '0 to 0'],
    ['pair', ['a'], '2 to 2'],
    ['range', [], '1 to 2'],
    ['range', [1, 2, 3], '1 to 2'],
  ] as const) {
    it(`refuses ${args.length} arguments for ${action}(), which takes ${takes}`, () => {
      assert.throws(
        answering(action, { args }),
        (error) =>
          error instanceof RoutingException &&
          error.code === 'invalid-parameter' &&
          error.message.endsWith(`in module "Shop": it takes ${takes}`),
      )
    })
  }

  it('takes as many arguments as the action, and none where none are given', () => {
    assert.equal(answering('index', {})(), 'Shop PageController.index()')
    assert.equal(answering('index', undefined)(), 'Shop PageController.index()')
    assert.equal(answering('pair', { args: ['a', 'b'] })(), 'Shop PageController.pair("a", "b")')
    assert.equal(answering('range', { args: [1] })(), 'Shop PageController.range(1)')
    assert.equal(answering('range', { args: [1, 2] })(), 'Shop PageController.range(1, 2)')
  })

  it('imposes the locale that it is given as it was declared, else that of the URL', () => {
    assert.equal(answering('index', {}, true)(), 'Shop PageController.index() [fr]')
    assert.equal(answering('index', { locale: 'EN' }, true)(), 'Shop PageController.index() [en]')
    assert.equal(answering('index', { locale: 'de' }, true)(), 'Shop PageController.index() [fr]')
  })
})
