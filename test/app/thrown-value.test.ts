import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { App, Controller, defineModule } from 'sallyport'
import type { Actions } from 'sallyport/routing'
import { TestClient } from 'sallyport/testing'

// What is thrown next.
interface Throwing {
  what: unknown
}

function clientOf(throwing: Throwing, where: string): { client: TestClient; heard: unknown[] } {
  const fail = (): never => {
    throw throwing.what
  }
  class IndexController extends Controller {
    static readonly actions: Actions<IndexController> = { index: [] }
    index(): Promise<string> {
      return Promise.resolve(where === 'an action' ? fail() : 'reached')
    }
  }
  class Guard {
    process(_: unknown, next: () => Promise<Response> | Response): Promise<Response> | Response {
      return where === 'a middleware' ? fail() : next()
    }
  }
  const app = App.create().modules(
    defineModule('Site', (module) => module.mount('/').controllers(IndexController).middleware(Guard)),
  )
  const heard: unknown[] = []
  app.onError((error) => void heard.push(error))
  return { client: new TestClient(app), heard }
}

const kinds: readonly [string, () => unknown, RegExp][] = [
  [
    'a Response',
    () => new Response('no', { status: 404 }),
    /^A Response of status 404 was thrown: return it instead$/,
  ],
  [
    'a promise',
    () => Promise.reject(new Error('lost')),
    /^A promise was thrown: await it, and throw an Error$/,
  ],
]

for (const where of ['an action', 'a middleware']) {
  describe(`what ${where} throws`, () => {
    for (const [what, make, message] of kinds) {
      it(`HOLD-35: ${what} is a 500, and the reported error says what to do`, async (test) => {
        const unhandled: unknown[] = []
        const hear = (reason: unknown): void => void unhandled.push(reason)
        process.on('unhandledRejection', hear)
        test.after(() => process.off('unhandledRejection', hear))
        const thrown = make()
        const { client, heard } = clientOf({ what: thrown }, where)

        const response = await client.get('/', { headers: { accept: 'application/json' } })
        for (let turn = 0; turn < 3; turn++) await new Promise(setImmediate)

        assert.equal(response.status, 500)
        assert.equal(heard.length, 1)
        const [error] = heard
        assert.ok(error instanceof TypeError)
        assert.match(error.message, message)
        assert.equal(error.cause, thrown)
        assert.deepEqual(unhandled, [])
      })
    }

    for (const thrown of [new RangeError('no'), 'no row', undefined, { code: 1 }]) {
      it(`OPEN-29: reports ${String(thrown)} as it is`, async () => {
        const { client, heard } = clientOf({ what: thrown }, where)

        await client.get('/')

        assert.equal(heard.length, 1)
        assert.equal(heard[0], thrown)
      })
    }
  })
}
