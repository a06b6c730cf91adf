import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { App, Controller, defineModule, inject } from 'sallyport'
import { type Actions, param, type Resolver, type Route, Router, type RouteRequest } from 'sallyport/routing'
import { TestClient } from 'sallyport/testing'

class OrderController extends Controller {
  static readonly actions = { index: [], show: [param.int('id')] } satisfies Actions<OrderController>
  readonly #mails = inject(Mails)

  index(): string {
    return this.#mails.text(7)
  }

  show(id: number): { id: number } {
    return { id }
  }
}

/** Words mails, in a request or outside of one. */
class Mails {
  readonly #router = inject(Router)

  text(id: number, locale?: string): string {
    return `Your order: ${this.#router.url('shop:order', { id }, locale)}`
  }
}

function application(extend: (app: App) => App = (app) => app): App {
  const shop = defineModule('Shop', (module) =>
    module
      .localized()
      .controllers(OrderController)
      .routes((routes) =>
        routes.get({ fr: '/commande/{id}', en: '/order/{id}' }, [OrderController, 'show']).name('order'),
      ),
  )
  return extend(App.default({ locales: ['fr', 'en'], debug: false }).modules(shop))
}

describe('inject(Router)', () => {
  it('a service generates URLs outside of a request, in any locale [URL-01]', async () => {
    const app = await application().boot()

    const mails = app.get(Mails)

    assert.equal(mails.text(7), 'Your order: /fr/shop/commande/7')
    assert.equal(mails.text(7, 'en'), 'Your order: /en/shop/order/7')
    assert.equal(app.get(Router), app.router())
  })

  it('in a request, the same service has no locale of it [URL-01]', async () => {
    const text = await (await new TestClient(application()).get('/en/shop/order')).text()

    assert.equal(text, 'Your order: /fr/shop/commande/7')
  })

  it('two applications have a router each [SCOPE-07]', async () => {
    const [one, other] = [await application().boot(), await application().boot()]

    assert.notEqual(one.get(Router), other.get(Router))
  })

  it('a resolver that depends on it, through a service, is built before it and uses it afterwards', async () => {
    class Links implements Resolver {
      readonly #mails = inject(Mails)
      resolve(request: RouteRequest): Route | null {
        if (request.segments[0] !== 'latest') return null
        return request.route(OrderController, 'show', { args: [this.#mails.text(1).length] })
      }
    }
    const links = defineModule('Links', (module) =>
      module.withoutConventionRouting().controllers(OrderController).resolver(Links),
    )
    const client = new TestClient(application((app) => app.modules(links)))

    assert.deepEqual(await (await client.get('/links/latest')).json(), { id: 31 })
  })

  it('a resolver that asks it in its constructor fails at boot, and is told what to do [HOLD-35]', async () => {
    for (const ask of [
      (router: Router) => router.url('shop:order', { id: 1 }),
      (router: Router) => router.match('GET', '/fr/shop'),
      (router: Router) => router.resolve('GET', '/fr/shop'),
    ]) {
      class Early implements Resolver {
        readonly asked = ask(inject(Router))
        resolve(): null {
          return null
        }
      }
      const early = defineModule('Early', (module) => module.resolver(Early))
      const app = application((each) => each.modules(early))

      await assert.rejects(
        app.boot(),
        /^Error: Cannot use the router in a constructor while the application boots/,
      )
    }
  })

  it('it cannot be replaced [HOLD-35]', async () => {
    const app = application((each) => each.configure((definitions) => definitions.set(Router, {} as Router)))

    await assert.rejects(app.boot(), /Router.*the application builds its own/)
  })
})
