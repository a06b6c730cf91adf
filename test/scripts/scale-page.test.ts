import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { type Figures, readFigures, type Run } from '../../bench/scale/figures.ts'
import { blockIn, blockOf } from '../../bench/scale/page.ts'
import { wallsOf } from '../../bench/scale/reckoning.ts'

const figures = readFigures()

/** The kept figures, as if the runs with Redis had been like this. */
function withRedis(change: Partial<Run>): Figures {
  const backends = figures.backends.map(({ name, runs }) => ({
    name,
    runs: runs.map((run) => (name.endsWith('Redis') ? { ...run, ...change } : run)),
  }))
  return { ...figures, machine: { ...figures.machine, cores: 4 }, backends }
}

describe('the page about scale', () => {
  it('is made of the kept figures', () => {
    assert.equal(blockIn(), blockOf(figures))
  })

  it('has figures of one process and four on each backend, and each let through what the limit allows [RA-3202]', () => {
    const seen = figures.backends.map(({ name, runs }) => [
      name,
      ...runs.map(({ processes, letThrough }) => [processes, letThrough]),
    ])

    const runs = [
      [1, figures.limit],
      [4, figures.limit],
    ]
    assert.deepEqual(seen, [
      ['SQLite', ...runs],
      ['PostgreSQL', ...runs],
      ['PostgreSQL and Redis', ...runs],
    ])
  })

  const signIn = { applicationMilliseconds: 5, databaseMilliseconds: 10, redisMilliseconds: 0.5, writes: 4 }
  const cases = [
    {
      about: 'slow writes',
      writes: 300,
      cost: {},
      order: [75, 400, 2000],
      says: '270,000 sign-ins in an hour. A million in an hour needs 3.7 times',
    },
    {
      about: 'fast writes',
      writes: 4000,
      cost: {},
      order: [400, 1000, 2000],
      says: '1,440,000 sign-ins in an hour. A million in an hour uses 69 %',
    },
    {
      about: 'a slow Redis',
      writes: 4000,
      cost: { redisMilliseconds: 10 },
      order: [100, 400, 1000],
      says: 'a cluster moves the first wall',
    },
  ]
  for (const { about, writes, cost, order, says } of cases)
    it(`finds the first wall with ${about}`, () => {
      const measured = withRedis({ writes, signIn: { ...signIn, ...cost } })

      assert.deepEqual(
        wallsOf(measured).map(({ signInsPerSecond }) => signInsPerSecond),
        order,
      )
      assert.ok(blockOf(measured).includes(says), blockOf(measured))
    })
})
