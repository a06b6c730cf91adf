import assert from 'node:assert/strict'
import { it } from 'node:test'

import { RoutingException } from 'sallyport/routing'

/** What is tried, and the code and message of its refusal; places in the source stand as (…). */
export type Refused = readonly [attempt: () => unknown, refusal: string]

/**
 * Declares one test for each refusal.
 *
 * @param refusals What is tried, and how it is refused.
 */
export function refuses(refusals: readonly Refused[]): void {
  for (const [attempt, refusal] of refusals) {
    it(refusal, () => {
      assert.throws(attempt, (error) => {
        assert.ok(error instanceof RoutingException)
        assert.equal(`${error.code}: ${error.message.replaceAll(/ \(\S+:\d+\)/g, ' (…)')}`, refusal)
        return true
      })
    })
  }
}
