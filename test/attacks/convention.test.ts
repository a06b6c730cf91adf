import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { defineModule } from 'sallyport'
import { RoutingException } from 'sallyport/routing'
import { Traced } from './fixture/pages.ts'
import { CartController } from './fixture/shop.ts'
import { World } from './fixture/world.ts'
import type { ActionTable } from '../../src/routing/declaration/controller-class.ts'

/** The cart once more, for a module with a table. */
class BasketController extends CartController {}

async function assertAll404(world: World, targets: readonly string[]): Promise<void> {
  for (const target of targets) {
    const { status } = await world.fetch({ target })
    assert.equal(status, 404, target)
  }
  assert.deepEqual(world.trace.handlers, [])
}

describe('abuse of the convention', () => {
  it('names of the language are not actions [A-031]', async (test) => {
    const world = await World.create(test)
    await assertAll404(world, [
      ...[
        'constructor',
        '__proto__',
        'to-string',
        'has-own-property',
        'value-of',
        '%5f_proto__',
        '__define-getter__',
      ].map((name) => `/shop/cart/${name}`),
      '/shop/constructor',
      '/shop/__proto__',
    ])
  })

  it('the verb of a name belongs to it, and is never part of a URL [A-032]', async (test) => {
    const world = await World.create(test)
    const browser = world.browser()
    await browser.get('/login')
    const headers = { 'x-csrf-token': browser.token }
    assert.equal((await browser.get('/shop/cart/add-post')).status, 404)
    assert.equal((await browser.send('POST', '/shop/cart/add-post', { headers })).status, 404)
    assert.equal((await browser.send('POST', '/shop/cart/add', { headers })).body, 'added')
    assert.equal(world.trace.last?.handler, 'shop.addPost')
    const put = await browser.send('PUT', '/shop/cart/add', { headers })
    assert.deepEqual([put.status, put.headers.get('allow')], [405, 'POST'])
    const withValue = await browser.send('PUT', '/shop/cart/add/x', { headers })
    assert.deepEqual([withValue.status, withValue.headers.get('allow')], [405, 'GET, HEAD'])
  })

  it('another spelling redirects to the canonical one directly [A-033]', async (test) => {
    const world = await World.create(test)
    const expected = {
      '/shop/Cart/': '/shop/cart/',
      '/shop/cart/typedInt/5': '/shop/cart/typed-int/5',
      '/shop/index/': '/shop/',
      '/shop/cart/index/': '/shop/cart/',
    }
    for (const [target, location] of Object.entries(expected)) {
      const first = await world.fetch({ target })
      assert.deepEqual([first.status, first.headers.get('location')], [308, location], target)
      assert.equal((await world.fetch({ target: location })).status, 200, location)
    }
  })

  it('an integer has one spelling [A-034]', async (test) => {
    const world = await World.create(test)
    const texts = [
      '1e3',
      '0x10',
      '+5',
      '%205',
      '5%20',
      '5.0',
      '-0',
      '1_0',
      '9007199254740993',
      '%D9%A3',
      'Infinity',
      'NaN',
      '05',
      '5n',
    ]
    await assertAll404(world, [
      ...texts.map((text) => `/shop/cart/typed-int/${text}`),
      '/shop/cart/typed-int/',
      '/shop/cart/typed-int',
    ])
    assert.ok([400, 404].includes((await world.fetch({ target: '/shop/cart/typed-int/5%0a' })).status))
    assert.deepEqual(world.trace.handlers, [])
    assert.deepEqual(JSON.parse((await world.fetch({ target: '/shop/cart/typed-int/5' })).body), { n: 5 })
    for (const text of ['-5', '9007199254740991']) {
      const { status } = await world.fetch({ target: `/shop/cart/typed-int/${text}` })
      assert.equal(status, 200, text)
    }
  })

  it('an action accepts as many segments as it declares [A-035]', async (test) => {
    const world = await World.create(test)
    assert.equal((await world.fetch({ target: '/shop/cart/add/a/b' })).status, 404)
    assert.deepEqual(JSON.parse((await world.fetch({ target: '/shop/cart/list/a/b/c' })).body), {
      items: ['a', 'b', 'c'],
    })
  })

  it('an action that a table names is reached only by the table [A-036]', async (test) => {
    const owned = defineModule('Owned', (module) =>
      module.controllers(BasketController).routes((routes) => {
        routes.get('/total/{n}', [BasketController, 'typedInt']).where('n', '\\d+').name('total')
      }),
    )
    const world = await World.create(test, { modules: [owned] })
    await assertAll404(
      world,
      ['typed-int', 'typedint', 'typedInt', 'TYPED-INT'].map((name) => `/owned/basket/${name}/5`),
    )
    const router = world.fixture.app.router()
    assert.throws(
      () => router.urlFor([BasketController, 'typedInt'], [5]),
      (error) =>
        error instanceof RoutingException &&
        error.code === 'explicit-action' &&
        error.message.includes('total'),
    )
  })

  it('visibility does not matter: what is not in the table is not reachable [A-037]', async (test) => {
    const world = await World.create(test)
    const names = [
      'hidden',
      '%23hidden',
      '_underscore',
      'underscore',
      'kept',
      'static-action',
      'accessor',
      'actions',
      'context',
      'trace',
    ]
    await assertAll404(
      world,
      [...names, 'ran', 'page', 'redirect', 'view'].map((name) => `/shop/cart/${name}`),
    )
    assert.equal(world.trace.effects, 0)

    class Wrong extends Traced {
      static readonly actions = { accessor: [] } as unknown as ActionTable
      get accessor(): string {
        return 'getter'
      }
    }
    const wrong = defineModule('Wrong', (module) => module.controllers(Wrong))
    await assert.rejects(
      World.create(test, { modules: [wrong] }).then(({ fixture }) => fixture.app.boot()),
      {
        code: 'invalid-action',
      },
    )
  })

  it('members of functions are not actions, and a controller is not a promise [A-038]', async (test) => {
    const world = await World.create(test)
    const names = [
      'call',
      'apply',
      'bind',
      'name',
      'length',
      'prototype',
      'caller',
      'arguments',
      'then',
      'to-json',
      'symbol.iterator',
    ]
    await assertAll404(
      world,
      names.map((name) => `/shop/cart/${name}`),
    )
    assert.deepEqual(JSON.parse((await world.fetch({ target: '/shop/cart/add/x' })).body), { value: 'x' })
  })
})
