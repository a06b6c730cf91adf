import assert from 'node:assert/strict'
import { describe, it, type mock } from 'node:test'
import { runInNewContext } from 'node:vm'
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
      it(`${what} is a 500, and the reported error says what to do [HOLD-35]`, async (test) => {
        const unhandled: unknown[] = []
        const listener = (reason: unknown): void => void unhandled.push(reason)
        process.on('unhandledRejection', listener)
        test.after(() => process.off('unhandledRejection', listener))
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
      it(`reports ${String(thrown)} unchanged [OPEN-29]`, async () => {
        const { client, heard } = clientOf({ what: thrown }, where)

        await client.get('/')

        assert.equal(heard.length, 1)
        assert.equal(heard[0], thrown)
      })
    }
  })
}

function heardUnhandled(test: { after(end: () => void): void }): unknown[] {
  const unhandled: unknown[] = []
  const listener = (reason: unknown): void => void unhandled.push(reason)
  process.on('unhandledRejection', listener)
  test.after(() => process.off('unhandledRejection', listener))
  return unhandled
}

function written(test: { mock: { method: typeof mock.method } }): string[] {
  const lines: string[] = []
  test.mock.method(process.stderr, 'write', (text: string) => lines.push(text) > 0)
  return lines
}

async function someTurns(): Promise<void> {
  for (let turn = 0; turn < 3; turn++) await new Promise(setImmediate)
}

// Of another realm, and one whose `then` is no function: nobody can wait for either by its own.
const rejected: readonly [string, () => unknown][] = [
  ['a promise', () => Promise.reject(new Error('lost'))],
  ['a promise of another realm', () => runInNewContext('Promise.reject(new Error("lost"))') as unknown],
  ['a promise without then()', () => Object.assign(Promise.reject(new Error('lost')), { then: undefined })],
]

class IndexController extends Controller {
  static readonly actions: Actions<IndexController> = { index: [] }
  index(): never {
    throw new Error('first')
  }
}

const hooks: readonly [string, (app: App, fail: () => never) => void][] = [
  ['onError()', (app, fail) => app.onError(fail)],
  ['an async onError()', (app, fail) => app.onError(async () => fail())],
  ['onTerminate()', (app, fail) => app.onTerminate(fail)],
  ['an async onTerminate()', (app, fail) => app.onTerminate(async () => fail())],
]

for (const [hook, add] of hooks) {
  describe(`what a hook of ${hook} throws`, () => {
    for (const [what, make] of rejected) {
      it(`ends no process and is reported: ${what} [HOLD-35]`, async (test) => {
        const unhandled = heardUnhandled(test)
        const lines = written(test)
        const app = App.create().modules(
          defineModule('Site', (module) => module.mount('/').controllers(IndexController)),
        )
        add(app, () => {
          throw make()
        })

        const response = await new TestClient(app).get('/')
        await someTurns()

        assert.equal(response.status, 500)
        assert.match(lines.join(), /A promise was thrown: await it, and throw an Error/)
        assert.deepEqual(unhandled, [])
      })
    }
  })
}

describe('other thrown promises', () => {
  it('a close hook: close() fails, and the promise ends no process [HOLD-35]', async (test) => {
    const unhandled = heardUnhandled(test)
    const app = App.create()
    const lost: unknown = Promise.reject(new Error('lost'))
    app.onClose(() => {
      throw lost
    })
    await app.boot()

    await assert.rejects(app.close(), /Cannot close everything that was opened/)
    await someTurns()

    assert.deepEqual(unhandled, [])
  })

  for (const [what, make] of rejected) {
    it(`a getter of an answer: a 500, and it ends no process: ${what} [HOLD-35]`, async (test) => {
      const unhandled = heardUnhandled(test)
      class IndexController extends Controller {
        static readonly actions: Actions<IndexController> = { index: [] }
        index(): object {
          return {
            get total(): never {
              throw make()
            },
          }
        }
      }
      const app = App.create().modules(
        defineModule('Site', (module) => module.mount('/').controllers(IndexController)),
      )
      app.onError(() => undefined)

      const response = await new TestClient(app).get('/')
      await someTurns()

      assert.equal(response.status, 500)
      assert.deepEqual(unhandled, [])
    })
  }
})
