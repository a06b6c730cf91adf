/**
 * What the test runner of Node reports, reduced to leaves: an `it` or `test` without subtests. A suite, a test with
 * subtests and a file are not leaves, whatever their titles.
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
  /** How long it took. */
  readonly milliseconds: number
  /** First line of the error of a failed test. */
  readonly error?: string
}

type Finished = Extract<TestEvent, { type: 'test:pass' | 'test:fail' }>

/** Recognizes leaves in a stream of events, in which children come before their parents. */
export class LeafFilter {
  #previousNesting = 0

  /**
   * Takes the next event.
   *
   * @param event Event of the runner.
   * @returns The leaf that it reports; undefined for any other event.
   */
  take(event: TestEvent): Leaf | undefined {
    if (event.type !== 'test:pass' && event.type !== 'test:fail') return undefined
    const { nesting, details } = event.data
    const isParent = this.#previousNesting > nesting
    this.#previousNesting = nesting
    // A file that could not be loaded is reported like a test with its path as the title, and counts as a failure.
    return isParent || details.type === 'suite' ? undefined : toLeaf(event)
  }
}

/**
 * The reason that a skipped test or suite gives.
 *
 * @param event Event of the runner.
 * @returns The reason; `''` when none is given; undefined when nothing is skipped.
 */
export function skipReasonOf(event: TestEvent): string | undefined {
  if (event.type !== 'test:pass' || !isMarked(event.data.skip)) return undefined
  return typeof event.data.skip === 'string' ? event.data.skip : ''
}

function toLeaf(event: Finished): Leaf {
  const { name, file = '', line = 0, skip, todo, details } = event.data
  const isOpen = isMarked(skip) || isMarked(todo)
  const leaf = { title: name, file, line, milliseconds: Math.round(details.duration_ms) }
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
