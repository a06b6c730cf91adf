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

  later(): string {
    return [1].map(() => this.query()).join()
  }

  page(): object {
    return inject(binding<object>('page'))
  }

  helper(): Helper {
    return new Helper()
  }
}

class Helper {
  readonly context: HttpContext = inject(HttpContext)
}

const currentQuery = (): string => inject(HttpContext).query()

function client(take: (greedy: Greedy) => unknown): { client: TestClient; faults: Faults } {
  const faults = new Faults()
  class PageController {
    static readonly actions = { index: [] } satisfies Actions<PageController>
    readonly #greedy = inject(Greedy)
    readonly #taken = take(this.#greedy)
    index(): string {
      return String(this.#taken)
    }
  }
  const app = App.create().modules(defineModule('Page', (module) => module.controllers(PageController)))
  faults.listen(app)
  return { client: new TestClient(app), faults }
}

describe('a value of the request', () => {
  for (const [how, take] of Object.entries({
    'a method': (greedy) => greedy.query(),
    'a method, by way of a list': (greedy) => greedy.later(),
    'a method that takes a binding': (greedy) => greedy.page(),
    'what a method builds': (greedy) => greedy.helper(),
  } satisfies Record<string, (greedy: Greedy) => unknown>)) {
    it(`is refused to ${how} of a shared service, in every request, and both are named [HOLD-57]`, async () => {
      const { client: browser, faults } = client(take)

      for (const query of ['ada', 'eve']) assert.equal((await browser.get(`/page/page?${query}`)).status, 500)

      assert.equal(faults.seen.length, 2)
      for (const message of faults.messages) assert.match(message, /Greedy\.\w+\(\).*one request/)
    })
  }

  it('is refused to a method that asks only in a later request [HOLD-57]', async () => {
    let isGreedy = false
    const { client: browser } = client((greedy) => (isGreedy ? greedy.query() : 'modest'))
    assert.equal(await (await browser.get('/page/page?ada')).text(), 'modest')
    isGreedy = true

    assert.equal((await browser.get('/page/page?eve')).status, 500)
  })

  it('is given to fields, constructors, methods of the controller and functions of a module, each time', async () => {
    class PageController extends Controller {
      static readonly actions = { index: [] } satisfies Actions<PageController>
      readonly #greedy = inject(Greedy)
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
        return [
          this.#own,
          this.#byFunction,
          this.#byMethod,
          this.#byHelper,
          this.#byDefault,
          this.#greedy instanceof Greedy,
        ]
      }
    }
    const app = App.create().modules(defineModule('Page', (module) => module.controllers(PageController)))

    for (const query of ['ada', 'eve', 'bob']) {
      const response = await new TestClient(app).get(`/page/page?${query}`)
      assert.deepEqual(await response.json(), [query, query, query, query, query, true])
    }
  })

  it('leaves stacks unchanged', async () => {
    const facts = (): unknown[] => [Error.stackTraceLimit, Reflect.get(Error, 'prepareStackTrace')]
    const before = facts()
    await client((greedy) => greedy.query()).client.get('/page/page')

    assert.deepEqual(facts(), before)
  })
})
