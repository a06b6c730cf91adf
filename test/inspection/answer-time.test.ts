import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { SilentResolver, withinAnswerTime } from '../../src/inspection/answer-time.ts'

const sentence = (): string => 'The resolver has not answered'

describe('withinAnswerTime()', () => {
  it('gives what is there at once, and what comes in time', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] })
    const late = Promise.withResolvers<string>()
    const waiting = withinAnswerTime(late.promise, sentence)

    t.mock.timers.tick(4999)
    late.resolve('late')

    assert.equal(await withinAnswerTime('now', sentence), 'now')
    assert.equal(await waiting, 'late')
  })

  it('says after five seconds who has not answered, and for how long', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] })
    const waiting = withinAnswerTime(new Promise(() => undefined), sentence)

    t.mock.timers.tick(5000)

    await assert.rejects(waiting, (error) => {
      assert.ok(error instanceof SilentResolver)
      assert.equal(error.message, 'The resolver has not answered within 5000 ms')
      return true
    })
  })

  it('fails as the answer does, and leaves no timer behind', async () => {
    const timers = (): number => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length
    const before = timers()

    await assert.rejects(withinAnswerTime(Promise.reject(new RangeError('x')), sentence), RangeError)
    await withinAnswerTime('now', sentence)

    assert.ok(timers() <= before)
  })
})
