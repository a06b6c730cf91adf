/**
 * Plays sequences in a thread of their own: the test runner follows every promise of its own thread, which costs more
 * than the requests.
 *
 * @module
 */
import { parentPort, workerData } from 'node:worker_threads'
import fc from 'fast-check'
import { MemorySessionStore, type SessionStore } from 'sallyport/session'
import { FrozenClock } from 'sallyport/testing'
import { openStore } from '../processes/open-store.ts'
import { createApplication } from './application.ts'
import { sequences } from './commands.ts'
import { Model } from './model.ts'
import { JARS, Run, type Stage } from './run.ts'
import { Turnstile } from './turnstile.ts'

/** What is played. */
export interface Play {
  /** Address of the store; null for one in memory. */
  readonly address: string | null
  readonly runs: number
  readonly mostSteps: number
  readonly seed: number
  /** Of a failure: the path of its sequence. */
  readonly path?: string
  /** Of a failure: the path of its steps. */
  readonly replayPath?: string
}

async function stageOn(store: SessionStore, clock: FrozenClock): Promise<Stage> {
  const turnstile = new Turnstile(store)
  const faults: unknown[] = []
  const app = await createApplication(turnstile, clock, faults).boot()
  const counts = { sequences: 0, steps: 0, requests: 0, races: 0, jumps: 0, accidents: 0 }
  return { app, clock, store, turnstile, faults, counts }
}

async function playOn(stage: Stage, { runs, mostSteps, seed, path, replayPath }: Play): Promise<void> {
  const property = fc.asyncProperty(sequences(mostSteps, replayPath), async (steps) => {
    const setup = { model: new Model(stage.clock.milliseconds(), JARS), real: new Run(stage) }
    await fc.asyncModelRun(() => setup, steps)
    await setup.real.finish(setup.model)
    stage.counts.steps += [...steps].length
  })
  await fc.assert(property, { numRuns: runs, seed, ...(path === undefined ? {} : { path }) })
}

const play = workerData as Play
const clock = new FrozenClock()
const store = play.address === null ? null : await openStore(play.address, clock)
const stage = await stageOn(store ?? new MemorySessionStore({ clock }), clock)
try {
  await playOn(stage, play)
  parentPort?.postMessage(stage.counts, [])
} finally {
  store?.close()
}
