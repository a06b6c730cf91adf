import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { escapeHtml } from '../../src/core/internal.ts'

describe('escapeHtml()', () => {
  it('writes the five special characters as character references', () => {
    assert.equal(
      escapeHtml(`<a href="x" id='y'>&amp;`),
      '&lt;a href=&quot;x&quot; id=&#39;y&#39;&gt;&amp;amp;',
    )
  })

  it('leaves other characters alone', () => {
    assert.equal(escapeHtml('l’été `à` = 100 %'), 'l’été `à` = 100 %')
  })
})
