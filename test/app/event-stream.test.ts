import assert from 'node:assert/strict'
import { EventEmitter, on } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { describe, it, type TestContext } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'

import { type App, eventStream, type HttpContext, type StreamedEvent } from 'sallyport'
import { MemorySessionStore, SessionStore } from 'sallyport/session'
import { serve, type Server, type ServeOptions } from 'sallyport/node'
import { TestClient } from 'sallyport/testing'

import { within } from '../node/raw.ts'
import { type Answers, Faults, site } from './fixture.ts'

type Headers = Readonly<Record<string, string>>

async function serving(t: TestContext, app: App, options: ServeOptions = {}): Promise<Server> {
  const server = await serve(app, { port: 0, signals: [], drainMilliseconds: 500, ...options })
  t.after(() => server.close())
  return server
}

function connect(url: string, headers: Headers = {}): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const sent = get(url, { headers, agent: false }, (message) => {
      message.setEncoding('utf8').on('error', () => undefined)
      resolve(message)
    })
    sent.on('error', reject)
  })
}

async function textOf(message: IncomingMessage): Promise<string> {
  let text = ''
  for await (const piece of message) text += piece as string
  return text
}

/** What came until it has the text. */
async function until(message: IncomingMessage, wanted: string): Promise<string> {
  let text = ''
  message.on('data', (piece: string) => (text += piece))
  while (!text.includes(wanted)) await pause(2)
  return text
}

async function eventually(condition: () => boolean): Promise<void> {
  while (!condition()) await pause(2)
}

/** An application with one stream, which tells what becomes of it. */
function streaming(
  source: (context: HttpContext, lastEventId: string | null) => AsyncIterable<StreamedEvent>,
  options: Parameters<typeof eventStream>[2] = {},
  more: Answers = {},
): App {
  return site({
    'GET /events': (context) => eventStream(context, (lastEventId) => source(context, lastEventId), options),
    ...more,
  })
}

/** A source that gives one event and waits for the end of its signal. */
class Waiting {
  readonly ends: string[] = []

  source = async function* (this: Waiting, { signal }: HttpContext): AsyncGenerator<StreamedEvent> {
    try {
      yield { data: 'begun' }
      await pause(1_000_000, undefined, { signal })
    } finally {
      this.ends.push(signal.aborted ? 'aborted' : 'returned')
    }
  }.bind(this)
}

