import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { slopeOf, Tally } from '../../src/testing/soak/index.ts'

describe('Tally', () => {
  it('excuses what a fault excuses while it lasts, and tells of everything else once', async () => {
    const tally = new Tally([429])
    const from = performance.now()
    const missed = (status: number): void =>
      tally.missed({ what: 'GET /', status, from, to: performance.now() })
    missed(503)
    const before = tally.judge()

    await tally.during({ what: 'a restart', excuses: [502] }, async () => missed(502))
    missed(500)
    missed(429)
    tally.answered()

    assert.deepEqual(before.unexpected, ['GET /: 503'])
    const { excused, unexpected } = tally.judge()
    assert.deepEqual(
      [[...excused], unexpected, tally.count],
      [
        [
          [502, 1],
          [429, 1],
        ],
        ['GET /: 500'],
        1,
      ],
    )
  })
})

describe('slopeOf()', () => {
  it('is that of the line that fits best', () => {
    for (const [values, slope] of [
      [[5, 5, 5], 0],
      [[1, 3, 5], 2],
      [[0, 3, 0, 3], 0.6],
    ] as const)
      assert.equal(slopeOf(values), slope)
  })
})
