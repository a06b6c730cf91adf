import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'

import { type App, type HttpContext, SecurityHeaders } from 'sallyport'
import { HttpException, type Next } from 'sallyport/http'
import { serve } from 'sallyport/node'
import { MemorySessionStore, SessionStore } from 'sallyport/session'

import { textResponse } from '../../src/http/internal.ts'
import { type Answers, Faults, site } from './fixture.ts'
import { unhandledRejections } from './unhandled-rejections.ts'

class FailingHeaders extends SecurityHeaders {
  override apply(): void {
    throw new Error('own headers')
  }
}

/** Asks an application, by one of the two ways in. */
type Ask = (path: string, init?: RequestInit) => Promise<Response>
type Middleware = (context: HttpContext, next: Next) => unknown

interface Trial {
  readonly ask: Ask
  readonly faults: Faults
  readonly store: MemorySessionStore
}

interface Site {
  readonly answers: Answers
  readonly incoming?: Middleware
  readonly outgoing?: (response: Response, context: HttpContext) => unknown
  readonly configure?: (app: App) => unknown
}

const ways: Readonly<Record<string, (app: App, trial: (ask: Ask) => Promise<void>) => Promise<void>>> = {
  'fetch()': (app, trial) => trial((path, init) => app.fetch(new Request(`http://app.test${path}`, init))),
  'serve()': async (app, trial) => {
    const server = await serve(app, { port: 0, signals: [] })
    try {
      await trial((path, init) => fetch(server.url + path, init))
    } finally {
      await server.close()
    }
  },
}

function forBothWays(title: string, make: () => Site, trial: (parts: Trial) => Promise<void>): void {
  const unhandled = unhandledRejections()
  for (const [way, open] of Object.entries(ways)) {
    it(`${title}, through ${way} [HOLD-49]`, async () => {
      const { answers, incoming, outgoing, configure } = make()
      const faults = new Faults()
      const store = new MemorySessionStore()
      const app = site(answers, {
        configure: (configured) => {
          faults.listen(configured)
          configured.configure((definitions) => definitions.set(SessionStore, store))
          if (incoming !== undefined) configured.middleware().incoming({ process: incoming as never })
          if (outgoing !== undefined) configured.middleware().outgoing({ process: outgoing as never })
          configure?.(configured)
        },
      })
      await open(app, async (ask) => {
        await trial({ ask, faults, store })
        await sleep(5)
        assert.deepEqual(unhandled, [])
      })
    })
  }
}

async function assertFailed(response: Response): Promise<void> {
  assert.equal(response.status, 500)
  assert.equal(response.headers.get('x-content-type-options'), 'nosniff')
  assert.match(response.headers.get('content-security-policy') ?? '', /default-src/)
  assert.match(await response.text(), /Something went wrong/)
}

const endless = (): ReadableStream<Uint8Array> =>
  new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(10)) }, { highWaterMark: 0 })

describe('a response whose status allows no content', () => {
  const foreign = (status: number): object => ({
    [Symbol.toStringTag]: 'Response',
    status,
    headers: new Map([['x-a', '1']]),
    body: new Response('abc').body,
  })

  for (const status of [204, 205, 304]) {
    forBothWays(
      `of ${status} is sent without the body that another implementation gave it`,
      () => ({ answers: { 'GET /': () => foreign(status) } }),
      async ({ ask, faults }) => {
        const response = await ask('/')
        assert.deepEqual([response.status, response.headers.get('x-a')], [status, '1'])
        assert.equal(await response.text(), '')
        assert.deepEqual(faults.messages, [])
      },
    )
  }

  forBothWays(
    'has no length at 204, for GET as for HEAD',
    () => ({
      answers: {
        'GET /zero': () => new Response(null, { status: 204, headers: { 'content-length': '0' } }),
        'GET /five': () => new Response(null, { status: 204, headers: { 'content-length': '5' } }),
      },
    }),
    async ({ ask }) => {
      for (const method of ['GET', 'HEAD']) {
        const [zero, five] = [await ask('/zero', { method }), await ask('/five', { method })]
        assert.deepEqual([zero.status, zero.headers.get('content-length')], [204, null])
        assert.equal(five.status, 500)
      }
    },
  )
})

