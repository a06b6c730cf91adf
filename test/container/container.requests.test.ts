import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { App, binding, Controller, defineModule, HttpContext, inject } from 'sallyport'
import { type Actions } from 'sallyport/routing'
import { TestClient } from 'sallyport/testing'

import { Faults } from '../app/fixture.ts'

/** A service that would keep the first request for all others. */
class Greedy {
  #context: HttpContext | null = null

  query(): string {
    this.#context ??= inject(HttpContext)
    return this.#context.query()
  }

  async later(): Promise<string> {
    await Promise.resolve()
    return this.query()
  }

  page(): object {
    return inject(binding<object>('page'))
  }

  helper(): object {
    return new Helper()
  }
}

class Helper {
  readonly context: HttpContext = inject(HttpContext)
}

const currentQuery = (): string => inject(HttpContext).query()

function client(page: new () => object): { client: TestClient; faults: Faults } {
  const faults = new Faults()
  const app = App.create().modules(
    defineModule('Page', (module) =>
      module.routes((routes) => void routes.get('/', [page as never, 'index'])),
    ),
  )
  faults.listen(app)
  return { client: new TestClient(app), faults }
}

describe('a value of the request', () => {
  for (const [how, take] of Object.entries({
    'a method': (greedy) => greedy.query(),
    'a method that waits first': (greedy) => greedy.later(),
    'a method that takes a binding': (greedy) => greedy.page(),
    'what a method builds': (greedy) => greedy.helper(),
  } satisfies Record<string, (greedy: Greedy) => unknown>)) {
    it(`is refused to ${how} of a shared service, in every request [HOLD-57]`, async () => {
      class PageController {
        static readonly actions = { index: [] } satisfies Actions<PageController>
        readonly #greedy = inject(Greedy)
        index(): unknown {
          return take(this.#greedy)
        }
      }
      const { client: browser, faults } = client(PageController)

      for (const query of ['ada', 'eve']) assert.equal((await browser.get(`/page?${query}`)).status, 500)

      assert.equal(faults.seen.length, 2)
      for (const message of faults.messages) assert.match(message, /Cannot inject .* here/)
    })
  }

  it('is refused to a shared service that is built for a controller, in every request [HOLD-57]', async () => {
    class Keeper {
      readonly context: HttpContext = inject(HttpContext)
    }
    class PageController {
      static readonly actions = { index: [] } satisfies Actions<PageController>
      readonly #context = inject(HttpContext)
      readonly #keeper = inject(Keeper)
      index(): boolean {
        return this.#keeper.context === this.#context
      }
    }
    const { client: browser, faults } = client(PageController)

    for (const query of ['ada', 'eve']) assert.equal((await browser.get(`/page?${query}`)).status, 500)

    for (const message of faults.messages) assert.match(message, /HttpContext.*Keeper.*one request/)
  })

  it('is given to fields, constructors, methods and functions while the controller is built, each time', async () => {
    class PageController extends Controller {
      static readonly actions = { index: [] } satisfies Actions<PageController>
      readonly #own = inject(HttpContext).query()
      readonly #byFunction = currentQuery()
      readonly #byMethod = this.find()
      readonly #byHelper = new Helper().context.query()
      readonly #byDefault: string
      constructor(context = inject(HttpContext)) {
        super()
        this.#byDefault = context.query()
      }
      find(): string {
        return inject(HttpContext).query()
      }
      index(): object {
        return [this.#own, this.#byFunction, this.#byMethod, this.#byHelper, this.#byDefault]
      }
    }
    const { client: browser } = client(PageController)

    for (const query of ['ada', 'eve', 'bob']) {
      const response = await browser.get(`/page?${query}`)
      assert.deepEqual(await response.json(), [query, query, query, query, query])
    }
  })
})
