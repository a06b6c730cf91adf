import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { Ending } from '../../src/core/internal.ts'

describe('Ending', () => {
  it('calls those that listen, once, and none that has left or comes later [HOST-01]', () => {
    const ending = new Ending()
    const called: string[] = []
    const leaving = (): number => called.push('left')
    ending.add(() => called.push('stays'))
    ending.add(leaving)
    ending.remove(leaving)

    assert.equal(ending.hasBegun, false)
    ending.begin()
    ending.begin()
    ending.add(() => called.push('late'))

    assert.equal(ending.hasBegun, true)
    assert.deepEqual(called, ['stays'])
  })
})
