/**
 * A reporter for node:test: one line of JSON for each event that the runner of this project needs to know while a group of
 * files runs.
 *
 * @module
 */
import type { TestEvent } from 'node:test/reporters'
import { inspect } from 'node:util'

import { type Leaf, LeafFilter, skipReasonOf } from './leaves.ts'
import { processorSecondsOf } from './processes.ts'

const AFTER_ITS_END =
  /^Error: (?:Test "([^]*)" at (\S+:\d+):\d+|A resource) generated asynchronous activity after the test ended/

/** What a line says. */
export type Line =
  | { readonly kind: 'begun'; readonly title: string; readonly file: string; readonly line: number }
  | { readonly kind: 'ended'; readonly title: string; readonly file: string; readonly line: number }
  | { readonly kind: 'leaf'; readonly leaf: Leaf }
  | { readonly kind: 'skipped'; readonly reason: string }
  | { readonly kind: 'note'; readonly text: string }
  | { readonly kind: 'used'; readonly processorSeconds: number }
  | { readonly kind: 'failure'; readonly title: string; readonly place: string; readonly details: string }

/**
 * Turns the events of a test run into lines.
 *
 * @param events Events of the runner, children before their parents.
 * @returns Lines of JSON.
 */
export default async function* eventsReporter(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  const filter = new LeafFilter()
  for await (const event of events) {
    for (const line of linesOf(event, filter)) yield `${JSON.stringify(line)}\n`
  }
  // The tests run in this process.
  const used: Line = { kind: 'used', processorSeconds: processorSecondsOf(process.pid) ?? 0 }
  yield `${JSON.stringify(used)}\n`
}

function* linesOf(event: TestEvent, filter: LeafFilter): Generator<Line> {
  if (event.type === 'test:dequeue' || event.type === 'test:complete') {
    const { name: title, file = '', line = 0 } = event.data
    yield { kind: event.type === 'test:dequeue' ? 'begun' : 'ended', title, file, line }
  }
  const leaf = filter.take(event)
  if (leaf !== undefined) yield { kind: 'leaf', leaf }
  const reason = skipReasonOf(event)
  if (reason !== undefined) yield { kind: 'skipped', reason }
  if (event.type === 'test:diagnostic') yield* diagnosticOf(event)
  if (event.type === 'test:fail') yield* failureOf(event)
}

function* diagnosticOf({ data }: Extract<TestEvent, { type: 'test:diagnostic' }>): Generator<Line> {
  const { file, message } = data
  // Node says so in a message only, and ends with 1.
  const late = AFTER_ITS_END.exec(message)
  if (late !== null)
    yield {
      kind: 'failure',
      title: `fails after its end: ${late[1] ?? 'unknown'}`,
      place: late[2] ?? '',
      details: message,
    }
  // Node's own closing lines carry no test.
  else if (file !== undefined) yield { kind: 'note', text: message }
}

function* failureOf(event: Extract<TestEvent, { type: 'test:fail' }>): Generator<Line> {
  const { name, file = '', line = 0, details, todo } = event.data
  const { error } = details
  // A parent fails with its children, which are reported themselves.
  const isOfChildren = 'failureType' in error && error.failureType === 'subtestsFailed'
  if (isOfChildren || (todo !== undefined && todo !== false)) return
  const cause = error.cause instanceof Error ? error.cause : error
  yield { kind: 'failure', title: name, place: `${file}:${line}`, details: inspect(cause) }
}
