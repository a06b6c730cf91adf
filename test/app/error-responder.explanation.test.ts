import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { App, Controller, defineModule } from 'sallyport'
import { NotFoundException } from 'sallyport/http'
import type { Actions } from 'sallyport/routing'
import { TestClient } from 'sallyport/testing'

class ShopController extends Controller {
  static readonly actions: Actions<ShopController> = { index: [], gone: [] }
  index(): string {
    return 'shop'
  }
  gone(): never {
    throw new NotFoundException()
  }
}

function client(debug: boolean): TestClient {
  const shop = defineModule('Shop', (module) =>
    module.withoutConventionRouting().routes((routes) => {
      routes.get('/', [ShopController, 'index'])
      routes.get('/gone', [ShopController, 'gone'])
    }),
  )
  return new TestClient(App.default({ debug }).modules(shop))
}

describe('the pages for 404 and 405 in development', () => {
  it('show how the URL was resolved', async () => {
    const page = await (await client(true).get('/shop/nothing')).text()

    assert.match(
      page,
      /<pre>GET \/shop\/nothing\n1\. locale: none.*\n2\. mount \/shop of module &[^;]+;Shop&[^;]+;/,
    )
    assert.match(page, /&[^;]+;nothing&[^;]+; is not &[^;]+;gone&[^;]+;/)
  })

  it('show it for a wrong method, to JSON clients too', async () => {
    const response = await client(true).post('/shop', { headers: { accept: 'application/json' } })

    assert.equal(response.status, 405)
    const { trace } = (await response.json()) as { trace: string }
    assert.match(trace, /answers GET, not POST/)
  })

  it('do not show it when the action found nothing', async () => {
    const page = await (await client(true).get('/shop/gone')).text()

    assert.doesNotMatch(page, /<pre>/)
  })

  it('do not show it in production', async () => {
    const page = await (await client(false).get('/shop/nothing')).text()

    assert.doesNotMatch(page, /<pre>|Shop/)
  })
})
