import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { Worker } from 'node:worker_threads'
import { RedisServer, withoutRedis } from '../services/redis-server.ts'
import { figure, sized, NONE } from './figure.ts'
import type { Stage } from './lifecycle/run.ts'
import type { Play } from './lifecycle/sequences-thread.ts'

// A failure prints the seed, the path of the sequence and the path of its steps: set all three to see it again.
const {
  LIFECYCLE_SEED: seed = String(Date.now() % 2 ** 31),
  LIFECYCLE_PATH: path,
  LIFECYCLE_REPLAY: replayPath,
  LIFECYCLE_RUNS: wantedRuns,
} = process.env
// On average half of them are taken: 20 by day, 40 at night.
const mostSteps = sized(40, 80)

async function prove(t: TestContext, address: string | null, runs: number): Promise<void> {
  t.diagnostic(`play it again with LIFECYCLE_SEED=${seed}`)
  const play: Play = {
    address,
    mostSteps,
    runs: Number(wantedRuns ?? runs),
    seed: Number(seed),
    ...(path === undefined ? {} : { path }),
    ...(replayPath === undefined ? {} : { replayPath }),
  }
  const thread = new Worker(new URL('lifecycle/sequences-thread.ts', import.meta.url), { workerData: play })

  const [counts] = (await once(thread, 'message')) as [Stage['counts']]

  const size = Object.entries(counts).map(([what, count]) => `${count} ${what}`)
  figure(t, 'R-60', {
    what: `rules of sessions and logins broken in ${size.join(', ')}`,
    value: NONE,
    goal: '0',
  })
}

const TITLE =
  'two browsers get what the model says after every step, clocks that are set included, and no identity comes back [R-05 R-06 HOLD-50]'

// Each has a thread of its own; at night they take half an hour one after another.
describe('the life of sessions and logins', { concurrency: true }, () => {
  it(`${TITLE}, in memory`, async (t) => {
    await prove(t, null, sized(150, 80_000))
  })

  it(`${TITLE}, in SQLite`, async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'sallyport-lifecycle-'))
    t.after(() => rmSync(folder, { recursive: true }))
    await prove(t, join(folder, 'sessions.sqlite'), sized(100, 10_000))
  })

  it(`${TITLE}, in Redis`, { skip: withoutRedis }, async (t) => {
    const server = await RedisServer.start()
    t.after(() => server[Symbol.asyncDispose]())
    await prove(t, server.url, sized(100, 10_000))
  })
})
