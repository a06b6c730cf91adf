import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { App, Controller, defineModule } from 'sallyport'
import type { Actions } from 'sallyport/routing'
import { TestClient } from 'sallyport/testing'
import { jsonText } from '../../src/http/json-text.ts'

// Each look gives others, as a lazy graph of an object mapper does whose parent is read anew each time.
function byGetter(): object {
  return {
    get next(): object {
      return byGetter()
    },
  }
}

function byPairs(): object {
  return {
    get left(): object {
      return byPairs()
    },
    get right(): object[] {
      return [byPairs(), byPairs()]
    },
  }
}

function byProxy(): object {
  return new Proxy(
    {},
    {
      ownKeys: () => ['next'],
      getOwnPropertyDescriptor: () => ({ value: byProxy(), enumerable: true, configurable: true }),
      get: (_, key) => (key === 'next' ? byProxy() : undefined),
    },
  )
}

const endless: readonly [string, () => object][] = [
  ['getters that make the next object', byGetter],
  ['getters that make several', byPairs],
  ['proxies that make the next', byProxy],
  ['such an object next to a map', () => ({ map: new Map(), next: byGetter() })],
  ['one in a map', () => new Map([[byGetter(), byProxy()]])],
]

describe('an endless response', () => {
  for (const [what, make] of endless) {
    it(`is a 500, and ends: ${what} [HOLD-24]`, async () => {
      class IndexController extends Controller {
        static readonly actions: Actions<IndexController> = { index: [] }
        index(): object {
          return { endless: make(), map: new Map(), last: make() }
        }
      }
      const app = App.create().modules(
        defineModule('Site', (module) => module.mount('/').controllers(IndexController)),
      )
      app.onError(() => undefined)

      const response = await new TestClient(app).get('/')

      assert.equal(response.status, 500)
    })
  }

  it('ends when only the second pass is endless [HOLD-24]', () => {
    let looks = 0
    const value = {
      empty: {},
      get next(): object {
        return looks++ === 0 ? {} : byGetter()
      },
    }

    assert.throws(() => jsonText(value), /^TypeError: Cannot write as JSON a value that changes each time/)
  })

  it('may be of any length, and contain empty objects [HOLD-24]', () => {
    const list = Array.from({ length: 150_000 }, () => ({}))

    assert.equal(jsonText(list), JSON.stringify(list))
    for (const value of [Object(1), [Object(1), Object('')], [{}, [], Object(false)]] as unknown[])
      assert.equal(jsonText(value), JSON.stringify(value))
  })
})
