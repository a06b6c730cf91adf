import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { fileURLToPath, pathToFileURL } from 'node:url'

import { build } from 'esbuild'

const root = fileURLToPath(new URL('../../', import.meta.url))

const SHOP = `
import { App, Clock, Controller, defineModule, HttpContext, inject } from 'sallyport'

class Stock {
  #clock = inject(Clock)
  left() { return this.#clock instanceof Clock ? 3 : 0 }
}
class Keeper {
  take() { return inject(HttpContext).query() }
}
class Gate {
  #stock = inject(Stock)
  async process(context, next) {
    const response = await next()
    response.headers.set('x-left', String(this.#stock.left()))
    return response
  }
}
class ShopController extends Controller {
  static actions = { index: [], greedy: [] }
  #stock = inject(Stock)
  #keeper = inject(Keeper)
  #query = inject(HttpContext).query()
  index() { return { left: this.#stock.left(), query: this.#query, same: this.context === this.taken } }
  taken = this.context
  greedy() { return this.#keeper.take() }
}

export const app = App.create({ debug: false }).modules(
  defineModule('Shop', (module) =>
    module.middleware(Gate).routes((routes) => {
      routes.get('/', [ShopController, 'index'])
      routes.get('/greedy', [ShopController, 'greedy'])
    }),
  ),
)
export const names = [App.name, Stock.name, ShopController.name]
`

interface Bundled {
  readonly app: {
    fetch(request: Request): Promise<Response>
    onError(hear: (error: unknown) => void): unknown
  }
  readonly names: readonly string[]
}

describe('a bundle with minified names', () => {
  let folder = ''
  let bundled: Bundled | undefined
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sallyport-minified-'))
    const outfile = join(folder, 'shop.mjs')
    await build({
      stdin: { contents: SHOP, resolveDir: root, loader: 'ts' },
      absWorkingDir: root,
      bundle: true,
      minify: true,
      outfile,
      format: 'esm',
      platform: 'node',
      conditions: ['sallyport-source'],
      logLevel: 'silent',
    })
    bundled = (await import(pathToFileURL(outfile).href)) as Bundled
  })
  after(() => rm(folder, { recursive: true }))

  it('answers by a controller, a service and a middleware [HOLD-57]', async () => {
    assert.ok(bundled !== undefined)
    assert.ok(
      bundled.names.every((name) => name.length < 4),
      bundled.names.join(),
    )

    for (const query of ['ada', 'eve']) {
      const response = await bundled.app.fetch(new Request(`http://localhost/shop?${query}`))
      assert.deepEqual([response.status, response.headers.get('x-left')], [200, '3'])
      assert.deepEqual(await response.json(), { left: 3, query, same: true })
    }
  })

  it('refuses a value of the request to a method of a service, as without it [HOLD-57]', async () => {
    assert.ok(bundled !== undefined)
    const heard: unknown[] = []
    bundled.app.onError((error) => heard.push(error))

    const { status } = await bundled.app.fetch(new Request('http://localhost/shop/greedy'))

    assert.equal(status, 500)
    assert.match(String(heard[0]), /Cannot inject .* here/)
  })
})
