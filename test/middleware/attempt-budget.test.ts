import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { AttemptBudget } from '../../src/middleware/attempt-budget.ts'

/** A clock that a test moves. */
class Hand {
  milliseconds = 1000
  now = (): number => this.milliseconds
}

function budget(hand: Hand): AttemptBudget {
  return new AttemptBudget({ perClient: 3, inAll: 6 }, hand.now)
}

function takeAll(from: AttemptBudget, client: string, most: number): number {
  let taken = 0
  while (taken < most && from.take(client) === 0) taken++
  return taken
}

describe('AttemptBudget', () => {
  it('admits as many attempts of one client as its limit, then one for each of its parts of a minute [BASIC-09]', () => {
    const hand = new Hand()
    const attempts = budget(hand)

    assert.equal(takeAll(attempts, 'a', 9), 3)
    assert.equal(attempts.take('a'), 20)
    hand.milliseconds += 19_999
    assert.ok(attempts.take('a') > 0)
    hand.milliseconds += 2
    assert.equal(takeAll(attempts, 'a', 9), 1)
    hand.milliseconds += 3_600_000
    assert.equal(takeAll(attempts, 'a', 9), 3)
  })

  it('a refused client uses up nothing of the others, and all together have a limit [BASIC-09]', () => {
    const attempts = budget(new Hand())

    assert.equal(takeAll(attempts, 'a', 100), 3)
    for (let i = 0; i < 100; i++) attempts.take('a')
    assert.equal(takeAll(attempts, 'b', 100), 3)
    assert.equal(attempts.take('c'), 10)
  })

  it('counts clients without an address together only', () => {
    assert.equal(takeAll(budget(new Hand()), '', 100), 6)
  })

  it('gives right attempts back, never more than the limit', () => {
    const attempts = budget(new Hand())

    for (let i = 0; i < 100; i++) {
      assert.equal(attempts.take('a'), 0)
      attempts.giveBack('a')
    }
    attempts.giveBack('a')
    assert.equal(takeAll(attempts, 'a', 100), 3)
  })

  it('remembers a bounded number of clients [HOLD-58]', () => {
    const hand = new Hand()
    const attempts = new AttemptBudget({ perClient: 1, inAll: 1e9 }, hand.now)

    assert.equal(attempts.take('first'), 0)
    assert.ok(attempts.take('first') > 0)
    for (let i = 0; i < 1000; i++) attempts.take(`client ${i}`)

    assert.equal(attempts.take('first'), 0)
    assert.ok(attempts.take('client 999') > 0)
  })

  it('says once that it cannot tell clients apart without an address, and limits them together [HOST-03]', (t) => {
    const warn = t.mock.method(process, 'emitWarning', () => undefined)
    const attempts = budget(new Hand())

    attempts.take('a')
    assert.equal(warn.mock.callCount(), 0)
    assert.equal(takeAll(attempts, '', 100), 5)
    assert.equal(warn.mock.callCount(), 1)
    assert.match(String(warn.mock.calls[0]?.arguments[0]), /pass clientAddress to app\.fetch\(\)/)
  })
})
