import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'

import { PendingAnswers } from '../../src/node/pending-answers.ts'
import { onThisMachine } from '../../packages/sallyport-app/src/testing/on-this-machine.ts'

describe('PendingAnswers.settled()', () => {
  it('waits for every answer, made or failed, and for the hooks of their turn', async () => {
    const pending = new PendingAnswers()
    const seen: string[] = []
    const failing = pause(20).then(() => Promise.reject(new Error('no')))
    const making = pause(40).then(() => {
      seen.push('made')
      setImmediate(() => seen.push('hook'))
    })
    pending.add(failing)
    pending.add(making)
    await assert.rejects(failing)

    await pending.settled(5000)

    assert.deepEqual(seen, ['made', 'hook'])
  })

  it('waits no longer than it is given, and not at all for nothing', async () => {
    const pending = new PendingAnswers()
    const begun = performance.now()
    await pending.settled(5000)
    pending.add(new Promise(() => undefined))

    await pending.settled(50)

    assert.ok(performance.now() - begun < onThisMachine(2000))
  })
})
