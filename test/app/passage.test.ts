import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'

import type { App, HttpContext } from 'sallyport'
import { ForbiddenException, type Middleware, type Next } from 'sallyport/http'
import { TestClient } from 'sallyport/testing'

import { type Answer, Faults, site } from './fixture.ts'
import { unhandledRejections } from './unhandled-rejections.ts'

type Process = (context: HttpContext, next: Next) => unknown

const accepted = (): Response => new Response('accepted', { status: 202 })

class Fault extends Error {}

/** Ways in which an action fails. */
const failures: Readonly<Record<string, (fault: unknown) => Answer>> = {
  'at once': (fault) => () => {
    throw fault
  },
  'one turn later': (fault) => async () => {
    await Promise.resolve()
    throw fault
  },
  'after the answer': (fault) => async () => {
    await sleep(15)
    throw fault
  },
}

/** Middlewares that do not wait for what is behind them. */
const hasty: Readonly<Record<string, Process>> = {
  'drops the promise': (_, next) => {
    void next()
    return accepted()
  },
  'drops the promise in an async function': async (_, next) => {
    void next()
    return accepted()
  },
  'drops the promise and answers later': async (_, next) => {
    void next()
    await sleep(5)
    return accepted()
  },
  'goes on late and does not wait': async (_, next) => {
    await Promise.resolve()
    void next()
    return accepted()
  },
  'listens for success alone': (_, next) => {
    void next().then((response) => response.status)
    return accepted()
  },
  'listens for success alone in an async function': async (_, next) => {
    void next().then((response) => response.status)
    await sleep(5)
    return accepted()
  },
  'has something done at the end': async (_, next) => {
    void next().finally(() => undefined)
    return accepted()
  },
  'waits elsewhere': (_, next) => {
    void (async () => (await next()).status)()
    return accepted()
  },
  'waits elsewhere in an async function': async (_, next) => {
    void (async () => (await next()).status)()
    return accepted()
  },
  'passes a promise of its own on': async (_, next) => {
    void Promise.all([next(), sleep(1)])
    return accepted()
  },
  'gives up after a while': async (_, next) => Promise.race([next(), sleep(5).then(accepted)]),
}

const dropping: Process = (_, next) => {
  void next()
  return accepted()
}

const bands: Readonly<Record<string, (app: App, middleware: Middleware) => unknown>> = {
  incoming: (app, middleware) => app.middleware().incoming(middleware),
  routed: (app, middleware) => app.middleware().routed(middleware),
}

function application(process: Process, answer: Answer, band = 'incoming'): { app: App; faults: Faults } {
  const faults = new Faults()
  const app = site(
    { 'GET /': answer },
    {
      configure: (configured) => {
        faults.listen(configured)
        bands[band]?.(configured, { process } as unknown as Middleware)
      },
    },
  )
  return { app, faults }
}

async function get(app: App): Promise<Response> {
  const response = await new TestClient(app).get('/')
  // What is late has come by then, and a rejection that nobody handles has been seen.
  await sleep(40)
  return response
}

describe('a middleware that answers without awaiting next()', () => {
  const unhandled = unhandledRejections()

  for (const [how, process] of Object.entries(hasty)) {
    for (const [when, failing] of Object.entries(failures)) {
      it(`${how}, and the action fails ${when}: answered once, reported once [HOLD-59]`, async () => {
        const fault = new Fault()
        const { app, faults } = application(process, failing(fault))

        const { status } = await get(app)

        // Whoever waits together with something else sees what fails before that.
        const isSeen = how === 'gives up after a while' && when !== 'after the answer'
        assert.equal(status, isSeen ? 500 : 202)
        assert.deepEqual(faults.seen, [fault])
        assert.deepEqual(unhandled, [])
      })
    }
  }

  for (const band of Object.keys(bands)) {
    it(`is harmless on the ${band} band, also among others that wait [HOLD-59]`, async () => {
      const fault = new Fault()
      const { app, faults } = application(dropping, failing(fault), band)
      app.middleware().incoming({ process: async (_: HttpContext, next: Next) => next() })
      app.middleware().routed({ process: (_: HttpContext, next: Next) => next() })

      assert.equal((await get(app)).status, 202)
      assert.deepEqual(faults.seen, [fault])
      assert.deepEqual(unhandled, [])
    })
  }

  it('is harmless on a module or a route [HOLD-59]', async () => {
    class Hasty implements Middleware {
      process(_: HttpContext, next: Next): Response {
        void next()
        return accepted()
      }
    }
    const fault = new Fault()
    const faults = new Faults()
    const ofModule = site({ 'GET /': failing(fault) }, { middlewares: [Hasty], configure: faults.listen })
    const ofBoth = site(
      { 'GET /': failing(fault) },
      { middlewares: [Hasty, Hasty], configure: faults.listen },
    )

    assert.deepEqual([(await get(ofModule)).status, (await get(ofBoth)).status], [202, 202])
    assert.deepEqual(faults.seen, [fault, fault])
    assert.deepEqual(unhandled, [])
  })

  it('code that waits elsewhere continues with the response of the error', async () => {
    const seen: number[] = []
    const { app } = application((_, next) => {
      void (async () => {
        try {
          seen.push((await next()).status)
        } finally {
          seen.push(0)
        }
      })()
      return accepted()
    }, failing(new Fault()))

    await get(app)

    assert.deepEqual(seen, [500, 0])
  })

  it('does not report a refusal, which is an expected outcome', async () => {
    const { app, faults } = application(dropping, failing(new ForbiddenException()))

    assert.equal((await get(app)).status, 202)
    assert.deepEqual([faults.seen, unhandled], [[], []])
  })

  function failing(fault: unknown): Answer {
    return async () => {
      await Promise.resolve()
      throw fault
    }
  }
})

