import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { View } from '../../src/view/index.ts'

describe('View', () => {
  it('is a template with data, status 200 by default', () => {
    assert.deepEqual(
      { ...new View('cart/index', { a: 1 }) },
      { ...new View('cart/index', { a: 1 }, { status: 200 }) },
    )
    assert.equal(new View('x').status, 200)
    assert.deepEqual(new View('x').data, {})
    assert.equal(new View('x', {}, { status: 422 }).status, 422)
  })
})