describe('a response that was read', () => {
  const reads: Readonly<Record<string, Middleware>> = {
    'reads it and returns it': async (_, next) => {
      const response = await next()
      await response.text()
      return response
    },
    'begins to read it and returns it': async (_, next) => {
      const response = await next()
      response.body?.getReader()
      return response
    },
    'clones it, reads both and returns it': async (_, next) => {
      const response = await next()
      await Promise.all([response.clone().text(), response.text()])
      return response
    },
  }
  const bodies: Answers = {
    'GET /text': () => 'text',
    'GET /response': () => new Response('text'),
    'GET /stream': () => new Response(new Blob(['text']).stream()),
  }
  for (const [how, incoming] of Object.entries(reads)) {
    for (const line of Object.keys(bodies)) {
      forBothWays(
        `is a 500 when a middleware ${how} (${line})`,
        () => ({ answers: bodies, incoming }),
        async ({ ask, faults }) => {
          await assertFailed(await ask(line.slice(4)))

          assert.equal(faults.seen.length, 1)
          assert.match(faults.messages[0] ?? '', /has been read or sent.*clone\(\)/)
        },
      )
    }
  }

  for (const [how, outgoing] of Object.entries({
    'reads it': async (response: Response) => {
      await response.text()
      return response
    },
    'returns one that it read': async () => {
      const response = new Response('own')
      await response.text()
      return response
    },
  })) {
    forBothWays(
      `is a 500 when the outgoing band ${how}, after the commit: what was added is gone`,
      () => ({
        answers: {
          'GET /': async (context) => {
            await context.session().set('a', 1)
            return new Response('x')
          },
          'GET /read': async (context) => String(await context.session().get('a')),
        },
        outgoing: (response, context) => (context.path() === '/' ? outgoing(response) : response),
      }),
      async ({ ask, faults }) => {
        const response = await ask('/')

        await assertFailed(response)
        assert.equal(faults.seen.length, 1)
        const cookie = response.headers.getSetCookie()[0]?.split(';')[0] ?? ''
        assert.equal(await (await ask('/read', { headers: { cookie } })).text(), 'undefined')
      },
    )
  }

  forBothWays(
    'that is cloned for reading is sent whole',
    () => ({
      answers: bodies,
      incoming: async (_, next) => {
        const response = await next()
        assert.equal(await response.clone().text(), 'text')
        return response
      },
      outgoing: async (response) => new Response((await response.text()).toUpperCase(), response),
    }),
    async ({ ask, faults }) => {
      for (const line of Object.keys(bodies)) assert.equal(await (await ask(line.slice(4))).text(), 'TEXT')
      assert.deepEqual(faults.seen, [])
    },
  )
})

describe('a response that several requests share', () => {
  const kinds: Readonly<Record<string, () => Answers>> = {
    'a constant': () => {
      const shared = new Response('shared')
      return { 'GET /': () => shared }
    },
    'a constant that streams': () => {
      const shared = new Response(new Blob(['shared']).stream())
      return { 'GET /': () => shared }
    },
    'two of one stream': () => {
      const stream = new Blob(['shared']).stream()
      return { 'GET /': () => new Response(stream) }
    },
  }
  for (const [kind, make] of Object.entries(kinds)) {
    forBothWays(
      `is sent once: ${kind}, one after the other`,
      () => ({ answers: make() }),
      async ({ ask, faults }) => {
        assert.equal(await (await ask('/')).text(), 'shared')
        await assertFailed(await ask('/'))
        await assertFailed(await ask('/'))

        assert.equal(faults.seen.length, 2)
        for (const message of faults.messages)
          assert.match(message, /make one for each request|disturbed or locked/)
      },
    )

    forBothWays(
      `is sent once: ${kind}, at the same time`,
      () => ({ answers: make() }),
      async ({ ask, faults }) => {
        const responses = await Promise.all(Array.from({ length: 5 }, () => ask('/')))
        const bodies = await Promise.all(responses.map((response) => response.text()))

        assert.equal(bodies.filter((body) => body === 'shared').length, 1)
        assert.equal(responses.filter(({ status }) => status === 500).length, 4)
        assert.equal(faults.seen.length, 4)
      },
    )
  }

  forBothWays(
    'by a cache of a middleware is sent once, and its clone never carries a cookie of another client',
    () => {
      let cached: Response | null = null
      return {
        answers: {
          'GET /': async (context) => {
            await context.session().set('a', context.query())
            context.cookies().set('theme', 'dark')
            return 'hi'
          },
        },
        incoming: async (context, next) => {
          if (context.query() === 'clone') return cached?.clone() ?? new Response('none')
          cached ??= await next()
          return cached
        },
      }
    },
    async ({ ask }) => {
      assert.equal((await ask('/')).headers.getSetCookie().length, 2)

      await assertFailed(await ask('/?again'))
      const response = await ask('/?clone')
      assert.deepEqual(response.headers.getSetCookie(), [])
      assert.equal(await response.text(), 'hi')
    },
  )

  forBothWays(
    'without a body may be a constant',
    () => {
      const shared = new Response(null, { status: 204, headers: { 'x-a': '1' } })
      return {
        answers: {
          'GET /': (context) => {
            context.cookies().set('n', context.query())
            return shared
          },
        },
      }
    },
    async ({ ask, faults }) => {
      const [one, two] = [await ask('/?1'), await ask('/?2')]
      assert.deepEqual([one.status, two.status], [204, 204])
      assert.match(two.headers.getSetCookie().join(), /^n=2;[^,]*$/)
      assert.deepEqual(faults.seen, [])
    },
  )
})

