import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { MemorySessionStore } from 'sallyport/session'
import { FrozenClock, proveSessionStore } from 'sallyport/testing'
import { PostgresServer, withoutPostgres } from '../services/postgres-server.ts'
import { RedisServer, withoutRedis } from '../services/redis-server.ts'
import { figure, sized, NONE } from './figure.ts'
import { StoreProcesses } from './processes/store-processes.ts'
import {
  assertExplained,
  DEEDS,
  type Deed,
  type Ground,
  outcomeOf,
  request,
  signedIn,
} from './races/trial.ts'

const WRITERS = 100
// Rotations, and the requests that each of them meets.
const ROTATION: readonly Deed[] = ['rotate', 'write', 'read', 'write']
const AT_ONCE = 8

/** What of a session a logout may have left behind, counted over many trials of three requests at once. */
async function trials(ground: Ground, count: number): Promise<void> {
  await inParallel(count, async (trial) => {
    const others = [DEEDS[trial % 7] ?? 'read', DEEDS[Math.floor(trial / 7) % 7] ?? 'read']
    const deeds: Deed[] = trial % 2 === 0 ? ['logout', ...others] : [...others, 'logout']
    const cookie = await signedIn(ground)
    const changes = await Promise.all(deeds.map((deed, index) => request(ground, cookie, deed, index)))
    assertExplained(deeds, await outcomeOf(ground, cookie, changes), `trial ${trial}`)
  })
}

/** Rotations against requests of the same browser, which all send the identifier that is about to end. */
async function rotations(ground: Ground, count: number): Promise<void> {
  await inParallel(count, async (trial) => {
    const cookie = await signedIn(ground)
    const rotated = request(ground, cookie, 'rotate', 0)
    const others = ROTATION.slice(1).map((deed, index) => request(ground, cookie, deed, index + 1))
    const next = await rotated
    assert.ok(next !== null && next !== '', 'the rotation sets a cookie')

    // At once: others may still be on their way.
    const [old, fresh] = await Promise.all([outcomeOf(ground, cookie, []), outcomeOf(ground, next, [])])
    assert.equal(old.old, 'ended')
    assert.match(fresh.old, /^_auth\+start\+w0.* of "ada"$/)
    const changes = [next, ...(await Promise.all(others))]
    assert.deepEqual(changes.slice(1), [null, null, null])
    assertExplained(ROTATION, await outcomeOf(ground, cookie, changes), `trial ${trial}`)
  })
}

async function writers(ground: Ground): Promise<void> {
  const cookie = await signedIn(ground)
  const numbers = Array.from({ length: WRITERS }, (_, index) => index)
  await Promise.all(numbers.map((index) => request(ground, cookie, 'write', index)))
  const { old } = await outcomeOf(ground, cookie, [])
  const keys = ['_auth', 'start', ...numbers.map((index) => `w${index}`)].sort()
  assert.equal(old, `${keys.join('+')} of "ada"`)
}

async function inParallel(count: number, work: (index: number) => Promise<void>): Promise<void> {
  let next = 0
  const worker = async (): Promise<void> => {
    while (next < count) await work(next++)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
}

function testRaces(ground: () => Ground, where: string, rotationCount: number): void {
  it('a logout is not undone by two requests that are on their way [R-05]', async (t) => {
    const count = sized(100, 1000)
    await trials(ground(), count)
    figure(t, 'R-05', { what: `sessions that come back in ${count} trials ${where}`, value: NONE, goal: '0' })
  })

  it('a rotation loses and doubles no identity, and its old identifier is invalid at once [R-06]', async (t) => {
    await rotations(ground(), rotationCount)
    const what = `identities lost or doubled in ${rotationCount} rotations against 3 requests ${where}`
    figure(t, 'R-06', { what, value: NONE, goal: '0' })
  })

  it('a hundred parallel requests that write different keys all survive [R-07]', async (t) => {
    await writers(ground())
    figure(t, 'R-07', { what: `updates lost in ${WRITERS} parallel writes ${where}`, value: NONE, goal: '0' })
  })
}

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
  const ground = (): Ground => {
    const clock = new FrozenClock()
    return { clock, store: processes.store(clock) }
  }

  testRaces(ground, 'over 4 processes', sized(300, 10_000))

  describe('the conformance suite, each operation in another of 4 processes [R-61]', () => {
    proveSessionStore(
      (clock) => processes.store(clock),
      () => processes.reopen(),
    )
  })
}

describe('sessions in memory', () => {
  const clock = new FrozenClock()
  const store = new MemorySessionStore({ clock })
  testRaces(() => ({ clock, store }), 'in 1 process', sized(1000, 10_000))
})

describe('sessions in Redis, in several processes', { skip: withoutRedis }, () => {
  testProcesses(async () => {
    const server = await RedisServer.start()
    return { address: server.url, close: () => server[Symbol.asyncDispose]() }
  })
})

describe('sessions in PostgreSQL, in several processes', { skip: withoutPostgres }, () => {
  testProcesses(async () => {
    const server = await PostgresServer.start()
    return { address: server.url, close: () => server[Symbol.asyncDispose]() }
  })
})

describe('sessions in SQLite, in several processes', () => {
  testProcesses(() => {
    const folder = mkdtempSync(join(tmpdir(), 'sallyport-stores-'))
    const close = (): void => rmSync(folder, { recursive: true })
    return Promise.resolve({ address: join(folder, 'sessions.sqlite'), close })
  })
})
