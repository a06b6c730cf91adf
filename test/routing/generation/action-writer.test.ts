import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type Actions, param } from 'sallyport/routing'
import { ask, claim, conventional, fails, PageController, router, table } from '../fixture.ts'

class CartController {
  static readonly actions: Actions<CartController> = {
    index: [],
    add: [param.string('slug')],
    addPost: [param.int('id')],
    list: [param.rest(param.string('tag'))],
    page: [param.int('from').optional(), param.int('to').optional()],
  }
  index(): void {}
  add(_slug: string): void {}
  addPost(_id: number): void {}
  list(..._tags: string[]): void {}
  page(_from?: number, _to?: number): void {}
}

class SearchController {
  static readonly actions: Actions<SearchController> = {
    __invoke: [param.string('words').optional()],
    help: [],
  }
  __invoke(_words?: string): void {}
  help(): void {}
}

const app = router([
  conventional('Shop', [CartController, SearchController], {
    steps: [
      table((routes) => {
        routes.get('/cart/add/new', [PageController, 'index'])
        routes.put('/cart/list/{slug}/edit', [PageController, 'show'])
      }),
      claim('/shop/cart/list/mine', () => undefined),
    ],
  }),
])

describe('the conventional URLs of an action that was asked for before', () => {
  it('each still reaches its action with its arguments [URL-04 URL-14]', () => {
    for (let time = 0; time < 3; time++) {
      for (const slug of ['x', 'a/b', 'é', 'NEW', '%41', '...']) {
        const url = app.urlFor([CartController, 'add'], [slug])
        assert.equal(ask(app, url), `Shop CartController.add(${JSON.stringify(slug)})`)
      }
      assert.equal(app.urlFor([CartController, 'index']), '/shop/cart')
      assert.equal(app.urlFor([CartController, 'addPost'], [time]), `/shop/cart/add/${time}`)
      assert.equal(app.urlFor([CartController, 'list'], ['a', 'b']), '/shop/cart/list/a/b')
      assert.equal(app.urlFor([CartController, 'list'], []), '/shop/cart/list')
      const many = Array.from({ length: 31 + time }, () => 'a')
      assert.equal(app.urlFor([CartController, 'list'], many), `/shop/cart/list/${many.join('/')}`)
      assert.equal(app.urlFor([CartController, 'list'], many), `/shop/cart/list/${many.join('/')}`)
      assert.equal(app.urlFor([CartController, 'page'], [1, undefined]), '/shop/cart/page/1')
      assert.equal(app.urlFor([CartController, 'page'], [1, 2]), '/shop/cart/page/1/2')
      assert.equal(app.urlFor([SearchController, '__invoke'], ['tea']), '/shop/search/tea')
    }
  })

  it('arguments that lead elsewhere are refused each time [URL-14]', () => {
    for (let time = 0; time < 3; time++) {
      for (const [method, ...args] of [
        ['add', 'new'],
        ['list', 'x', 'edit'],
        ['list', 'mine'],
        ['list', 'mine', 'x'],
      ] as const)
        assert.throws(
          () => app.urlFor([CartController, method], args as never),
          fails('invalid-parameter', 'reaches'),
          `${method} ${args.join()}`,
        )
      assert.equal(app.urlFor([CartController, 'list'], ['x', 'edit', 'y']), '/shop/cart/list/x/edit/y')
      assert.throws(
        () => app.urlFor([SearchController, '__invoke'], ['Help']),
        fails('invalid-parameter', 'reaches'),
      )
    }
  })

  it('arguments that do not fit are refused each time [HOLD-35]', () => {
    for (let time = 0; time < 3; time++) {
      assert.equal(app.urlFor([CartController, 'page'], [time, 2]), `/shop/cart/page/${time}/2`)
      for (const args of [['x'], [1.5], [1, 'x'], [1, 2, 3], [{}], [null], [undefined, 2]])
        assert.throws(() => app.urlFor([CartController, 'page'], args as never), fails('invalid-parameter'))
      for (const slug of ['', '..', '\n', '\ud800', 'x'.repeat(131_073)])
        assert.throws(() => app.urlFor([CartController, 'add'], [slug]), fails('invalid-parameter'))
    }
  })
})