describe('a middleware that handles errors of the inner steps', () => {
  const unhandled = unhandledRejections()

  for (const [how, process] of Object.entries({
    'in a try': async (_, next) => {
      try {
        return await next()
      } catch {
        return accepted()
      }
    },
    'in a chain': (_, next) => next().catch(accepted),
    'in the second function': (_, next) => next().then((response) => response, accepted),
    'after something else': async (_, next) => {
      const response = next()
      await sleep(30)
      return response.catch(accepted)
    },
    'although it listens twice': async (_, next) => {
      const response = next()
      void response.catch(() => undefined)
      return response.catch(accepted)
    },
  } satisfies Record<string, Process>)) {
    for (const [when, failing] of Object.entries(failures)) {
      it(`decides alone, ${how}: the action fails ${when}, and onError() is not called`, async () => {
        const { app, faults } = application(process, failing(new Fault()))

        assert.equal((await get(app)).status, 202)
        assert.deepEqual([faults.seen, unhandled], [[], []])
      })
    }
  }

  for (const [how, process] of Object.entries({
    'returns it': (_, next) => next(),
    'returns it from an async function': async (_, next) => next(),
    'waits for it': async (_, next) => await next(),
    'waits in a chain': (_, next) => next().then((response) => response),
    'returns it and listens': (_, next) => {
      const response = next()
      response.catch(() => undefined)
      return response
    },
    'ends with something': (_, next) => next().finally(() => undefined),
  } satisfies Record<string, Process>)) {
    for (const [when, failing] of Object.entries(failures)) {
      it(`passes the error on when it ${how}: ${when}, 500, reported once`, async () => {
        const fault = new Fault()
        const { app, faults } = application(process, failing(fault))

        assert.equal((await get(app)).status, 500)
        assert.deepEqual([faults.seen, unhandled], [[fault], []])
      })
    }
  }
})

describe('next()', () => {
  const unhandled = unhandledRejections()

  for (const [how, process] of Object.entries({
    'without waiting': (_, next) => {
      void next()
      void next()
      return accepted()
    },
    'without waiting in an async function': async (_, next) => {
      const first = next()
      void next()
      await first
      return accepted()
    },
    'and returns the first': (_, next) => {
      const first = next()
      void next()
      return first
    },
    'after the answer': (_, next) => {
      setTimeout(() => void next(), 5)
      return next()
    },
  } satisfies Record<string, Process>)) {
    it(`called twice, ${how}: the inner steps run once, the mistake is reported once [HOLD-59]`, async () => {
      let runs = 0
      const { app, faults } = application(process, async () => String(++runs))

      assert.ok((await get(app)).ok)
      assert.equal(runs, 1)
      assert.equal(faults.seen.length, 1)
      assert.match(faults.messages[0] ?? '', /called next\(\) again/)
      assert.deepEqual(unhandled, [])
    })
  }

  for (const [how, process] of Object.entries({
    'a plain one': (_, next) => {
      setTimeout(() => void next(), 5)
      return accepted()
    },
    'an async one': async (_, next) => {
      setTimeout(() => void next(), 5)
      return accepted()
    },
    'one that waits for it': async (_, next) => {
      setTimeout(() => void next().then(({ status }) => assert.equal(status, 500)), 5)
      return accepted()
    },
  } satisfies Record<string, Process>)) {
    it(`called after the answer of ${how}: nothing inside runs, and onError() is called [HOLD-59]`, async () => {
      let runs = 0
      const { app, faults } = application(process, () => String(++runs))

      assert.equal((await get(app)).status, 202)
      assert.equal(runs, 0)
      assert.equal(faults.seen.length, 1)
      assert.match(faults.messages[0] ?? '', /called next\(\) after it had responded/)
      assert.deepEqual(unhandled, [])
    })
  }

  it('refuses a value that is not a request, as an error of the middleware [HOLD-59]', async () => {
    const { app, faults } = application(
      (_, next) => (next as (error: unknown) => unknown)(new Error('as in Express')),
      () => 'hi',
    )

    assert.equal((await get(app)).status, 500)
    assert.match(faults.messages[0] ?? '', /not a request/)
    assert.deepEqual(unhandled, [])
  })
})

