/**
 * What users of an application meet while the server of its sessions has a fault, and after it.
 *
 * @module
 */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import type { App } from '../../src/index.ts'
import type { SessionStore } from '../../src/session/index.ts'
import { Gates, TestClient } from '../../src/testing/index.ts'
import { type Fault, FaultProxy } from './fault-proxy.ts'
import { accountOf, bootApplication, signIn } from './session-application.ts'

/** A server of sessions under test. */
export interface FaultyServer extends AsyncDisposable {
  readonly port: number
  start(): Promise<void>
  stop(signal?: NodeJS.Signals): Promise<void>
  pause(): void
  resume(): void
}

/** How to start a server, and to open a store that reaches it at a port. */
export interface FaultyStore<S extends FaultyServer> {
  readonly startServer: () => Promise<S>
  readonly connect: (server: S, port: number) => Promise<SessionStore & { close(): unknown }>
}

interface Stage {
  readonly app: App
  readonly gates: Gates<SessionStore>
  readonly server: FaultyServer
  readonly proxy: FaultProxy
}

interface Trouble {
  begin(stage: Stage): void | Promise<void>
  end(stage: Stage): void | Promise<void>
  /** Whether requests come one after another: replies that share a packet share its fate. */
  readonly oneByOne?: boolean
}

const SLOWEST_REFUSAL_MILLISECONDS = 2000
const SLOWEST_RECOVERY_MILLISECONDS = 1000

const network = (fault: Fault): Trouble => ({
  begin: ({ proxy }) => proxy.begin(fault),
  end: ({ proxy }) => proxy.begin('pass'),
})

const troubles: Readonly<Record<string, Trouble>> = {
  'is stopped': { begin: ({ server }) => server.stop(), end: ({ server }) => server.start() },
  'is killed': { begin: ({ server }) => server.stop('SIGKILL'), end: ({ server }) => server.start() },
  'stands still': { begin: ({ server }) => server.pause(), end: ({ server }) => server.resume() },
  'is three seconds away': network('delay'),
  'is cut off in the middle of replies': { ...network('cut'), oneByOne: true },
  'is behind a network that loses everything': network('swallow'),
  'refuses connections': network('refuse'),
}

/**
 * Declares the tests.
 *
 * @param subject The server and its store.
 */
export function testFaults<S extends FaultyServer>(subject: FaultyStore<S>): void {
  let stage: Stage
  let close: () => Promise<void> = () => Promise.resolve()
  before(async () => {
    const server = await subject.startServer()
    const proxy = await FaultProxy.start(server.port)
    const store = await subject.connect(server, proxy.port)
    const gates = new Gates<SessionStore>(store)
    stage = { app: await bootApplication(gates.target), gates, server, proxy }
    close = async () => {
      await store.close()
      await proxy[Symbol.asyncDispose]()
      await server[Symbol.asyncDispose]()
    }
  })
  after(() => close())

  for (const [name, trouble] of Object.entries(troubles)) {
    it(`a server that ${name} refuses requests in time and changes nobody's login [R-20 R-21 R-22]`, async () => {
      await testRefusal(stage, trouble)
    })
    // What a cut reply belongs to has been done.
    if (trouble.oneByOne === true) continue
    it(`a write that meets a server that ${name} is not done later [R-23 R-26]`, async () => {
      await testInterruptedWrite(stage, trouble)
    })
  }

  it('a rotation whose answer is lost is sent again, and the browser gets its cookie [R-26]', async () => {
    await testLostAnswer(stage)
  })

  it('no confirmed write is lost when the server is killed [R-25]', async () => {
    await testDurability(stage)
  })
}

