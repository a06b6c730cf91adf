import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { late, loadLateParts } from '../../src/core/late.ts'

describe('late()', () => {
  it('gives a promise of a module until it is loaded, then the module', async () => {
    const module = { name: 'forms' }
    const forms = late(() => Promise.resolve(module))

    const [first, meanwhile] = [forms(), forms()]

    assert.ok(first instanceof Promise && meanwhile instanceof Promise)
    // One request must not wait for what another has begun.
    assert.notEqual(first, meanwhile)
    assert.equal(await first, module)
    assert.equal(forms(), module)
  })

  it('tries again after a failure', async () => {
    const outcomes = [Promise.reject(new Error('cannot be read')), Promise.resolve({ name: 'forms' })]
    const forms = late(() => outcomes.shift() ?? Promise.reject(new Error('once too often')))

    await assert.rejects(Promise.resolve(forms()), /cannot be read/)
    assert.deepEqual(await forms(), { name: 'forms' })
  })

  it('can be loaded before it is needed, whatever fails to load', async () => {
    const loaded: string[] = []
    const inner = (): unknown => late(() => Promise.resolve({ name: loaded.push('inner') }))
    late(() => Promise.reject(new Error('cannot be read')))
    const outer = late(() => Promise.resolve({ inner: inner(), name: loaded.push('outer') }))

    await loadLateParts()

    assert.deepEqual(loaded, ['outer', 'inner'])
    assert.ok(!(outer() instanceof Promise))
  })
})
