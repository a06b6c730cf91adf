import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { decamelize } from '../../src/core/index.ts'

describe('decamelize()', () => {
  for (const [name, kebab] of [
    ['Shop', 'shop'],
    ['RoutableModule', 'routable-module'],
    ['typedInt', 'typed-int'],
    ['HTMLPage', 'html-page'],
    ['page2', 'page2'],
    ['Page2Top', 'page2-top'],
    ['', ''],
  ] as const) {
    it(`spells ${JSON.stringify(name)} as ${JSON.stringify(kebab)}`, () => {
      assert.equal(decamelize(name), kebab)
    })
  }
})
