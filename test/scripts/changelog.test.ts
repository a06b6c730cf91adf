import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { read } from './guide-code.ts'

const MAX_WORDS = 25
const MAX_LINES = 60

for (const path of ['CHANGELOG.md', 'starter/CHANGELOG.md'])
  describe(path, () => {
    const [, ...releases] = read(path).split(/^## /m)

    it('has one line of at most 25 words for each change, without clauses', () => {
      const lines = releases.flatMap((release) => release.trim().split('\n').slice(1)).filter(Boolean)

      const wrong = lines.filter(
        (line) =>
          !/^(?:### \w|- \S|[A-Z].*\.$)/.test(line) ||
          line.split(/\s+/).length > MAX_WORDS + 1 ||
          /\b[A-Z]{2,}-\d+/.test(line),
      )

      assert.ok(lines.length > 0)
      assert.deepEqual(wrong, [])
    })

    it('describes the first release on one screen', () => {
      assert.ok((releases.at(-1) ?? '').split('\n').length <= MAX_LINES)
    })
  })
