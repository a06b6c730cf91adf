import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'

import { ignorePromisesIn } from '../../src/http/discarded-promises.ts'

describe('ignorePromisesIn()', () => {
  it('finds promises wherever a value has them, and throws of nothing', async (t) => {
    const unhandled: unknown[] = []
    const listen = (reason: unknown): void => void unhandled.push(reason)
    process.on('unhandledRejection', listen)
    t.after(() => process.off('unhandledRejection', listen))
    const rejected = (): Promise<never> => Promise.reject(new Error('no row'))
    const failing = {
      get row(): never {
        throw new Error('no row')
      },
    }
    const cycle: unknown[] = [rejected()]
    cycle.push(cycle)

    for (const value of [
      rejected(),
      { a: [rejected()] },
      new Map([[1, rejected()]]),
      new Set([rejected()]),
      cycle,
    ])
      ignorePromisesIn(value)
    for (const value of [null, undefined, 1, 'a', failing, new Uint8Array(3)]) ignorePromisesIn(value)
    await sleep(2)

    assert.deepEqual(unhandled, [])
  })
})
