import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { format, inspect } from 'node:util'

import { Secret } from '../../src/core/index.ts'

const secret = new Secret('hunter2')

describe('Secret', () => {
  for (const [how, text] of [
    ['a template literal', `${secret.toString()}`],
    ['string conversion', String(secret)],
    ['JSON', JSON.stringify({ secret })],
    ['inspect', inspect({ deep: { secret } }, { depth: 9, showHidden: true })],
    ['format', format('%s %o %j', secret, secret, secret)],
    ['its own properties', JSON.stringify(Object.getOwnPropertyDescriptors(secret))],
    ['an error that names it', new Error(`no ${secret.toString()}`).stack ?? ''],
  ] as const) {
    it(`does not show its string by ${how}`, () => {
      assert.doesNotMatch(text, /hunter2/)
    })
  }

  it('returns its string on reveal()', () => {
    assert.equal(secret.reveal(), 'hunter2')
  })
})
