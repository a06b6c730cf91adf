import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'

import type { App, HttpContext } from 'sallyport'
import { type Middleware, NotFoundException } from 'sallyport/http'
import { serve } from 'sallyport/node'

import { type Answers, browser, Faults, site } from './fixture.ts'
import { exchange, open } from '../node/raw.ts'

/** Asks through `fetch()` or over a connection, and leaves when told. */
type Ask = (app: App, path: string, gone: Promise<void>) => Promise<void>

const WAYS: Readonly<Record<string, Ask>> = {
  'fetch()': async (app, path, gone) => {
    const client = new AbortController()
    const answer = app.fetch(new Request(`http://app.test${path}`, { signal: client.signal }))
    await gone
    client.abort()
    await answer
  },
  'serve()': async (app, path, gone) => {
    await using stack = new AsyncDisposableStack()
    const server = await serve(app, { port: 0, signals: [], drainMilliseconds: 500 })
    stack.defer(() => server.close())
    const client = await open(server.port)
    client.write(`GET ${path} HTTP/1.1\r\nHost: app.test\r\n\r\n`)
    await gone
    client.destroy()
  },
}

const SIGNALS: Readonly<Record<string, (context: HttpContext) => AbortSignal>> = {
  'context.signal': (context) => context.signal,
  'the signal of context.request()': (context) => context.request().signal,
}

