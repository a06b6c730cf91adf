/**
 * A reporter for node:test that writes one JSON line for each leaf.
 *
 * @module
 */
import type { TestEvent } from 'node:test/reporters'

import { LeafFilter } from '../test/leaves.ts'

/**
 * Turns the events of a test run into lines.
 *
 * @param events Events of the runner, children before their parents.
 * @returns One line of JSON for each leaf.
 */
export default async function* leafReporter(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  const filter = new LeafFilter()
  for await (const event of events) {
    const leaf = filter.take(event)
    if (leaf !== undefined) yield `${JSON.stringify(leaf)}\n`
  }
}
