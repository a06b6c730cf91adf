import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { SafeHtml } from 'sallyport'

describe('SafeHtml', () => {
  it('is the markup as a string', () => {
    assert.equal(`${new SafeHtml('<b>tea</b>')}`, '<b>tea</b>')
  })

  it('refuses what is not a string', () => {
    assert.throws(() => Reflect.construct(SafeHtml, [null]), TypeError)
  })
})