describe('context.signal', () => {
  for (const [way, ask] of Object.entries(WAYS)) {
    for (const [what, signalOf] of Object.entries(SIGNALS)) {
      it(`${what} aborts when the client has disconnected, under ${way} [HOLD-15]`, async () => {
        const [began, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<AbortSignal>()]
        const app = site({
          'GET /': async (context) => {
            const signal = signalOf(context)
            signal.addEventListener('abort', () => ended.resolve(signal))
            assert.equal(signal.aborted, false)
            began.resolve()
            await ended.promise
            return 'late'
          },
        })

        await Promise.all([ask(app, '/', began.promise), ended.promise])

        assert.equal(((await ended.promise).reason as Error).name, 'AbortError')
      })
    }

    it(`what an action throws because its client has disconnected is not reported, under ${way} [HOLD-15]`, async () => {
      const [began, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
      const faults = new Faults()
      const app = site(
        {
          'GET /': async (context) => {
            began.resolve()
            try {
              await pause(4000, null, { signal: context.signal })
            } finally {
              setImmediate(ended.resolve)
            }
          },
        },
        { configure: (configured) => faults.listen(configured) },
      )

      await Promise.all([ask(app, '/', began.promise), ended.promise])

      assert.deepEqual(faults.messages, [])
    })

    it(`an abort of another signal is reported, under ${way}`, async () => {
      const faults = new Faults()
      const app = site(
        {
          'GET /': async (context) => {
            assert.equal(context.signal.aborted, false)
            await pause(4000, null, { signal: AbortSignal.abort() })
          },
        },
        { configure: (configured) => faults.listen(configured) },
      )

      await ask(app, '/', pause(100))

      assert.equal(faults.messages.length, 1)
    })

    it(`it is already aborted when it is read after the disconnect, under ${way} [HOLD-15]`, async () => {
      const [began, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<boolean>()]
      const app = site({
        'GET /': async (context) => {
          began.resolve()
          await pause(100)
          ended.resolve(context.signal.aborted)
          return ''
        },
      })

      await Promise.all([ask(app, '/', began.promise), ended.promise])

      assert.equal(await ended.promise, true)
    })
  }

  for (const reason of [null, 'closed', 5, new Error('closed')]) {
    it(`what an action throws then is not reported, with the reason ${String(reason)} as well [HOLD-15]`, async () => {
      const client = new AbortController()
      const faults = new Faults()
      const app = site(
        { 'GET /': (context) => pause(4000, 'late', { signal: context.signal }) },
        { configure: (configured) => faults.listen(configured) },
      )

      const answer = app.fetch(new Request('http://app.test/', { signal: client.signal }))
      setTimeout(() => client.abort(reason), 20)
      await answer

      assert.deepEqual(faults.messages, [])
    })
  }

  it('it does not abort after the response was sent [HOLD-15]', async () => {
    let signal: AbortSignal | null = null
    await using stack = new AsyncDisposableStack()
    const app = site({ 'GET /': (context) => ((signal = context.signal), 'x'.repeat(200_000)) })
    const server = await serve(app, { port: 0, signals: [] })
    stack.defer(() => server.close())

    await (await fetch(server.url)).text()
    await pause(20)

    assert.equal((signal as AbortSignal | null)?.aborted, false)
  })

  it('it is that of the client even after a middleware has passed on another request [HOLD-15]', async () => {
    const client = new AbortController()
    const replace: Middleware<HttpContext> = {
      process: (_context, next) => next(new Request('http://app.test/')),
    }
    const app = site(
      {
        'GET /': (context) => {
          client.abort()
          return { aborted: context.signal.aborted }
        },
      },
      { configure: (configured) => configured.middleware().incoming(replace) },
    )

    const answer = await app.fetch(new Request('http://app.test/', { signal: client.signal }))

    assert.deepEqual(await answer.json(), { aborted: true })
  })
})

/** Sends a request whose body stops in the middle, and gives what comes back; then breaks it off. */
type Stall = (app: App, path: string) => Promise<string>

const FORM = { 'content-type': 'application/x-www-form-urlencoded', 'content-length': '100' }

const STALLS: Readonly<Record<string, Stall>> = {
  'fetch()': async (app, path) => {
    const sent = Promise.withResolvers<ReadableStreamDefaultController>()
    const body = new ReadableStream({
      start: (controller) => {
        controller.enqueue(Buffer.from('a=1'))
        sent.resolve(controller)
      },
    })
    const init = { method: 'POST', headers: FORM, body, duplex: 'half' } as const
    const answer = await app.fetch(new Request(`http://app.test${path}`, init))
    ;(await sent.promise).error(new Error('gone'))
    const head = [...answer.headers].map(([name, value]) => `${name}: ${value}`)
    return `HTTP/1.1 ${answer.status}\r\n${head.join('\r\n')}\r\n`
  },
  'serve()': async (app, path) => {
    await using stack = new AsyncDisposableStack()
    const server = await serve(app, { port: 0, signals: [], drainMilliseconds: 500 })
    stack.defer(() => server.close())
    const head = Object.entries(FORM).map(([name, value]) => `${name}: ${value}`)
    return await exchange(
      server.port,
      `POST ${path} HTTP/1.1\r\nHost: app.test\r\n${head.join('\r\n')}\r\n\r\na=1`,
    )
  },
}

describe('handlerMilliseconds', () => {
  function limited(answers: Answers, faults = new Faults()): ReturnType<typeof browser> {
    return browser(answers, {
      configure: (app) => {
        faults.listen(app)
        app.limits({ handlerMilliseconds: 30 })
      },
    })
  }

  it('an action that takes longer is a 503, is reported by name, and its signal aborts [HOLD-15]', async () => {
    const faults = new Faults()
    const signals: AbortSignal[] = []
    const client = limited(
      {
        'GET /': (context) => {
          signals.push(context.signal)
          return new Promise(() => undefined)
        },
      },
      faults,
    )

    const answer = await client.get('/')

    assert.equal(answer.status, 503)
    assert.ok(Number(answer.headers.get('retry-after')) >= 1)
    assert.equal(signals[0]?.aborted, true)
    assert.equal((signals[0].reason as Error).name, 'TimeoutError')
    assert.equal(faults.seen.length, 1)
    assert.match((faults.seen[0] as Error).message, /^Pages\.answer0 took longer than 30 ms$/)
    assert.doesNotMatch(await answer.text(), /Pages/)
  })

  it('an action in time is answered, and its signal does not abort [HOLD-15]', async () => {
    const signals: AbortSignal[] = []
    const client = limited({
      'GET /': async (context) => {
        signals.push(context.signal)
        await pause(1)
        return 'in time'
      },
    })

    const answer = await client.get('/')
    await pause(60)

    assert.equal(await answer.text(), 'in time')
    assert.equal(signals[0]?.aborted, false)
  })

  it('what an action does after its time is discarded, and what it throws is reported once [HOLD-15]', async () => {
    const faults = new Faults()
    const cancelled = Promise.withResolvers<void>()
    const client = limited(
      {
        'GET /answers': async () => {
          await pause(60)
          return new Response(new ReadableStream({ cancel: () => cancelled.resolve() }))
        },
        'GET /throws': async () => {
          await pause(60)
          throw new Error('late')
        },
        'GET /obeys': async (context) => {
          await pause(1000, null, { signal: context.signal })
          return 'never'
        },
      },
      faults,
    )

    for (const path of ['/answers', '/throws', '/obeys']) assert.equal((await client.get(path)).status, 503)
    await cancelled.promise
    await pause(80)

    assert.equal(faults.messages.filter((message) => message === 'late').length, 1)
    assert.equal(faults.seen.length, 4)
  })

  for (const [way, stall] of Object.entries(STALLS)) {
    it(`an action that waits for its client is a 408 and not reported, under ${way} [HOLD-15]`, async () => {
      const faults = new Faults()
      const signals: AbortSignal[] = []
      const read = async (context: HttpContext, text: () => Promise<unknown>): Promise<string> => {
        signals.push(context.signal)
        await context.session().set('half', 1)
        await text()
        return 'never'
      }
      const answers: Answers = {
        'POST /form': (context) => read(context, () => context.form()),
        'POST /stream': (context) => read(context, () => context.request().text()),
      }
      const configure = (app: App): void => {
        faults.listen(app)
        app.limits({ handlerMilliseconds: 100 })
      }

      for (const path of ['/form', '/stream']) {
        const answer = await stall(site(answers, { configure }), path)
        assert.match(answer, /^HTTP\/1\.1 408/)
        assert.match(answer, /^connection: close\r$/im)
        // It had written half of what it had to write.
        assert.doesNotMatch(answer, /set-cookie/i)
      }
      await pause(20)

      assert.deepEqual(
        signals.map(({ aborted }) => aborted),
        [true, true],
      )
      assert.deepEqual(faults.messages, [])
    })

    it(`one that does not wait for it is a 503, under ${way} [HOLD-15]`, async () => {
      const faults = new Faults()
      const never = new Promise<string>(() => undefined)
      const answers: Answers = {
        'POST /': () => never,
        'POST /asks': (context) => (context.request(), never),
      }
      const configure = (app: App): void => {
        faults.listen(app)
        app.limits({ handlerMilliseconds: 30 })
      }

      for (const path of ['/', '/asks'])
        assert.match(await stall(site(answers, { configure }), path), /^HTTP\/1\.1 503/)

      assert.equal(faults.seen.length, 2)
    })
  }

  it('an action that has its body is a 503 when it takes longer [HOLD-15]', async () => {
    const faults = new Faults()
    const client = limited(
      {
        'POST /': async (context) => {
          await context.form()
          return new Promise(() => undefined)
        },
      },
      faults,
    )

    assert.equal((await client.post('/', { form: { a: '1' } })).status, 503)
    assert.equal(faults.seen.length, 1)
  })

  it('a refusal that comes after its time is not reported [HOLD-15]', async () => {
    const faults = new Faults()
    const client = limited(
      {
        'GET /': async () => {
          await pause(60)
          throw new NotFoundException()
        },
      },
      faults,
    )

    assert.equal((await client.get('/')).status, 503)
    await pause(80)

    assert.equal(faults.seen.length, 1)
  })

  it('it is off by default, and no limit of 0 or below is accepted [HOLD-15]', () => {
    const app = site({})

    assert.equal(app.currentLimits().handlerMilliseconds, Infinity)
    for (const handlerMilliseconds of [0, -1, NaN])
      assert.throws(() => app.limits({ handlerMilliseconds }), RangeError)
    assert.equal(app.limits({ handlerMilliseconds: 2 ** 40 }).currentLimits().handlerMilliseconds, 2 ** 40)
  })
})
