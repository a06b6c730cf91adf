import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { HashQueue } from '../../src/auth/hash-queue.ts'
import { ServiceUnavailableException } from '../../src/http/index.ts'

/** Work that ends when it is told to. */
function job(): { run: () => Promise<string>; end: (error?: Error) => void; started: () => boolean } {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  let started = false
  return {
    run: () => {
      started = true
      return promise
    },
    end: (error) => (error === undefined ? resolve('done') : reject(error)),
    started: () => started,
  }
}

const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

describe('HashQueue', () => {
  it('R-30: computes no more at once than it may; the next one starts when one ends', async () => {
    const queue = new HashQueue({ inFlight: 2 })
    const jobs = [job(), job(), job()]
    const runs = jobs.map(({ run }) => queue.run(run))

    await settle()
    assert.deepEqual(
      jobs.map(({ started }) => started()),
      [true, true, false],
    )
    jobs[0]?.end()
    await settle()
    assert.equal(jobs[2]?.started(), true)

    jobs[1]?.end()
    jobs[2]?.end()
    assert.deepEqual(await Promise.all(runs), ['done', 'done', 'done'])
  })

  it('R-30: lets callers go in the order they came; nobody overtakes', async () => {
    const queue = new HashQueue({ inFlight: 1 })
    const order: number[] = []
    const first = job()
    const runs = [queue.run(first.run)]
    for (let i = 1; i <= 5; i++) runs.push(queue.run(async () => (order.push(i), 'done')))

    first.end()
    runs.push(queue.run(async () => (order.push(6), 'done')))
    await Promise.all(runs)

    assert.deepEqual(order, [1, 2, 3, 4, 5, 6])
  })

  it('R-30: answers 503 with Retry-After at once when its waiting room is full', async () => {
    const queue = new HashQueue({ inFlight: 1, waiting: 1 })
    const first = job()
    const runs = [queue.run(first.run), queue.run(async () => 'second')]

    await assert.rejects(
      queue.run(async () => 'third'),
      (error: unknown) => {
        assert.ok(error instanceof ServiceUnavailableException)
        assert.match(error.headers['retry-after'] ?? '', /^[1-9]\d*$/)
        return true
      },
    )

    first.end()
    assert.deepEqual(await Promise.all(runs), ['done', 'second'])
    assert.equal(await queue.run(async () => 'later'), 'later')
  })

  it('R-30: answers 503 when the wait is over, and does not start that work later', async () => {
    const queue = new HashQueue({ inFlight: 1, waitMilliseconds: 5 })
    const first = job()
    const late = job()
    const running = queue.run(first.run)

    await assert.rejects(queue.run(late.run), ServiceUnavailableException)

    first.end()
    await running
    await settle()
    assert.equal(late.started(), false)
    assert.equal(await queue.run(async () => 'next'), 'next')
  })

  it('gives its place back when the work fails, also when it throws', async () => {
    const queue = new HashQueue({ inFlight: 1, waiting: 0 })

    await assert.rejects(
      queue.run(() => Promise.reject(new Error('native'))),
      /native/,
    )
    await assert.rejects(
      queue.run(() => {
        throw new Error('at once')
      }),
      /at once/,
    )

    assert.equal(await queue.run(async () => 'free'), 'free')
  })

  for (const limits of [
    { inFlight: 0 },
    { inFlight: 1.5 },
    { inFlight: Number.NaN },
    { waiting: -1 },
    { waiting: 0.5 },
    { waitMilliseconds: 0 },
    { waitMilliseconds: Number.NaN },
  ]) {
    it(`refuses ${JSON.stringify(limits)}`, () => {
      assert.throws(() => new HashQueue(limits), RangeError)
    })
  }
})