describe('what a middleware returns', () => {
  const unhandled = unhandledRejections()

  it('may be a promise of another library, whose then() is called once [HOLD-59]', async () => {
    let asked = 0
    const thenable = {
      then(resolve: (response: Response) => void) {
        asked++
        resolve(accepted())
      },
    }
    const { app } = application(
      () => thenable,
      () => 'hi',
    )
    app.middleware().incoming({ process: async (_: HttpContext, next: Next) => next() }, { priority: -1 })

    assert.equal((await get(app)).status, 202)
    assert.equal(asked, 1)
  })

  it('may be such a promise that fails [HOLD-59]', async () => {
    const fault = new Fault()
    const { app, faults } = application(
      () => ({ then: (_: unknown, reject: (reason: unknown) => void) => reject(fault) }),
      () => 'hi',
    )

    assert.equal((await get(app)).status, 500)
    assert.deepEqual([faults.seen, unhandled], [[fault], []])
  })
})

describe('the condition of a middleware', () => {
  const unhandled = unhandledRejections()

  for (const band of ['incoming', 'routed', 'outgoing'] as const) {
    it(`is refused when it is a promise, on the ${band} band, whatever its outcome [HOLD-59]`, async () => {
      for (const met of [() => Promise.resolve(true), () => Promise.reject(new Fault())]) {
        const faults = new Faults()
        const app = site(
          { 'GET /': () => 'hi' },
          {
            configure: (configured) => {
              faults.listen(configured)
              configured.middleware()[band]({ process: accepted }, { when: met as unknown as () => boolean })
            },
          },
        )

        assert.equal((await get(app)).status, 500)
        assert.match(faults.messages[0] ?? '', /promise as the condition/)
      }
      assert.deepEqual(unhandled, [])
    })
  }
})

describe('thrown values that are not errors', () => {
  const unhandled = unhandledRejections()

  const throwing = new Proxy(
    {},
    {
      get: () => {
        throw new Error('trap')
      },
      getPrototypeOf: () => {
        throw new Error('trap')
      },
    },
  )
  const frozen = Object.freeze(new Error('frozen'))
  const getters = {
    get message(): string {
      throw new Error('getter')
    },
    get status(): number {
      throw new Error('getter')
    },
    get cause(): unknown {
      throw new Error('getter')
    },
  }
  const refusal = Object.defineProperty(new ForbiddenException(), 'headers', {
    get: () => {
      throw new Error('getter')
    },
  })
  for (const [what, fault] of [
    ['undefined', undefined],
    ['null', null],
    ['a string', 'text'],
    ['a number that is not equal to itself', NaN],
    ['a symbol', Symbol('fault')],
    ['a function', () => undefined],
    ['a frozen error', frozen],
    ['an object whose members throw', getters],
    ['a proxy that throws', throwing],
    ['an object without prototype', Object.create(null)],
    ['an exception whose headers throw', refusal],
    [
      'something that cannot be inspected',
      {
        [Symbol.for('nodejs.util.inspect.custom')]: () => {
          throw new Error('inspect')
        },
      },
    ],
  ] as const) {
    for (const debug of [false, true]) {
      it(`${what} is a 500 that is reported once${debug ? ', in development too' : ''} [HOLD-59]`, async () => {
        const faults = new Faults()
        const app = site(
          { 'GET /': failures['one turn later']?.(fault) ?? assert.fail() },
          { debug, configure: faults.listen },
        )

        const response = await get(app)

        assert.equal(response.status, 500)
        assert.equal(response.headers.get('x-content-type-options'), 'nosniff')
        assert.equal(faults.seen.length, 1)
        assert.deepEqual(unhandled, [])
      })
    }
  }
})
