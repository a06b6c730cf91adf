import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { DatabaseSync } from 'node:sqlite'
import { describe, it, type TestContext } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import type { App } from 'sallyport'
import type { SessionStore } from 'sallyport/session'
import { PostgresSessionStore } from 'sallyport/session/postgres'
import { RedisSessionStore } from 'sallyport/session/redis'
import { SqliteSessionStore } from 'sallyport/session/sqlite'
import { TestClient } from 'sallyport/testing'

import { FaultProxy } from '../services/fault-proxy.ts'
import { PostgresServer, withoutPostgres } from '../services/postgres-server.ts'
import { RedisServer, withoutRedis } from '../services/redis-server.ts'
import { accountOf, bootApplication, signIn } from '../services/session-application.ts'
import { figure, sized } from './figure.ts'
import { Samples } from './samples.ts'

/** An application over a store whose server can be taken away or slowed down. */
interface Stage {
  readonly app: App
  readonly takeAway: () => Promise<void>
  readonly giveBack: () => Promise<void>
  readonly slowDown: () => void
  readonly speedUp: () => void
  /** Whether a read is answered while the store is slow: SQLite reads beside a writer. */
  readonly readsWhileSlow: boolean
}

const MIB = 2 ** 20
const SLOW_MILLISECONDS = 5000

async function remote(
  t: TestContext,
  server: RedisServer | PostgresServer,
  connect: (proxy: FaultProxy) => Promise<SessionStore & { close(): unknown }>,
): Promise<Stage> {
  const proxy = await FaultProxy.start(server.port)
  proxy.delayMilliseconds = SLOW_MILLISECONDS
  const store = await connect(proxy)
  t.after(async () => {
    await store.close()
    await proxy[Symbol.asyncDispose]()
    await server[Symbol.asyncDispose]()
  })
  return {
    app: await bootApplication(store),
    takeAway: () => server.stop('SIGKILL'),
    giveBack: () => server.start(),
    slowDown: () => proxy.begin('delay'),
    speedUp: () => proxy.begin('pass'),
    readsWhileSlow: false,
  }
}

async function embedded(t: TestContext): Promise<Stage> {
  const folder = mkdtempSync(join(tmpdir(), 'sallyport-failures-'))
  const path = join(folder, 'sessions.sqlite')
  const store = new SqliteSessionStore({ path, durable: false })
  // Stands for another process that writes and does not finish.
  const other = new DatabaseSync(path)
  t.after(() => {
    other.close()
    store.close()
    rmSync(folder, { recursive: true, force: true })
  })
  return {
    app: await bootApplication(store),
    takeAway: async () => other.exec('BEGIN IMMEDIATE'),
    giveBack: async () => other.exec('ROLLBACK'),
    slowDown: () => other.exec('BEGIN IMMEDIATE'),
    speedUp: () => other.exec('ROLLBACK'),
    readsWhileSlow: true,
  }
}

const stores: readonly {
  readonly name: string
  readonly skip: string | false
  readonly open: (t: TestContext) => Promise<Stage>
}[] = [
  {
    name: 'Redis',
    skip: withoutRedis,
    open: async (t) => {
      const server = await RedisServer.start()
      return remote(t, server, ({ port }) => RedisSessionStore.connect({ url: `redis://127.0.0.1:${port}` }))
    },
  },
  {
    name: 'PostgreSQL',
    skip: withoutPostgres,
    open: async (t) => {
      const server = await PostgresServer.start()
      return remote(t, server, async ({ port }) => {
        const store = await PostgresSessionStore.connect({ url: server.urlAt(port) })
        await store.migrate()
        return store
      })
    },
  },
  { name: 'SQLite', skip: false, open: embedded },
]

/** Counts what must not be there in answers that had to be refused. */
class Refusals {
  readonly times = new Samples()
  wrongStatus = 0
  withoutRetryAfter = 0
  cookies = 0

  async add(answer: Promise<Response>): Promise<void> {
    const begin = performance.now()
    const response = await answer
    this.times.add(performance.now() - begin)
    if (response.status !== 503) this.wrongStatus++
    if (!/^[1-9]\d*$/.test(response.headers.get('retry-after') ?? '')) this.withoutRetryAfter++
    this.cookies += response.headers.getSetCookie().length
  }

  get wrong(): readonly number[] {
    return [this.wrongStatus, this.withoutRetryAfter, this.cookies]
  }
}

