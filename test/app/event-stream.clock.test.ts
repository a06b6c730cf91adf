import assert from 'node:assert/strict'
import { EventEmitter, on } from 'node:events'
import { describe, it } from 'node:test'
import { Clock, eventStream, type ResponseEvent } from 'sallyport'
import { MemorySessionStore, SessionStore } from 'sallyport/session'
import { serve } from 'sallyport/node'
import { FrozenClock, TestClient } from 'sallyport/testing'
import { within } from '../node/raw.ts'
import { Faults, site } from './fixture.ts'

const YEARS = 10 * 365 * 86_400_000

describe('eventStream() while the clock jumps', () => {
  it('HOLD-50 PAGE-12: goes on with events and heartbeats, and ends when the client leaves', async (t) => {
    const bus = new EventEmitter()
    const faults = new Faults()
    const heard: ResponseEvent[] = []
    const ends: string[] = []
    const clock = new FrozenClock('2026-01-31T12:00:00Z')
    const app = site(
      {
        'GET /events': (context) =>
          eventStream(
            context,
            async function* () {
              try {
                for await (const [data] of on(bus, 'news', { signal: context.signal }))
                  yield { data: String(data) }
              } finally {
                ends.push(context.signal.aborted ? 'aborted' : 'returned')
              }
            },
            { heartbeatMilliseconds: 20 },
          ),
      },
      {
        configure: (given) => {
          faults.listen(given)
          given
            .configure((definitions) => definitions.set(Clock, clock))
            .onResponse((event) => heard.push(event))
        },
      },
    )
    const server = await serve(app, { port: 0, signals: [], drainMilliseconds: 500 })
    t.after(() => server.close())
    const reader = (await fetch(`${server.url}/events`)).body
      ?.pipeThrough(new TextDecoderStream())
      .getReader()
    const read = async (wanted: string): Promise<void> => {
      let text = ''
      while (!text.includes(wanted))
        text += (await within(3000, Promise.resolve(reader?.read())))?.value ?? ''
    }
    await read(':\n\n:\n\n')
    let offset = 0
    const { now } = Date
    t.mock.method(Date, 'now', () => now.call(Date) + offset)

    for (const [i, jump] of [YEARS, -2 * YEARS, YEARS + 1, -1].entries()) {
      offset += jump
      clock.set(new Date(clock.milliseconds() + jump))

      await read(':\n\n')
      bus.emit('news', `jump ${i}`)
      await read(`data: jump ${i}\n\n`)
      await read(':\n\n')
    }
    await reader?.cancel()
    while (heard.length === 0) await new Promise((resolve) => setTimeout(resolve, 5))

    assert.deepEqual(ends, ['aborted'])
    assert.deepEqual(faults.messages, [])
    const [event] = heard
    assert.ok(
      (event?.milliseconds ?? -1) > 0 && (event?.milliseconds ?? 0) < 60_000,
      `${event?.milliseconds}`,
    )
    assert.equal(event?.isComplete, false)
  })

  it('HOLD-50 PAGE-12: keeps a stream whose session has ended by the jump, and lets its next request be anonymous', async () => {
    const clock = new FrozenClock('2026-01-31T12:00:00Z')
    const app = site(
      {
        'GET /sign-in': async (context) => {
          await context.session().set('name', 'Ada')
          return 'Ada'
        },
        'GET /events': async (context) => {
          const name = (await context.session().get<string>('name')) ?? 'nobody'
          return eventStream(context, async function* () {
            yield { data: name }
            clock.set(new Date(clock.milliseconds() + YEARS))
            yield { data: `still ${name}` }
          })
        },
      },
      {
        configure: (given) =>
          given.configure((definitions) =>
            definitions.set(Clock, clock).set(SessionStore, new MemorySessionStore({ clock })),
          ),
      },
    )
    const client = new TestClient(app)
    await client.get('/sign-in')

    const first = await (await client.get('/events')).text()
    const second = await (await client.get('/events')).text()

    assert.match(first, /data: Ada\n\ndata: still Ada\n\n/)
    assert.match(second, /data: nobody\n\n/)
  })
})
