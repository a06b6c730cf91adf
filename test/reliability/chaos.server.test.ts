import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { Socket } from 'node:net'
import { describe, it, type TestContext } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'

import { open } from '../node/raw.ts'
import { ChaosServer, type Stats } from './chaos/chaos-server.ts'
import { foreseen, run } from './chaos/client.ts'
import { type Plan, planOf } from './chaos/plan.ts'
import { figure, sized } from './figure.ts'
import { Dice } from './mutations.ts'
import { Samples } from './samples.ts'

const KIB = 1024
const MIB = KIB * KIB
const NIGHTLY = process.env['NIGHTLY'] === '1'
const SEED = Number(process.env['CHAOS_SEED'] ?? new Dice(process.pid).below(2 ** 31))
const CONNECTIONS = Number(process.env['CHAOS_RUNS'] ?? sized(2000, 100_000))
const AT_ONCE = 40
// About a third of what the server takes: at its limit a page waits for as many as are open, whatever they do. So that
// is how a part of them comes, and others are timed beside it; the rest comes as fast as it can.
const PER_SECOND = 500
const PACED = Math.ceil(0.3 * CONNECTIONS)
// Its buffers in node, its parser, and what the engine compiles on the way.
const OF_A_CONNECTION = 256 * KIB
const MAX_HELD = 200

async function started(t: TestContext): Promise<ChaosServer> {
  const server = await ChaosServer.start()
  t.after(() => server.end())
  return server
}

/** Times of one page after another, beside some work. */
async function timesBeside(port: number, work: () => Promise<unknown>): Promise<Samples> {
  const probe = new Worker(new URL('chaos/probe.ts', import.meta.url), { workerData: port })
  const failed = once(probe, 'error').then(([error]) => Promise.reject(error as Error))
  await Promise.race([work(), failed])
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  probe.postMessage('stop')
  const [times] = (await Promise.race([once(probe, 'message'), failed])) as [number[]]
  await probe.terminate()
  const samples = new Samples()
  for (const time of times) samples.add(time)
  return samples
}

/** What the server holds when it has had two seconds to settle. */
async function settled(server: ChaosServer, before: Stats): Promise<Stats> {
  const until = performance.now() + 2000
  for (;;) {
    const stats = await server.stats()
    if (stats.sockets <= before.sockets || performance.now() > until) return stats
    await pause(50)
  }
}

// Who sends on when the connection has ended gets a reset, which may take along the answers that were not read yet.
function sendsOn({ messages }: Plan): boolean {
  return messages.slice(0, -1).some(({ status, isLast = false }) => status === null || isLast)
}

interface Share {
  readonly from?: number
  readonly to: number
  readonly perSecond?: number
}

