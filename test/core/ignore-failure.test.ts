import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'

import { ignoreFailure } from '../../src/core/internal.ts'

describe('ignoreFailure()', () => {
  it('returns the same promise; code that awaits it gets the failure, even later', async (t) => {
    const unhandled: unknown[] = []
    const listen = (reason: unknown): void => void unhandled.push(reason)
    process.on('unhandledRejection', listen)
    t.after(() => process.off('unhandledRejection', listen))
    const failing = Promise.reject(new Error('no connection'))

    const given = ignoreFailure(failing)
    await sleep(2)

    assert.equal(given, failing)
    assert.deepEqual(unhandled, [])
    await assert.rejects(given, /no connection/)
  })
})
