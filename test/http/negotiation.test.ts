import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { prefersJson } from '../../src/http/index.ts'

describe('prefersJson()', () => {
  for (const [accept, json] of [
    [null, false],
    ['', false],
    ['*/*', false],
    ['text/html', false],
    ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', false],
    ['text/html, application/json;q=0.9', false],
    ['application/json', true],
    ['application/problem+json', true],
    ['APPLICATION/problem+json', true],
    ['application/json, text/plain, */*', true],
    ['application/json, text/html;q=0.9', true],
    ['application/json;q=0', false],
    ['application/jsonp', false],
    ['garbage json', false],
    [`application/json,${'x/y,'.repeat(4000)}`, false],
  ] as const) {
    it(`returns ${String(json)} for ${accept === null ? 'no header' : JSON.stringify(accept.slice(0, 60))}`, () => {
      assert.equal(prefersJson(accept), json)
    })
  }
})