describe('a response that cannot be written', () => {
  const cases: Readonly<
    Record<string, readonly [answer: (context: HttpContext) => unknown, message: RegExp]>
  > = {
    'with the status 99': [() => text('x', 99), /status 99/],
    'with the status 101': [() => text('x', 101), /status 101/],
    'with the status 600': [() => text('x', 600), /status 600/],
    'with the status 200.5': [() => text('x', 200.5), /status 200\.5/],
    'with the status NaN': [() => text('x', NaN), /status NaN/],
    'of an error': [() => Response.error(), /not a response/],
    'with a control character in a header': [
      () => new Response('x', { headers: { 'x-a': 'a\u0001b' } }),
      /"x-a"/,
    ],
    'with a control character in a header that was set later': [
      () => {
        const response = text('x')
        response.headers.set('x-a', 'a\u007f')
        return response
      },
      /"x-a"/,
    ],
    'with an invalid length': [
      () => new Response('x', { headers: { 'content-length': 'one' } }),
      /content-length: one/,
    ],
    'with another length than its body': [
      () => {
        const response = text('hello')
        response.headers.set('content-length', '500')
        return response
      },
      /content-length: 500.*5 bytes/,
    ],
    'with a length and no body': [
      () => new Response(null, { headers: { 'content-length': '5' } }),
      /content-length: 5.*0 bytes/,
    ],
  }
  for (const [what, [answer, message]] of Object.entries(cases)) {
    forBothWays(
      `${what} is a 500 before the session is committed`,
      () => ({
        answers: {
          'GET /': async (context) => {
            await context.session().set('a', 1)
            return answer(context)
          },
        },
      }),
      async ({ ask, faults, store }) => {
        const response = await ask('/')

        await assertFailed(response)
        assert.deepEqual(response.headers.getSetCookie(), [])
        assert.equal(store.size, 0)
        assert.equal(faults.seen.length, 1)
        assert.match(faults.messages[0] ?? '', message)
      },
    )
  }

  for (const status of [0, 42, 199, 600, NaN]) {
    forBothWays(
      `because an exception has the status ${status} is a 500`,
      () => ({
        answers: {
          'GET /': () => {
            throw new HttpException(status, 'ERR_OWN', 'own')
          },
        },
      }),
      async ({ ask, faults }) => {
        await assertFailed(await ask('/'))
        assert.match(faults.messages[0] ?? '', new RegExp(`status ${status}`))
      },
    )
  }

  forBothWays(
    'cancels the body that nobody will read',
    () => ({
      answers: {
        'GET /': () =>
          new Response(new ReadableStream({ cancel: () => void cancelled.push(true) }), {
            headers: { 'x-a': '\u0001' },
          }),
      },
    }),
    async ({ ask }) => {
      cancelled.splice(0)
      await assertFailed(await ask('/'))
      assert.deepEqual(cancelled, [true])
    },
  )

  forBothWays(
    'says nothing of framing and trailers, which are the adapter’s',
    () => ({
      answers: {
        'GET /': () =>
          new Response('upstream', {
            headers: { 'transfer-encoding': 'gzip', trailer: 'x-sum', 'x-a': '1' },
          }),
        'GET /text': () => {
          const response = text('text')
          response.headers.set('trailer', 'x-sum')
          return response
        },
      },
    }),
    async ({ ask, faults }) => {
      for (const [path, body] of [
        ['/', 'upstream'],
        ['/text', 'text'],
      ] as const) {
        const response = await ask(path)
        assert.equal(await response.text(), body)
        assert.equal(response.headers.get('trailer'), null)
      }
      assert.deepEqual(faults.seen, [])
    },
  )

  forBothWays(
    'because the security headers of the application fail is a 500',
    () => ({
      answers: { 'GET /': () => 'hi' },
      configure: (app) =>
        app.configure((definitions) => definitions.set(SecurityHeaders, new FailingHeaders())),
    }),
    async ({ ask, faults }) => {
      const response = await ask('/')
      assert.equal(response.status, 500)
      assert.equal(response.headers.get('x-content-type-options'), 'nosniff')
      assert.deepEqual(faults.messages, ['own headers'])
    },
  )
  const cancelled: boolean[] = []
})

