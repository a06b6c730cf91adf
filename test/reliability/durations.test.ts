import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'

import { App, Controller, defineModule, eventStream } from 'sallyport'
import { PasswordHasher, PASSWORD_BCRYPT } from 'sallyport/auth'
import { serve } from 'sallyport/node'
import { SessionPolicy } from 'sallyport/session'
import { PostgresSessionStore } from 'sallyport/session/postgres'
import { RedisSessionStore } from 'sallyport/session/redis'
import { SqliteSessionStore } from 'sallyport/session/sqlite'

const LONGEST = 2 ** 31 - 1

/** Takes a time that a timer is set for. */
type Take = (milliseconds: number) => unknown

/** Options that a timer cannot exceed, so that more is refused. */
const REFUSING: Readonly<Record<string, Take>> = {
  waitMilliseconds: (waitMilliseconds) => new PasswordHasher(undefined, {}, { waitMilliseconds }),
  storeTimeoutMilliseconds: (storeTimeoutMilliseconds) => new SessionPolicy({ storeTimeoutMilliseconds }),
  'timeoutMilliseconds of SQLite': (timeoutMilliseconds) =>
    new SqliteSessionStore({ path: ':memory:', timeoutMilliseconds }),
  'timeoutMilliseconds of Redis': (timeoutMilliseconds) =>
    new RedisSessionStore({ get: pause, set: pause, eval: pause } as never, { timeoutMilliseconds }),
  'timeoutMilliseconds of PostgreSQL': (timeoutMilliseconds) =>
    new PostgresSessionStore({ query: pause } as never, { timeoutMilliseconds }),
  drainMilliseconds: async (drainMilliseconds) => {
    const server = await serve(App.create(), { port: 0, signals: [], drainMilliseconds })
    await server.close()
  },
  heartbeatMilliseconds: async (heartbeatMilliseconds) => await stream({ heartbeatMilliseconds }),
  retryMilliseconds: async (retryMilliseconds) => await stream({ retryMilliseconds }),
}

/** Opens a stream of no events; throws what refuses its options. */
async function stream(options: Parameters<typeof eventStream>[2]): Promise<void> {
  const faults: unknown[] = []
  class FeedController extends Controller {
    static readonly actions = { index: [] }
    index(): Response {
      return eventStream(this.context, async function* () {}, options)
    }
  }
  const app = App.create()
    .modules(defineModule('Feeds', (module) => module.controllers(FeedController)))
    .onError((error) => faults.push(error))
  const response = await app.fetch(new Request('http://feeds.test/feeds/feed'))
  await response.text()
  await app.close()
  if (faults.length > 0) throw faults[0]
}

class SlowController {
  static readonly actions = { index: [], indexPost: [] }
  async index(): Promise<string> {
    await pause(30)
    return 'slow'
  }

  indexPost(): string {
    return 'posted'
  }
}

/** Options where more than a timer can wait, and `Infinity`, is a time that does not end early. */
const ENDLESS: Readonly<Record<string, (milliseconds: number) => Promise<boolean>>> = {
  handlerMilliseconds: async (handlerMilliseconds) => {
    const app = App.create()
      .limits({ handlerMilliseconds })
      .modules(defineModule('Shop', (module) => module.controllers(SlowController)))
    const response = await app.fetch(new Request('http://shop.test/shop/slow'))
    return response.status === 200
  },
  bodyMilliseconds: async (bodyMilliseconds) => {
    const app = App.create().modules(defineModule('Shop', (module) => module.controllers(SlowController)))
    const server = await serve(app, { port: 0, signals: [], bodyMilliseconds })
    async function* body(): AsyncGenerator<Uint8Array> {
      yield Buffer.from('a')
      await pause(30)
      yield Buffer.from('b')
    }
    const init: RequestInit = { method: 'POST', body: ReadableStream.from(body()), duplex: 'half' }
    const response = await fetch(`${server.url}/shop/slow`, init)
    await server.close()
    return response.status === 200
  },
  milliseconds: async (milliseconds) => {
    let hasEnded = false
    const app = App.create().onClose(
      async () => {
        await pause(30)
        hasEnded = true
      },
      { milliseconds },
    )
    await app.close()
    return hasEnded
  },
}

describe('Options of timers', () => {
  for (const [name, take] of Object.entries(REFUSING)) {
    const option = name.split(' ')[0] ?? ''

    it(`${name} is refused where a timer would fire at once [HOLD-35]`, async () => {
      for (const wrong of [LONGEST + 1, 3e9, 1e308, Infinity, NaN, -1, '5', null]) {
        await assert.rejects(
          async () => take(wrong as number),
          (error: Error) => {
            assert.ok(error instanceof RangeError || error instanceof TypeError)
            assert.match(
              error.message,
              new RegExp(`^Cannot use "?${String(wrong).replace('+', '\\+')}"? as ${option}: `),
            )
            return error.message.includes(String(LONGEST))
          },
          `${name}: ${wrong}`,
        )
      }
    })

    it(`${name} may be as long as a timer can wait [HOLD-35]`, async () => {
      await take(LONGEST)
      await take(500)
    })
  }

  for (const [name, outlasts] of Object.entries(ENDLESS)) {
    it(`${name} beyond what a timer can wait does not end early [HOLD-35]`, async () => {
      for (const long of [LONGEST, LONGEST + 1, 3e9, 1e308, Infinity])
        assert.ok(await outlasts(long), `${name}: ${long}`)
    })
  }

  it('callers with the longest wait wait for their turn [R-30]', async () => {
    const settings = { inFlight: 1, waitMilliseconds: LONGEST }
    const hasher = new PasswordHasher(PASSWORD_BCRYPT, { cost: 4 }, settings)

    const hashes = await Promise.all(['one', 'two', 'three'].map((password) => hasher.hash(password)))

    assert.equal(hashes.length, 3)
  })

  it('no option of the framework with a time in milliseconds is missing here [HOLD-35]', () => {
    const source = new URL('../../src/', import.meta.url)
    const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((file) =>
      file.endsWith('.ts'),
    )
    const optional = files.flatMap((file) =>
      [...readFileSync(new URL(file, source), 'utf8').matchAll(/readonly (\w*milliseconds)\?: number/gi)].map(
        ([, name]) => name ?? '',
      ),
    )
    const known = [...Object.keys(REFUSING), ...Object.keys(ENDLESS)].map((name) => name.split(' ')[0])

    assert.ok(optional.length >= 7)
    assert.deepEqual(
      optional.filter((name) => !known.includes(name)),
      [],
    )
  })
})
