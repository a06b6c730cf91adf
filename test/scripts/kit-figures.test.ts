import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { describe, it } from 'node:test'
import { MEASURED, measure } from './kit-figures.ts'
import { change, KIT, otherKit } from './kit-project.ts'

describe('twenty edits of a project', () => {
  // The next version: every file of code has one more line at its end, and the lists have one more entry.
  const next = otherKit({
    'package.json': (text) => text.replace('"dependencies": {', '"dependencies": {\n    "added": "1.0.0",'),
    'core/assets/style.css': (text) => text.replace('--danger: #a3242b', '--danger: #b3242b'),
  })
  for (const path of readdirSync(next, { recursive: true, encoding: 'utf8' }))
    if (/(?:core|parts)\/.*\.ts$/.test(path)) change(next, path, (text) => `${text}// Next.\n`)

  for (const preset of MEASURED)
    it(`merge with the next version of the preset ${preset}, and what nobody edited is updated [RA-3311]`, () => {
      const { edited, both, open, untouched, updated } = measure(KIT, next, preset)

      assert.ok(
        both >= 15 && untouched > 100,
        `${edited} edited, ${both} changed by both, ${untouched} untouched`,
      )
      assert.deepEqual(open, [])
      assert.equal(updated, untouched)
    })
})
