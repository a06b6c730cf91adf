import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { MemorySessionStore } from 'sallyport/session'
import { FrozenClock } from 'sallyport/testing'
import { PointStore } from '../attacks/fixture/point-store.ts'
import { atRandom, type Choice } from '../attacks/fixture/scheduler.ts'
import { PostgresServer, withoutPostgres } from '../services/postgres-server.ts'
import { RedisClusterServers } from '../services/redis-cluster.ts'
import { RedisServer, withoutRedis } from '../services/redis-server.ts'
import { DEEDS, type Deed, type Ground, type Step, Trial } from './accounts/trial.ts'
import { Turns } from './accounts/turns.ts'
import { figure, NONE, sized } from './figure.ts'
import { StoreProcesses } from './processes/store-processes.ts'

// A failure names the number of its trial; a run with the seed and that number repeats it.
const SEED = Number(process.env['ACCOUNTS_SEED'] ?? Date.now() % 2 ** 31)
const AT_ONCE = 8
// Each has accounts of its own.
let trials = 0

interface Scheduled {
  readonly turns: Turns
  readonly ground: Ground
  readonly plain: Ground
}

/** A store at whose every operation the test decides who goes on. */
function scheduled(): Scheduled {
  const clock = new FrozenClock()
  const store = new MemorySessionStore({ clock })
  const turns = new Turns()
  const plain = { clock, store, expire: () => clock.advance(7200) }
  return { turns, plain, ground: { ...plain, store: new PointStore(store, turns.point) } }
}

async function play(
  { turns, ground, plain }: Scheduled,
  steps: readonly Step[],
  { choice, said }: { choice: Choice; said: () => string },
): Promise<void> {
  const trial = new Trial(ground, plain, `${++trials}`)
  await trial.begin()
  await turns.run(
    steps.map((step) => () => trial.run(step)),
    choice,
  )
  await trial.judge(steps, said())
}

/** Plays every order of operations of two requests, one after another: each run continues where the last one branched. */
async function playAll(on: Scheduled, steps: readonly Step[]): Promise<number> {
  let prefix: number[] = []
  for (let count = 1; count < 10_000; count++) {
    const taken: { choice: number; of: number }[] = []
    const choice: Choice = (waiting) => {
      const next = prefix[taken.length] ?? 0
      taken.push({ choice: next, of: waiting.length })
      return next
    }
    await play(on, steps, { choice, said: () => `order ${taken.map((each) => each.choice).join('')}` })
    const branch = taken.findLastIndex((each) => each.choice + 1 < each.of)
    if (branch === -1) return count
    prefix = [...taken.slice(0, branch).map((each) => each.choice), (taken[branch]?.choice ?? 0) + 1]
  }
  assert.fail('the orders do not end')
}

// Three requests, at least one of which ends sessions or lists them.
function stepsOf(trial: number, deeds: readonly Deed[]): Step[] {
  const choose = atRandom(SEED + trial)
  const among = <T>(values: readonly T[]): T => {
    const value = values[choose([...values.keys()])]
    assert.ok(value !== undefined)
    return value
  }
  const first = among<Deed>(['end', 'endOthers', 'endAll', 'list'])
  return [first, among(deeds), among(deeds)].map((deed) => ({ browser: among([0, 1]), deed }))
}

describe('the sessions of an account, in memory', () => {
  it('hold in every order of the operations of any two requests [ACCT-02 ACCT-03]', async (t) => {
    const on = scheduled()
    let count = 0
    for (const [index, first] of DEEDS.entries())
      for (const second of DEEDS.slice(index))
        for (const browser of [0, 1])
          count += await playAll(on, [
            { browser: 0, deed: first },
            { browser, deed: second },
          ])
    const what = `sessions revived, missing or live after their end in all ${count} orders of 2 requests`
    figure(t, 'ACCT-02', { what, value: NONE, goal: '0' })
    assert.ok(count > 1000)
  })

  it('hold in random orders of the operations of three requests [ACCT-02 ACCT-03]', async (t) => {
    t.diagnostic(`play it again with ACCOUNTS_SEED=${SEED}`)
    const on = scheduled()
    const count = sized(5000, 200_000)
    for (let trial = 0; trial < count; trial++)
      await play(on, stepsOf(trial, DEEDS), {
        choice: atRandom(SEED + trial),
        said: () => `trial ${trial} of seed ${SEED}`,
      })
    const what = `sessions revived, missing or live after their end in ${count} random orders of 3`
    figure(t, 'ACCT-02', { what, value: NONE, goal: '0' })
  })
})

function testProcesses(open: () => Promise<{ address: string; close: () => unknown }>): void {
  let close: () => unknown = () => undefined
  let processes: StoreProcesses
  before(async () => {
    const opened = await open()
    close = opened.close
    processes = await StoreProcesses.start(opened.address)
  })
  after(async () => {
    await processes[Symbol.asyncDispose]()
    await close()
  })

  it('hold with three requests at once, each operation in another of 4 processes [ACCT-02 ACCT-03]', async (t) => {
    t.diagnostic(`play it again with ACCOUNTS_SEED=${SEED}`)
    const clock = new FrozenClock()
    const ground = { clock, store: processes.store(clock), expire: () => undefined }
    const deeds = DEEDS.filter((deed) => deed !== 'expire')
    const count = sized(600, 20_000)
    let next = 0
    const worker = async (): Promise<void> => {
      while (next < count) {
        const number = next++
        const steps = stepsOf(number, deeds)
        const trial = new Trial(ground, ground, String(number))
        await trial.begin()
        await Promise.all(steps.map((step) => trial.run(step)))
        await trial.judge(steps, `trial ${number} of seed ${SEED}`)
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, worker))
    const what = `sessions revived, missing or live after their end in ${count} trials over 4 processes`
    figure(t, 'ACCT-02', { what, value: NONE, goal: '0' })
  })
}

describe('the sessions of an account, in SQLite', () => {
  testProcesses(() => {
    const folder = mkdtempSync(join(tmpdir(), 'sallyport-accounts-'))
    const close = (): void => rmSync(folder, { recursive: true })
    return Promise.resolve({ address: join(folder, 'sessions.sqlite'), close })
  })
})

describe('the sessions of an account, in PostgreSQL', { skip: withoutPostgres }, () => {
  testProcesses(async () => {
    const server = await PostgresServer.start()
    return { address: server.url, close: () => server[Symbol.asyncDispose]() }
  })
})

describe('the sessions of an account, in Redis', { skip: withoutRedis }, () => {
  testProcesses(async () => {
    const server = await RedisServer.start()
    return { address: server.url, close: () => server[Symbol.asyncDispose]() }
  })
})

describe('the sessions of an account, in a cluster of Redis', { skip: withoutRedis }, () => {
  testProcesses(async () => {
    const cluster = await RedisClusterServers.start()
    return { address: cluster.urls.join(','), close: () => cluster[Symbol.asyncDispose]() }
  })
})
