/**
 * A reporter for node:test that writes one JSON line for each leaf: an `it` or `test` without subtests. A suite, a
 * test with subtests and a file are not leaves, whatever their titles.
 *
 * @module
 */
import type { TestEvent } from 'node:test/reporters'

/** Result of one leaf. `open` is a test marked skip or todo: it proves nothing. */
export interface Leaf {
  /** Title of the test itself. */
  readonly title: string
  /** Path of the file in which the test is written. */
  readonly file: string
  readonly line: number
  readonly outcome: 'passed' | 'failed' | 'open'
  /** First line of the error of a failed test. */
  readonly error?: string
}

type Finished = Extract<TestEvent, { type: 'test:pass' | 'test:fail' }>

/**
 * Turns the events of a test run into lines.
 *
 * @param events Events of the runner, children before their parents.
 * @returns One line of JSON for each leaf.
 */
export default async function* leafReporter(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  let previousNesting = 0
  for await (const event of events) {
    if (event.type !== 'test:pass' && event.type !== 'test:fail') continue
    const { nesting, details } = event.data
    const isParent = previousNesting > nesting
    previousNesting = nesting
    // A file that could not be loaded is reported like a test with its path as the title, and counts as a failure.
    if (isParent || details.type === 'suite') continue
    yield `${JSON.stringify(toLeaf(event))}\n`
  }
}

function toLeaf(event: Finished): Leaf {
  const { name, file = '', line = 0, skip, todo } = event.data
  const isOpen = isMarked(skip) || isMarked(todo)
  const leaf = { title: name, file, line }
  if (isOpen) return { ...leaf, outcome: 'open' }
  if (event.type === 'test:pass') return { ...leaf, outcome: 'passed' }
  const { error } = event.data.details
  const cause = error.cause instanceof Error ? error.cause.message : error.message
  return { ...leaf, outcome: 'failed', error: cause.split('\n')[0] ?? '' }
}

/** An absent mark is undefined or false; a mark is true or its reason, which may be empty. */
function isMarked(mark: string | boolean | undefined): boolean {
  return mark !== undefined && mark !== false
}