describe('a status without a body', () => {
  for (const status of [204, 205, 304]) {
    forBothWays(
      `${status} is sent without the one that an action gave`,
      () => ({ answers: { 'GET /': () => text('body', status) } }),
      async ({ ask, faults }) => {
        const response = await ask('/')

        assert.equal(response.status, status)
        assert.equal(await response.text(), '')
        assert.notEqual(response.headers.get('content-length'), '4')
        assert.deepEqual(faults.seen, [])
      },
    )
  }
})

describe('HEAD', () => {
  forBothWays(
    'judges a response as GET does, and leaves an endless one alone',
    () => {
      const shared = new Response('shared')
      return {
        answers: {
          'GET /shared': () => shared,
          'GET /endless': () => new Response(endless()),
          'GET /length': () => new Response(null, { headers: { 'content-length': '5' } }),
        },
      }
    },
    async ({ ask, faults }) => {
      assert.equal((await ask('/shared', { method: 'HEAD' })).status, 200)
      assert.equal((await ask('/shared')).status, 500)
      assert.equal((await ask('/endless', { method: 'HEAD' })).status, 200)
      assert.equal((await ask('/length', { method: 'HEAD' })).headers.get('content-length'), '5')
      assert.equal(faults.seen.length, 1)
    },
  )

  forBothWays(
    'has no body, although the outgoing band gives it an endless one',
    () => ({ answers: { 'GET /': () => 'hi' }, outgoing: () => new Response(endless()) }),
    async ({ ask }) => {
      assert.equal(await (await ask('/', { method: 'HEAD' })).text(), '')
    },
  )
})

describe('a body that fails while it is sent', () => {
  const fault = new Error('midway')
  const parts = (...chunks: unknown[]): Response =>
    new Response(
      new ReadableStream({
        pull(controller) {
          const chunk = chunks.shift()
          if (chunk === fault) controller.error(fault)
          else if (chunk === undefined) controller.close()
          else controller.enqueue(chunk as Uint8Array)
        },
      }) as ReadableStream<Uint8Array>,
    )
  const first = new TextEncoder().encode('first')

  for (const [what, make, message] of [
    ['by itself', () => parts(first, fault), /midway/],
    ['at once', () => parts(fault), /midway/],
    ['with a text', () => parts(first, 'second'), /String as a chunk/],
    ['with a number', () => parts(first, 2), /Number as a chunk/],
    ['with an object', () => parts({}), /Object as a chunk/],
  ] as const) {
    forBothWays(
      `${what} is cut off, and onError() hears of it once, with its context`,
      () => ({
        answers: { 'GET /': () => make(), 'GET /other': () => 'other' },
        configure: (app) => app.onError((_, context) => void paths.push(context.path())),
      }),
      async ({ ask, faults }) => {
        paths.splice(0)
        await assert.rejects(async () => (await ask('/')).text())

        assert.equal(faults.seen.length, 1)
        assert.match(faults.messages[0] ?? '', message)
        assert.deepEqual(paths, ['/'])
        assert.equal(await (await ask('/other')).text(), 'other')
      },
    )
  }
  const paths: string[] = []

  it('that is longer or shorter than announced is cut off by serve(), and reported [HOLD-49]', async () => {
    const faults = new Faults()
    const app = site(
      {
        'GET /short': () => new Response('four', { headers: { 'content-length': '40' } }),
        'GET /long': () => new Response('sixteen characte', { headers: { 'content-length': '4' } }),
      },
      { configure: faults.listen },
    )
    await ways['serve()']?.(app, async (ask) => {
      for (const path of ['/short', '/long']) await assert.rejects(async () => (await ask(path)).text())
    })

    assert.equal(faults.seen.length, 2)
    for (const message of faults.messages) assert.match(message, /content-length|does not match/i)
  })

  forBothWays(
    'because somebody begins to read it after it was judged is a 500 that is heard',
    () => {
      const stream = new Blob(['x']).stream()
      return {
        answers: {
          'GET /': async (context) => {
            // The commit of the session lies between the judgement and the sending.
            await context.session().set('a', 1)
            return new Response(stream)
          },
        },
        configure: (app) =>
          app.configure((definitions) => {
            class Reading extends MemorySessionStore {
              override async create(...given: Parameters<MemorySessionStore['create']>): Promise<void> {
                stream.getReader()
                await super.create(...given)
              }
            }
            definitions.set(SessionStore, new Reading())
          }),
      }
    },
    async ({ ask, faults }) => {
      const response = await ask('/')

      assert.equal(response.status, 500)
      assert.equal(response.headers.get('x-content-type-options'), 'nosniff')
      assert.equal(faults.seen.length, 1)
    },
  )
})

function text(body: string, status = 200): Response {
  return textResponse(status, body, 'text/plain; charset=utf-8')
}
