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

  it('writes them in a string of any length and any characters', () => {
    for (const filling of ['', 'a', 'é', 'ÿ', 'Ā', 'Ж', '\0', '😀', 'été & ', '""\'', '<b>’</b>'])
      for (const count of [1, 7, 100, 511, 512, 513, 3000]) {
        const text = `'${filling.repeat(count)}<`

        assert.equal(escapeHtml(text), `&#39;${escapedOneByOne(filling).repeat(count)}&lt;`)
      }
  })

  it('escapes one string after another', () => {
    const [one, other] = [escapeHtml('<long & "quoted">'), escapeHtml('a & b')]

    assert.equal(one, '&lt;long &amp; &quot;quoted&quot;&gt;')
    assert.equal(other, 'a &amp; b')
  })
})

function escapedOneByOne(text: string): string {
  const references: Record<string, string> = {
    '&': '&amp;',
    '<': '&lt;',
    '>': '&gt;',
    '"': '&quot;',
    "'": '&#39;',
  }
  return Array.from(text, (character) => references[character] ?? character).join('')
}
