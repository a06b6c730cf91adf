import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { SallyportException } from '../../src/core/index.ts'

class BrokenException extends SallyportException {}

describe('SallyportException', () => {
  it('carries a stable code, the name of its class, and its cause', () => {
    const cause = new Error('disk')

    const error = new BrokenException('ERR_BROKEN', 'Cannot do it', { cause })

    assert.ok(error instanceof Error)
    assert.equal(error.name, 'BrokenException')
    assert.equal(error.code, 'ERR_BROKEN')
    assert.equal(error.cause, cause)
  })
})