async function chaos(server: ChaosServer, { from = 0, to, perSecond = Infinity }: Share): Promise<void> {
  const held: Socket[] = []
  const begun = performance.now()
  let index = from
  const worker = async (): Promise<void> => {
    while (index < to) {
      const number = index++
      if (perSecond < Infinity) await pause(begun + ((number - from) * 1000) / perSecond - performance.now())
      const dice = new Dice(SEED + number)
      const plan = planOf(dice)
      const outcome = await run(plan, server.port, { dice, held })
      const where = `CHAOS_SEED=${SEED}, connection ${number}: ${plan.sending}, ${plan.ending}, cut at ${plan.cut}`
      assert.equal(outcome.fault, null, where)
      assert.ok(server.isAlive, `${where}: ${server.said.join('')}`)
      // One more than asked: a refusal of what came after the last request.
      assert.ok(outcome.statuses.length <= plan.messages.length + 1, where)
      const expected = foreseen(plan)
      const seen = outcome.statuses.slice(0, expected.length)
      const isWhole = plan.ending === 'reads' && plan.cut === null && !sendsOn(plan)
      assert.deepEqual(seen, isWhole ? expected : expected.slice(0, seen.length), where)
      if (held.length > MAX_HELD) held.shift()?.destroy()
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
  for (const socket of held) socket.destroy()
}

describe('a server among clients that do anything', () => {
  it(`survives, answers each request once and in order, and holds nothing afterwards [HOLD-01 HOLD-02]`, async (t) => {
    const server = await started(t)
    // What is compiled, and the pools of the system, are there before.
    await chaos(server, { to: 200 })
    const before = await settled(server, { heap: 0, rss: 0, sockets: 0, read: 0, handled: 0, faults: [] })
    const idle = await timesBeside(server.port, () => pause(sized(1000, 10_000)))

    const busy = await timesBeside(server.port, () => chaos(server, { to: PACED, perSecond: PER_SECOND }))
    const flooded = await timesBeside(server.port, () => chaos(server, { from: PACED, to: CONNECTIONS }))
    const after = await settled(server, before)

    const factor = busy.at(0.99) / idle.at(0.99)
    figure(t, 'HOLD-01', {
      what: `p99 of other pages beside ${PER_SECOND} connections a second (CHAOS_SEED=${SEED}), times idle`,
      value: `${factor.toFixed(1)} (${idle.at(0.99).toFixed(1)} ms, then ${busy.at(0.99).toFixed(1)} ms; ${busy.count} pages beside ${PACED})`,
      goal: 'at most 3',
    })
    figure(t, 'HOLD-01', {
      what: `p99 of other pages beside ${CONNECTIONS - PACED} connections as fast as they come`,
      value: `${flooded.at(0.99).toFixed(1)} ms (${flooded.count} pages)`,
      goal: 'none: it is the work of those that are open',
    })
    figure(t, 'HOLD-01', {
      what: 'bytes in use afterwards',
      value: `${((after.heap - before.heap) / MIB).toFixed(1)} MiB more, ${after.sockets - before.sockets} sockets more`,
      goal: 'as before',
    })
    assert.deepEqual(server.said, [])
    assert.deepEqual(after.faults, [])
    assert.ok(after.sockets <= before.sockets, `${after.sockets} sockets, ${before.sockets} before`)
    assert.ok(after.heap - before.heap < 8 * MIB, `${after.heap - before.heap} bytes more`)
    for (const { most } of [busy, flooded]) assert.ok(most < 5000, `a page took ${most} ms`)
    if (NIGHTLY) assert.ok(factor <= 3, `${factor} times idle`)
    assert.equal(await server.end(), 0)
  })
})

describe('memory that clients can take', () => {
  const head = (path: string): string =>
    `POST ${path} HTTP/1.1\r\nHost: app.test\r\nContent-Type: application/x-www-form-urlencoded\r\nTransfer-Encoding: chunked\r\n\r\n`

  for (const [path, most] of [
    ['/nowhere', 0],
    ['/form', 1],
  ] as const) {
    it(`bodies in chunks of one byte cost ${most === 0 ? 'nothing if nothing reads them' : 'at most twice their bytes'}: ${path} [HOLD-04]`, async (t) => {
      const server = await started(t)
      // What is compiled on the way is there before.
      const warm = await open(server.port)
      warm.on('error', () => undefined).write(head(path) + '1\r\na\r\n'.repeat(5000))
      await pause(200)
      warm.destroy()
      await server.stats()
      const before = await server.stats()
      const [clients, chunks] = [2, sized(400_000, 1_000_000)]
      const sent = '1\r\na\r\n'.repeat(chunks)
      const sockets = await Promise.all(Array.from({ length: clients }, () => open(server.port)))
      for (const socket of sockets) {
        socket.on('error', () => undefined).write(head(path))
        socket.write(sent)
      }
      let after = await server.stats()
      for (; after.read < clients * sent.length; after = await server.stats()) await pause(50)

      const each = (after.heap - before.heap) / clients
      figure(t, 'HOLD-04', {
        what: `bytes in use for a body of ${chunks} chunks of one byte, sent to ${path}`,
        value: Math.round(each),
        goal: `at most ${most * 2 * chunks + 64 * KIB}, and what a connection takes`,
      })
      assert.ok(each <= most * 2 * chunks + 64 * KIB + OF_A_CONNECTION, `${each} bytes`)
      for (const socket of sockets) socket.destroy()
    })
  }

  it('responses to pipelined requests that are not read are at most 1 MiB per connection [HOLD-05]', async (t) => {
    const server = await started(t)
    const before = await server.stats()
    const clients = await Promise.all(Array.from({ length: 40 }, () => open(server.port)))
    for (const client of clients) {
      client.on('error', () => undefined).pause()
      client.write('GET /page HTTP/1.1\r\nHost: app.test\r\n\r\n'.repeat(200))
    }
    await pause(500)

    const after = await server.stats()

    const each = (after.heap - before.heap) / clients.length
    figure(t, 'HOLD-05', {
      what: 'bytes in use for a connection with 200 requests for a page of 60 KB',
      value: Math.round(each),
      goal: `at most ${MIB}`,
    })
    assert.ok(each <= MIB, `${each} bytes`)
    assert.ok(after.handled - before.handled < 200 * clients.length, 'requests wait for the client')
    for (const client of clients) client.destroy()
  })
})
