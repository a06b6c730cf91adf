import assert from 'node:assert/strict'
import { once } from 'node:events'
import { describe, it, type TestContext } from 'node:test'
import { Worker } from 'node:worker_threads'
import { RedisServer, withoutRedis } from '../services/redis-server.ts'
import { figure, sized } from './figure.ts'
import { mixups, PEOPLE } from './lifecycle/mixups.ts'
import { Servers } from './lifecycle/servers.ts'

function judge(t: TestContext, mixed: number, size: string): void {
  const what = `answers for somebody else in ${size}`
  figure(t, 'R-09', { what, value: mixed, goal: '0' })
  assert.equal(mixed, 0)
}

describe('interleaved requests of many people', () => {
  it('each gets a response of its own, however long the store takes [R-09]', async (t) => {
    const count = sized(12_000, 900_000)
    const thread = new Worker(new URL('lifecycle/mixups-thread.ts', import.meta.url), { workerData: count })

    const [found] = (await once(thread, 'message')) as [{ mixed: number; faults: string[] }]

    judge(t, found.mixed, `${count} interleaved requests of ${PEOPLE} people in one process`)
    assert.deepEqual(found.faults, [])
  })

  it('each does over shared connections [R-09]', { skip: withoutRedis }, async (t) => {
    const redis = await RedisServer.start()
    t.after(() => redis[Symbol.asyncDispose]())
    await using servers = await Servers.start(redis.url, 2)
    const count = sized(3000, 100_000)
    let turn = 0

    const mixed = await mixups((sent) => servers.send(turn++, sent), count)

    judge(
      t,
      mixed,
      `${count} interleaved requests of ${PEOPLE} people over 16 kept connections to 2 processes`,
    )
    assert.deepEqual(await servers.faults(), [])
  })
})
