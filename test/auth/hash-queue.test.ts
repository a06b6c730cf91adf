import assert from 'node:assert/strict'
import { availableParallelism } from 'node:os'
import { describe, it, type TestContext } from 'node:test'

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

/** How many of many jobs start at once by default, with a thread pool of the given size. */
async function inFlight(t: TestContext, threads: string | undefined): Promise<number> {
  const { UV_THREADPOOL_SIZE: before } = process.env
  const set = (value: string | undefined): void => {
    if (value === undefined) delete process.env['UV_THREADPOOL_SIZE']
    else process.env['UV_THREADPOOL_SIZE'] = value
  }
  t.after(() => set(before))
  set(threads)
  const queue = new HashQueue({ waiting: 1000 })
  const jobs = Array.from({ length: 200 }, job)
  const runs = jobs.map(({ run }) => queue.run(run))
  const started = jobs.filter(({ started }) => started()).length
  for (const { end } of jobs) end()
  await Promise.all(runs)
  return started
}

describe('HashQueue', () => {
  it('leaves two threads of the pool and one core free, but uses at least one [R-30]', async (t) => {
    const most = Math.max(1, availableParallelism() - 1)

    assert.equal(await inFlight(t, '1024'), Math.min(200, most))
    assert.equal(await inFlight(t, '3'), 1)
    for (const small of ['1', '2', '-5']) assert.equal(await inFlight(t, small), 1, small)
    // Four threads are what a process has when nothing is said.
    for (const unsaid of [undefined, '', 'many', '0', '4'])
      assert.equal(await inFlight(t, unsaid), Math.min(2, most), unsaid)
  })

  it('leaves no timer behind for callers whose turn came', async () => {
    const timers = (): number =>
      process.getActiveResourcesInfo().filter((resource) => resource === 'Timeout').length
    const before = timers()
    const queue = new HashQueue({ inFlight: 1, waitMilliseconds: 3_600_000 })
    const first = job()

    const runs = [queue.run(first.run), queue.run(async () => 'done')]
    const during = timers()
    first.end()
    await Promise.all(runs)

    assert.equal(during, before + 1)
    assert.equal(timers(), before)
  })

  it('computes no more at once than allowed; the next one starts when one ends [R-30]', async () => {
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

  it('serves callers in the order they came; nobody overtakes [R-30]', async () => {
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

  it('lets clients take turns: 1,000 hashes of one delay another by at most two [MEND-06]', async () => {
    const queue = new HashQueue({ inFlight: 1, waiting: 2000, waitMilliseconds: 3_600_000 })
    const order: string[] = []
    const ask = (client: string) => queue.run(async () => void order.push(client), client)
    const first = job()
    const runs: Promise<unknown>[] = [queue.run(first.run, 'a')]
    for (let i = 0; i < 1000; i++) runs.push(ask('a'))
    for (const client of ['b', 'b', 'c']) runs.push(ask(client))

    first.end()
    await Promise.all(runs)

    assert.deepEqual(order.slice(0, 6), ['a', 'b', 'c', 'a', 'b', 'a'])
    assert.equal(order.length, 1003)
  })

  it('is full for the client that fills it: the last of its callers makes room for another [MEND-06]', async () => {
    const queue = new HashQueue({ inFlight: 1, waiting: 4 })
    const order: string[] = []
    const ask = (name: string, client: string) => queue.run(async () => order.push(name), client)
    const first = job()
    const running = queue.run(first.run, 'a')
    const ofA = [1, 2, 3, 4].map((i) => ask(`a${i}`, 'a'))

    const ofB = [ask('b1', 'b'), ask('b2', 'b')]
    await assert.rejects(ask('b3', 'b'), ServiceUnavailableException)
    await assert.rejects(ask('a5', 'a'), ServiceUnavailableException)
    first.end()
    const ends = await Promise.allSettled([running, ...ofA, ...ofB])

    assert.deepEqual(
      ends.map(({ status }) => status === 'fulfilled'),
      [true, true, true, false, false, true, true],
    )
    assert.deepEqual(order, ['a1', 'b1', 'a2', 'b2'])
  })

  it('forgets a client whose callers have all been served or given up [MEND-06]', async () => {
    const queue = new HashQueue({ inFlight: 1, waiting: 1, waitMilliseconds: 5 })
    const first = job()
    const running = queue.run(first.run)

    for (const client of ['a', 'b', 'c'])
      await assert.rejects(
        queue.run(async () => 'late', client),
        ServiceUnavailableException,
      )

    first.end()
    await running
    assert.equal(await queue.run(async () => 'next', 'a'), 'next')
  })

  it('responds with 503 and Retry-After at once when its queue is full [R-30]', async () => {
    const queue = new HashQueue({ inFlight: 1, waiting: 1 })
    const first = job()
    const runs = [queue.run(first.run), queue.run(async () => 'second')]

    await assert.rejects(
      queue.run(async () => 'third'),
      (error: unknown) => {
        assert.ok(error instanceof ServiceUnavailableException)
        assert.equal(error.headers['retry-after'], '2')
        assert.equal(error.code, 'ERR_AUTH_BUSY')
        return true
      },
    )

    first.end()
    assert.deepEqual(await Promise.all(runs), ['done', 'second'])
    assert.equal(await queue.run(async () => 'later'), 'later')
  })

  it('responds with 503 when the wait is over, and does not start that work later [R-30]', async () => {
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

  it('frees its slot when the work fails, even when it throws', async () => {
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