/** Sends requests that need the session, so many at once, and counts whether pages without one are served beside. */
async function sendWithout(
  stage: Stage,
  count: number,
  atOnce: number,
): Promise<{ refusals: Refusals; open: number }> {
  const refusals = new Refusals()
  const ada = await signIn(stage.app, 'ada')
  await stage.takeAway()
  let open = 0
  let next = 0
  const send = async (): Promise<void> => {
    while (next < count) {
      const turn = next++
      const visitor = new TestClient(stage.app)
      const requests = [
        () => ada.post('/note/note1'),
        () => ada.post('/logout'),
        () => visitor.post('/login/bob'),
        () => (stage.readsWhileSlow ? visitor.post('/note/note1') : ada.get('/account')),
      ]
      await refusals.add((requests[turn % requests.length] ?? (() => visitor.post('/login/eve')))())
      if ((await visitor.get('/open')).status === 200) open++
      assert.equal(visitor.cookie('sid'), undefined)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, send))
  await stage.giveBack()
  await healthy(ada)
  assert.deepEqual(await accountOf(ada), { name: 'ada', notes: [] })
  return { refusals, open }
}

/** Waits until a signed-in page is served; gives how long that took. */
async function healthy(client: TestClient): Promise<number> {
  const begin = performance.now()
  while ((await client.get('/account')).status !== 200) {
    assert.ok(performance.now() - begin < 10_000, 'back within ten seconds')
    await pause(10)
  }
  return performance.now() - begin
}

/** Times of a page that needs no session, asked every few milliseconds. */
async function plainPages(app: App, count: number): Promise<Samples> {
  const client = new TestClient(app)
  const times = new Samples()
  for (let i = 0; i < count; i++) {
    const begin = performance.now()
    assert.equal((await client.get('/open')).status, 200)
    times.add(performance.now() - begin)
    await pause(4)
  }
  return times
}

for (const { name, skip, open } of stores) {
  describe(`a session store that fails: ${name}`, { skip }, () => {
    it('503 with Retry-After and no cookie while nothing answers; pages without a session are served [R-20]', async (t) => {
      const stage = await open(t)
      const count = name === 'SQLite' ? sized(64, 2000) : sized(200, 10_000)

      const { refusals, open: served } = await sendWithout(stage, count, name === 'SQLite' ? 32 : 8)

      const what = `${name}: slowest refusal of ${count}`
      figure(t, 'R-20', { what, value: `${refusals.times.most.toFixed(0)} ms`, goal: 'at most 1000 ms' })
      const counts = `${refusals.wrong.join(', ')}; open pages served ${served} of ${count}`
      figure(t, 'R-20', {
        what: `${name}: other statuses, without Retry-After, cookies`,
        value: counts,
        goal: '0, 0, 0; all',
      })
      assert.deepEqual(refusals.wrong, [0, 0, 0])
      assert.equal(served, count)
      assert.ok(refusals.times.most < 2500, `${refusals.times.most} ms`)
    })

    it('a slow store refuses in time, blocks nobody else and uses no memory [R-21]', async (t) => {
      const stage = await open(t)
      const ada = await signIn(stage.app, 'ada')
      const pages = sized(150, 1500)
      await plainPages(stage.app, pages)
      const idle = await plainPages(stage.app, pages)
      const refusals = new Refusals()
      const sending: Promise<void>[] = []
      const lag = monitorEventLoopDelay({ resolution: 5 })
      const before = process.memoryUsage().rss

      stage.slowDown()
      lag.enable()
      const timer = setInterval(() => sending.push(refusals.add(ada.post('/note/note1'))), 10)
      const busy = await plainPages(stage.app, pages)
      clearInterval(timer)
      await Promise.all(sending)
      lag.disable()
      const grown = (process.memoryUsage().rss - before) / MIB
      stage.speedUp()
      const recovery = await healthy(ada)

      const requests = `${name}: ${sending.length} requests to a store that takes 5 s`
      figure(t, 'R-21', {
        what: `${requests}: slowest refusal`,
        value: `${refusals.times.most.toFixed(0)} ms`,
        goal: 'at most 1500 ms',
      })
      const ratio = `${(busy.at(0.99) / idle.at(0.99)).toFixed(2)} (${idle.at(0.99).toFixed(2)} and ${busy.at(0.99).toFixed(2)} ms)`
      figure(t, 'R-21', { what: `${name}: p99 of other pages, times idle`, value: ratio, goal: 'at most 2' })
      figure(t, 'R-21', {
        what: `${name}: lag of the loop, p99`,
        value: `${(lag.percentile(99) / 1e6 - 5).toFixed(1)} ms`,
        goal: 'at most 50 ms',
      })
      figure(t, 'R-21', {
        what: `${name}: memory`,
        value: `${grown.toFixed(1)} MiB`,
        goal: 'at most 64 MiB more',
      })
      figure(t, 'R-21', {
        what: `${name}: normal again after`,
        value: `${recovery.toFixed(0)} ms`,
        goal: 'at most 2000 ms',
      })
      assert.deepEqual(refusals.wrong, [0, 0, 0])
      assert.ok(refusals.times.most < 3000, `${refusals.times.most} ms`)
      assert.ok(busy.most < 1000, `an open page took ${busy.most} ms`)
      assert.deepEqual(await accountOf(ada), { name: 'ada', notes: [] })
    })
  })
}