describe('eventStream()', () => {
  it('sends the events of a generator, then ends [PAGE-12]', async () => {
    const client = new TestClient(
      streaming(async function* () {
        yield { id: 1, data: 'one' }
        await pause(1)
        yield { id: 2, event: 'last', data: { two: true } }
      }),
    )

    const response = await client.get('/events')

    assert.equal(response.status, 200)
    assert.equal(response.headers.get('content-type'), 'text/event-stream')
    assert.equal(response.headers.get('cache-control'), 'no-store, no-transform')
    assert.equal(await response.text(), ':\n\nid: 1\ndata: one\n\nid: 2\nevent: last\ndata: {"two":true}\n\n')
  })

  it('stays out of caches and transformations also when it depends on the session [PAGE-12]', async () => {
    const app = site({
      'GET /events': async (context) => {
        await context.session().set('seen', true)
        return eventStream(context, async function* () {})
      },
    })

    const response = await new TestClient(app).get('/events')

    assert.match(response.headers.get('cache-control') ?? '', /no-store.*no-transform/)
  })

  it('sends each event when it happens, also over HTTP/1.1 [PAGE-12]', async (t) => {
    const bus = new EventEmitter()
    const app = streaming(async function* ({ signal }) {
      for await (const [data] of on(bus, 'news', { signal })) yield { data }
    })
    const server = await serving(t, app)
    const message = await within(10_000, connect(`${server.url}/events`))
    assert.equal(message.httpVersion, '1.1')
    assert.equal(message.headers['transfer-encoding'], 'chunked')

    for (const news of ['first', 'second']) {
      await eventually(() => bus.listenerCount('news') > 0)
      bus.emit('news', news)
      await within(10_000, until(message, `data: ${news}\n\n`))
    }
    message.destroy()
    await within(
      10_000,
      eventually(() => bus.listenerCount('news') === 0),
    )
  })

  it('gives the source the last event id of the client, null for none and for a malformed one [PAGE-12]', async () => {
    const seen: (string | null)[] = []
    const client = new TestClient(
      streaming(async function* (_, lastEventId) {
        seen.push(lastEventId)
        yield { data: 'x' }
      }),
    )
    const sent: readonly (string | undefined)[] = [
      '7',
      undefined,
      Buffer.from('é✓').toString('latin1'),
      'é',
      'a\tb',
      'x'.repeat(2000),
    ]
    for (const id of sent)
      await (await client.get('/events', { headers: id === undefined ? {} : { 'last-event-id': id } })).text()

    assert.deepEqual(seen, ['7', null, 'é✓', null, null, null])
  })

  it('tells the client when to reconnect [PAGE-12]', async () => {
    const client = new TestClient(streaming(async function* () {}, { retryMilliseconds: 1500 }))

    assert.equal(await (await client.get('/events')).text(), 'retry: 1500\n\n')
  })

  it('sends a comment whenever the source is silent, and drops no event for it [PAGE-12]', async (t) => {
    const app = streaming(
      async function* () {
        await pause(90)
        yield { data: 'late' }
        await pause(90)
      },
      { heartbeatMilliseconds: 20 },
    )
    const server = await serving(t, app)

    const text = await textOf(await connect(`${server.url}/events`))

    assert.match(text, /^:\n\n(?::\n\n)+data: late\n\n(?::\n\n)+$/)
  })

  it('waits fifteen seconds of silence for it unless told otherwise [PAGE-12]', async (t) => {
    const app = streaming(new Waiting().source)
    const response = await app.fetch(new Request('http://app.test/events'))
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
    assert.equal((await reader?.read())?.value, ':\n\n')
    assert.equal((await reader?.read())?.value, 'data: begun\n\n')
    t.mock.timers.enable({ apis: ['setTimeout'] })
    let text: string | undefined
    const read = reader?.read().then(({ value }) => (text = value))
    for (let i = 0; i < 5; i++) await new Promise(setImmediate)

    t.mock.timers.tick(14_999)
    for (let i = 0; i < 5; i++) await new Promise(setImmediate)
    assert.equal(text, undefined)
    t.mock.timers.tick(1)
    await read

    assert.equal(text, ':\n\n')
    t.mock.timers.reset()
    await reader?.cancel()
  })

  it('ends when the client leaves: the signal aborts, and the generator is finished [PAGE-12]', async (t) => {
    const faults = new Faults()
    const waiting = new Waiting()
    const app = streaming(waiting.source)
    faults.listen(app)
    const server = await serving(t, app)
    const message = await connect(`${server.url}/events`)
    await until(message, 'begun')

    message.destroy()

    await within(
      10_000,
      eventually(() => waiting.ends.length > 0),
    )
    assert.deepEqual(waiting.ends, ['aborted'])
    assert.deepEqual(faults.messages, [])
  })

  it('ends when the reader of fetch() cancels [PAGE-12]', async () => {
    const waiting = new Waiting()
    const response = await streaming(waiting.source).fetch(new Request('http://app.test/events'))
    const reader = response.body?.getReader()
    await reader?.read()
    await reader?.read()

    await reader?.cancel()

    await within(
      10_000,
      eventually(() => waiting.ends.length > 0),
    )
    assert.deepEqual(waiting.ends, ['aborted'])
  })

  it('finishes a generator that waits for no signal at its next event [PAGE-12]', async (t) => {
    const steps: string[] = []
    const app = streaming(async function* () {
      try {
        for (let i = 0; ; i++) {
          yield { data: i }
          steps.push('asked')
          await pause(20)
        }
      } finally {
        steps.push('finished')
      }
    })
    const server = await serving(t, app)
    const message = await connect(`${server.url}/events`)
    await until(message, 'data: 1')
    message.destroy()

    await within(
      10_000,
      eventually(() => steps.includes('finished')),
    )
    const count = steps.length
    await pause(60)
    assert.equal(steps.length, count)
  })

  it('PAGE-12 PAGE-13: ends completely when the server closes, and holds up nothing', async (t) => {
    const waiting = new Waiting()
    const app = streaming(waiting.source)
    const server = await serving(t, app, { drainMilliseconds: 20_000 })
    const messages = await Promise.all(Array.from({ length: 20 }, () => connect(`${server.url}/events`)))
    const texts = messages.map(textOf)
    await pause(50)

    await within(10_000, server.close())

    for (const text of await Promise.all(texts)) assert.equal(text, ':\n\ndata: begun\n\n')
    assert.ok(messages.every(({ complete }) => complete))
    assert.deepEqual(
      waiting.ends,
      Array.from({ length: 20 }, () => 'aborted'),
    )
  })

  it('a client that takes nothing holds up a restart for a second, and is no error [PAGE-13]', async (t) => {
    const faults = new Faults()
    const data = 'x'.repeat(100_000)
    const app = streaming(async function* () {
      for (;;) yield { data }
    })
    faults.listen(app)
    const server = await serving(t, app, { drainMilliseconds: 20_000 })
    const message = await connect(`${server.url}/events`)
    message.pause()
    await pause(300)

    await within(10_000, server.close())

    assert.deepEqual(faults.messages, [])
  })

  it('a client that is slow gets all that was sent before the end [PAGE-13]', async (t) => {
    let taken = 0
    const data = 'x'.repeat(100_000)
    const app = streaming(async function* () {
      for (;;) {
        taken += 1
        yield { data }
      }
    })
    const server = await serving(t, app, { drainMilliseconds: 20_000 })
    const message = await connect(`${server.url}/events`)
    message.pause()
    await pause(300)
    const closing = server.close()
    await pause(100)

    const text = await textOf(message)

    await within(10_000, closing)
    assert.equal(message.complete, true)
    assert.equal(text.split(`data: ${data}\n\n`).length - 1, taken)
  })

  it('a hook of onClosing() can send a last event before the streams end [PAGE-13]', async (t) => {
    const bus = new EventEmitter()
    const app = streaming(async function* ({ signal }) {
      for await (const [data] of on(bus, 'news', { signal })) yield { data }
    }).onClosing(async () => {
      bus.emit('news', 'restarting')
      await pause(10)
    })
    const server = await serving(t, app)
    const message = await connect(`${server.url}/events`)
    const text = textOf(message)
    await eventually(() => bus.listenerCount('news') > 0)

    await within(10_000, server.close())

    assert.equal(await text, ':\n\ndata: restarting\n\n')
  })

  it('a client that connects while the server closes gets a stream that ends, so that it comes again [PAGE-13]', async () => {
    let asked = 0
    const app = streaming(
      async function* () {
        asked += 1
        yield { data: 'x' }
      },
      { retryMilliseconds: 100 },
    )
    await app.boot()
    await app.close()

    const response = await app.fetch(new Request('http://app.test/events'))

    assert.equal(response.status, 200)
    assert.equal(await response.text(), 'retry: 100\n\n')
    assert.equal(asked, 0)
  })

  it('a stream whose application closes before its first byte ends after its first lines [PAGE-13]', async () => {
    const ends: string[] = []
    const app = streaming(
      async function* () {
        ends.push('begun')
        yield { data: 'x' }
      },
      { retryMilliseconds: 100 },
    )
    const response = await app.fetch(new Request('http://app.test/events'))

    await app.close()

    assert.equal(await response.text(), 'retry: 100\n\n')
    assert.deepEqual(ends, [])
  })

  it('takes no event before the client has room for it [PAGE-12]', async (t) => {
    let taken = 0
    const data = 'x'.repeat(100_000)
    const app = streaming(async function* () {
      for (;;) {
        taken += 1
        yield { data }
      }
    })
    const server = await serving(t, app)
    const message = await connect(`${server.url}/events`)
    message.pause()
    await pause(300)
    const before = taken
    await pause(200)

    // What the system takes on both sides, some megabytes.
    assert.ok(before < 200, `${before} events were taken`)
    assert.equal(taken, before)
    message.destroy()
  })

  it('does not begin for HEAD, and runs the end of an iterable that has begun [PAGE-12]', async () => {
    const steps: string[] = []
    const app = site({
      'HEAD /generator': (context) =>
        eventStream(context, async function* () {
          steps.push('begun')
          yield { data: 'x' }
        }),
      'HEAD /iterable': (context) =>
        eventStream(context, () => ({
          [Symbol.asyncIterator]: () => ({
            next: () => new Promise(() => undefined),
            return: async () => {
              steps.push('ended')
              return { done: true, value: undefined }
            },
          }),
        })),
    })
    const client = new TestClient(app)

    for (const path of ['/generator', '/iterable']) {
      const response = await client.request('HEAD', path)
      assert.equal(response.headers.get('content-type'), 'text/event-stream')
      assert.equal(await response.text(), '')
    }

    assert.deepEqual(steps, ['ended'])
  })

  it('commits the session before the first event, and refuses to change it in the generator [PAGE-12]', async () => {
    const store = new MemorySessionStore()
    const faults = new Faults()
    const app = site(
      {
        'POST /in': async (context) => context.session().set('name', 'Ada'),
        'GET /events': async (context) => {
          await context.session().set('seen', 'before')
          return eventStream(context, async function* () {
            yield { data: (await context.session().get('name')) ?? 'nobody' }
            await context.session().set('seen', 'within')
          })
        },
        'GET /seen': async (context) => ({ seen: await context.session().get('seen') }),
      },
      {
        configure: (configured) => {
          faults.listen(configured)
          configured.configure((definitions) => definitions.set(SessionStore, store))
        },
      },
    )
    const client = new TestClient(app)
    await client.post('/in')

    const response = await client.get('/events')

    assert.equal((await (await client.get('/seen')).text()).includes('before'), true)
    await assert.rejects(response.text())
    assert.equal(faults.messages.length, 1)
    assert.deepEqual(await (await client.get('/seen')).json(), { seen: 'before' })
  })

  it('cuts the stream off and reports it once when the source fails or gives no event [PAGE-12]', async (t) => {
    const faults = new Faults()
    const ended: string[] = []
    const app = site({
      'GET /fails': (context) =>
        eventStream(context, async function* () {
          yield { data: 'one' }
          await pause(30)
          throw new Error('the bus is gone')
        }),
      'GET /odd': (context) =>
        eventStream(context, async function* () {
          try {
            yield { data: 'one' }
            await pause(30)
            yield { id: 'a\nb' }
          } finally {
            ended.push('odd')
          }
        }),
    })
    faults.listen(app)
    const server = await serving(t, app)

    for (const path of ['/fails', '/odd']) {
      const message = await connect(server.url + path)
      await assert.rejects(textOf(message), { code: 'ECONNRESET' })
    }

    assert.equal(faults.messages.length, 2)
    assert.equal(faults.messages[0], 'the bus is gone')
    assert.match(faults.messages[1] ?? '', /event id/)
    assert.deepEqual(ended, ['odd'])
  })

  it('reports what fails after the client has left [PAGE-12]', async (t) => {
    const faults = new Faults()
    const app = streaming(async function* ({ signal }) {
      try {
        yield { data: 'begun' }
        await pause(1_000_000, undefined, { signal })
      } finally {
        await Promise.reject(new Error('cannot unsubscribe'))
      }
    })
    faults.listen(app)
    const server = await serving(t, app)
    const message = await connect(`${server.url}/events`)
    await until(message, 'begun')

    message.destroy()
    await within(
      10_000,
      eventually(() => faults.seen.length > 0),
    )

    await pause(20)
    assert.deepEqual(faults.messages, ['cannot unsubscribe'])
  })

  it('is a 500 when the source is none [PAGE-12]', async () => {
    const faults = new Faults()
    const app = site({
      'GET /promise': (context) => eventStream(context, (async () => undefined) as never),
      'GET /text': (context) => eventStream(context, 'events' as never),
      'GET /option': (context) => eventStream(context, async function* () {}, { retry: 1 } as never),
      'GET /time': (context) => eventStream(context, async function* () {}, { heartbeatMilliseconds: 0 }),
    })
    faults.listen(app)

    for (const path of ['/promise', '/text', '/option', '/time'])
      assert.equal((await new TestClient(app).get(path)).status, 500)

    assert.match(faults.messages[0] ?? '', /Cannot stream events from/)
    assert.equal(faults.messages.length, 4)
  })
})

describe('context.signal', () => {
  it('aborts when an event stream ends, also where an action has a time limit [PAGE-12]', async () => {
    const reasons: unknown[] = []
    const app = site(
      {
        'GET /events': (context) => {
          context.signal.addEventListener('abort', () => reasons.push((context.signal.reason as Error).name))
          return eventStream(context, async function* () {
            yield { data: 'x' }
          })
        },
      },
      { configure: (configured) => configured.limits({ handlerMilliseconds: 1000 }) },
    )

    await (await new TestClient(app).get('/events')).text()

    assert.deepEqual(reasons, ['AbortError'])
  })
})
