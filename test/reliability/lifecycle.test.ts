import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import fc from 'fast-check'
import { MemorySessionStore, type SessionStore } from 'sallyport/session'
import { RedisSessionStore } from 'sallyport/session/redis'
import { SqliteSessionStore } from 'sallyport/session/sqlite'
import { FrozenClock } from 'sallyport/testing'
import { RedisServer, withoutRedis } from '../services/redis-server.ts'
import { figure, sized } from './figure.ts'
import { createApplication } from './lifecycle/application.ts'
import { sequences } from './lifecycle/commands.ts'
import { Model } from './lifecycle/model.ts'
import { JARS, Run, type Stage } from './lifecycle/run.ts'
import { Turnstile } from './lifecycle/turnstile.ts'

// A failure prints the seed, the path of the sequence and the path of its steps: set all three to see it again.
const SEED = Number(process.env['LIFECYCLE_SEED'] ?? Date.now() % 2 ** 31)
const PATH = process.env['LIFECYCLE_PATH']
const REPLAY = process.env['LIFECYCLE_REPLAY']
const RUNS = process.env['LIFECYCLE_RUNS']
// On average half of them are taken: 20 by day, 40 at night.
const MOST_STEPS = sized(40, 80)

async function stageOn(store: SessionStore, clock: FrozenClock): Promise<Stage> {
  const turnstile = new Turnstile(store)
  const faults: unknown[] = []
  const app = await createApplication(turnstile, clock, faults).boot()
  return {
    app,
    clock,
    store,
    turnstile,
    faults,
    counts: { sequences: 0, steps: 0, requests: 0, races: 0, accidents: 0 },
  }
}

async function prove(t: TestContext, stage: Stage, runs: number): Promise<void> {
  t.diagnostic(`play it again with LIFECYCLE_SEED=${SEED}`)
  const property = fc.asyncProperty(sequences(MOST_STEPS, REPLAY), async (steps) => {
    const setup = (): { model: Model; real: Run } => ({
      model: new Model(stage.clock.milliseconds(), JARS),
      real: new Run(stage),
    })
    let used: ReturnType<typeof setup> | undefined
    await fc.asyncModelRun(() => (used = setup()), steps)
    if (used !== undefined) await used.real.finish(used.model)
    stage.counts.steps += [...steps].length
  })

  await fc.assert(property, {
    numRuns: Number(RUNS ?? runs),
    seed: SEED,
    ...(PATH === undefined ? {} : { path: PATH }),
  })

  const { sequences: count, steps, requests, races, accidents } = stage.counts
  const size = `${count} sequences, ${steps} steps, ${requests} requests, ${races} races, ${accidents} accidents`
  figure(t, 'R-60', { what: `rules of sessions and logins broken in ${size}`, value: 0, goal: '0' })
}

const TITLE = 'R-05, R-06: two browsers get what the model says after every step, and no identity comes back'

describe('the life of sessions and logins', () => {
  it(`${TITLE}, in memory`, async (t) => {
    const clock = new FrozenClock()
    await prove(t, await stageOn(new MemorySessionStore({ clock }), clock), sized(400, 80_000))
  })

  it(`${TITLE}, in SQLite`, async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'sallyport-lifecycle-'))
    const clock = new FrozenClock()
    const store = new SqliteSessionStore({ path: join(folder, 'sessions.sqlite'), clock, durable: false })
    t.after(() => {
      store.close()
      rmSync(folder, { recursive: true })
    })
    await prove(t, await stageOn(store, clock), sized(300, 10_000))
  })

  it(`${TITLE}, in Redis`, { skip: withoutRedis }, async (t) => {
    const server = await RedisServer.start()
    t.after(() => server[Symbol.asyncDispose]())
    const clock = new FrozenClock()
    const store = await RedisSessionStore.connect({ url: server.url, clock })
    t.after(() => store.close())
    await prove(t, await stageOn(store, clock), sized(300, 10_000))
  })
})
