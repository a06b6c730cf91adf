import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { nearest } from '../../src/core/internal.ts'

describe('nearest()', () => {
  const known = ['shop:cart', 'shop:card', 'shop:products', 'account:home', 'a:b']

  for (const [written, meant] of [
    ['shop:crat', 'shop:cart'],
    ['shop:cards', 'shop:card'],
    ['shop:product', 'shop:products'],
    ['acount:hom', 'account:home'],
    ['a:c', 'a:b'],
    ['shop:cart', 'shop:cart'],
    ['shop:imprint', undefined],
    ['', undefined],
    ['x'.repeat(1000), undefined],
  ] as const) {
    it(`finds ${meant ?? 'nothing'} for ${JSON.stringify(written).slice(0, 40)}`, () => {
      assert.equal(nearest(written, known), meant)
    })
  }

  it('prefers the first of equals', () => {
    assert.equal(nearest('shop:carx', known), 'shop:cart')
  })
})
