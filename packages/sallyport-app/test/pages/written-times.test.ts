import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { waitMessage, WrittenTimes } from 'sallyport-app/pages'

const times = new WrittenTimes({ en: 'en-GB', de: 'de' })
const LAST_SECOND = Date.parse('2026-03-01T23:59:59Z') / 1000

describe('WrittenTimes', () => {
  it('writes the day in UTC as readers of the language expect it', () => {
    assert.deepEqual(
      [times.day(LAST_SECOND, 'en'), times.day(LAST_SECOND + 1, 'en'), times.day(LAST_SECOND, 'de')],
      ['1 Mar 2026', '2 Mar 2026', '1. März 2026'],
    )
  })

  it('gives a time in UTC as a reader of the language expects it, with the exact time beside it [RA-3102]', () => {
    assert.deepEqual(times.moment(LAST_SECOND, 'en'), {
      iso: '2026-03-01T23:59:59Z',
      exact: '2026-03-01 23:59:59 UTC',
      text: { id: 'time.utc', values: { time: '1 Mar 2026, 23:59' } },
    })
    assert.deepEqual(times.moment(LAST_SECOND, 'de').text.values, { time: '1. März 2026, 23:59' })
    assert.deepEqual(times.moment(null, 'en'), { iso: '', exact: '', text: { id: 'time.never' } })
  })
})

describe('waitMessage()', () => {
  it('names whole minutes or hours, rounded up', () => {
    const waits = [0, 60, 61, 59 * 60, 59 * 60 + 1, 2 * 60 * 60 + 1].map(
      (seconds) => waitMessage('notes.full', seconds).wait,
    )

    assert.deepEqual(waits, [
      { id: 'wait.minutes', values: { minutes: 1 } },
      { id: 'wait.minutes', values: { minutes: 1 } },
      { id: 'wait.minutes', values: { minutes: 2 } },
      { id: 'wait.minutes', values: { minutes: 59 } },
      { id: 'wait.hours', values: { hours: 1 } },
      { id: 'wait.hours', values: { hours: 3 } },
    ])
  })
})
