import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { runInNewContext } from 'node:vm'

import { ignorePromisesIn } from '../../src/http/discarded-promises.ts'

describe('ignorePromisesIn()', () => {
  it('finds promises wherever a value has them, and throws for nothing', async (t) => {
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
    const kept = rejected()
    const revoked = Proxy.revocable({}, {})
    revoked.revoke()

    for (const value of [
      rejected(),
      { a: [rejected()] },
      new Map([[1, rejected()]]),
      new Map([[rejected(), 1]]),
      new Set([rejected()]),
      Object.assign(new Map(), { a: rejected() }),
      new Proxy({ a: rejected() }, {}),
      {
        row: failing,
        get a() {
          throw new Error('no row')
        },
        b: rejected(),
      },
      {
        get a(): object {
          return { b: [kept] }
        },
      },
      { a: revoked.proxy, b: rejected() },
      { a: runInNewContext('Promise.reject(1)') as unknown },
      { a: Object.assign(rejected(), { then: undefined }) },
      cycle,
    ])
      ignorePromisesIn(value)
    for (const value of [null, undefined, 1, 'a', failing, revoked.proxy, new Uint8Array(3)])
      ignorePromisesIn(value)
    await sleep(2)

    assert.deepEqual(unhandled, [])
  })
})
