import assert from 'node:assert/strict'
import { it } from 'node:test'

import type { Router } from 'sallyport/routing'
import { inspect } from '../routing/fixture.ts'

/**
 * Declares one test for each explanation of a transcript.
 *
 * @param app The router.
 * @param transcript Explanations as `toText()` writes them, parted by an empty line; the places of declarations stand
 * as (…).
 */
export function explains(app: Router, transcript: string): void {
  for (const expected of transcript.trim().split('\n\n')) {
    const [request = ''] = expected.split('\n')
    it(`explains ${request}`, async () => {
      const [method = '', path = ''] = request.split(' ')

      const explanation = await inspect(app).explain(method, path)

      assert.equal(explanation.toText().replaceAll(/ \(\S+:\d+\)/g, ' (…)'), expected)
    })
  }
}