async function testRefusal(stage: Stage, trouble: Trouble): Promise<void> {
  const { app } = stage
  const ada = await signIn(app, 'ada')
  await ada.post('/note/note1')
  const visitor = new TestClient(app)

  await during(stage, trouble, async () => {
    const requests = [
      () => ada.get('/account'),
      () => ada.post('/note/note2'),
      () => ada.post('/logout'),
      () => visitor.post('/login/bob'),
    ]
    if (trouble.oneByOne === true) for (const request of requests) await assertRefused(request())
    else await Promise.all(requests.map((request) => assertRefused(request())))
    assert.equal((await ada.get('/open')).status, 200)
  })
  await assertRecovery(ada)

  assert.deepEqual(await accountOf(ada), { name: 'ada', notes: ['note1'] })
  assert.deepEqual(await accountOf(visitor), { name: null, notes: [] })
}

// The request has read its session when the fault begins, and commits in the middle of it.
async function testInterruptedWrite(stage: Stage, trouble: Trouble): Promise<void> {
  const { app, gates } = stage
  const ada = await signIn(app, 'ada')
  const twin = ada.clone()
  const [update, rotate] = [gates.hold('update'), gates.hold('rotate')]
  const requests = [ada.post('/note/note1'), twin.post('/logout')]
  await Promise.all([update.reached(), rotate.reached()])

  await during(stage, trouble, async () => {
    update.release()
    rotate.release()
    await Promise.all(requests.map(assertRefused))
  })
  await assertRecovery(ada)
  await pause(100)

  assert.deepEqual(await accountOf(ada), { name: 'ada', notes: [] })
  assert.equal((await accountOf(twin)).name, 'ada')
}

async function testLostAnswer({ app, gates, proxy }: Stage): Promise<void> {
  const visitor = new TestClient(app)
  await visitor.post('/note/note1')
  const before = visitor.cookie('sid')
  const gate = gates.hold('rotate')
  const login = visitor.post('/login/ada')
  await gate.reached()

  proxy.cuts = 1
  proxy.begin('cut')
  gate.release()

  assert.equal((await login).status, 204)
  assert.notEqual(visitor.cookie('sid'), before)
  assert.deepEqual(await accountOf(visitor), { name: 'ada', notes: ['note1'] })
  proxy.cuts = Number.POSITIVE_INFINITY
}

async function testDurability({ app, server }: Stage): Promise<void> {
  const ada = await signIn(app, 'ada')
  const confirmed: string[] = []
  let next = 0
  const write = async (): Promise<void> => {
    while (next < 200) {
      const key = `note${next++}`
      const response = await ada.post(`/note/${key}`)
      if (response.status === 204) confirmed.push(key)
      else await pause(20)
    }
  }

  const writing = Promise.all(Array.from({ length: 4 }, write))
  await pause(30)
  await server.stop('SIGKILL')
  await server.start()
  await writing
  await assertRecovery(ada)

  const { name, notes } = await accountOf(ada)
  const missing = confirmed.filter((key) => !notes.includes(key))
  assert.equal(name, 'ada')
  assert.ok(confirmed.length > 0)
  assert.deepEqual(missing, [])
}

async function during(stage: Stage, trouble: Trouble, work: () => Promise<void>): Promise<void> {
  await trouble.begin(stage)
  try {
    await work()
  } finally {
    await trouble.end(stage)
  }
}

async function assertRefused(answer: Promise<Response>): Promise<void> {
  const started = performance.now()
  const response = await answer
  const milliseconds = performance.now() - started
  assert.equal(response.status, 503)
  assert.deepEqual(response.headers.getSetCookie(), [])
  assert.match(response.headers.get('retry-after') ?? '', /^\d+$/)
  assert.ok(milliseconds < SLOWEST_REFUSAL_MILLISECONDS, `refused after ${Math.round(milliseconds)} ms`)
}

async function assertRecovery(client: TestClient): Promise<void> {
  const started = performance.now()
  while ((await client.get('/account')).status !== 200) {
    const milliseconds = performance.now() - started
    assert.ok(milliseconds < SLOWEST_RECOVERY_MILLISECONDS, `not back after ${Math.round(milliseconds)} ms`)
    await pause(20)
  }
}
