import assert from 'node:assert/strict'
import { it } from 'node:test'

import type { Router } from 'sallyport/routing'
import type { RouteExplanation } from '../../src/inspection/explanation.ts'
import { inspect } from '../routing/fixture.ts'

/**
 * Declares one test for each explanation of a transcript.
 *
 * @param app The router.
 * @param transcript The facts of explanations, parted by an empty line: the request, the steps, the routes of each table
 * with the winner marked, what comes of it.
 */
export function explains(app: Router, transcript: string): void {
  for (const expected of transcript.trim().split('\n\n')) {
    const [request = ''] = expected.split('\n')
    it(`explains ${request}`, async () => {
      const [method = '', path = ''] = request.split(' ')

      const explanation = await inspect(app).explain(method, path)

      assert.equal(factsOf(explanation), expected)
      assertReadable(explanation)
    })
  }
}

/** What an explanation says, without its sentences. */
export function factsOf({ method, path, steps, result }: RouteExplanation): string {
  const tables = steps.flatMap(({ candidates }) =>
    candidates.length === 0 ? [] : [candidates.map(nameOf).join(', ')],
  )
  const { kind, action, module, name, locale, location } = result
  const args = result.arguments.map((each) => JSON.stringify(each)).join(', ')
  const route = action === null ? '' : ` ${module} ${action}(${args})`
  const named = [name, locale, ...result.middlewares, location, ...result.allowed].filter(
    (each) => each !== null,
  )
  return [
    `${method} ${path}`,
    `  ${steps.map((step) => step.kind).join(' > ')}`,
    ...tables.map((table) => `  ${table}`),
    `  = ${kind}${route}${named.length === 0 ? '' : `: ${named.join(', ')}`}`,
  ].join('\n')
}

// Without its place in the source; the last may stand for the rest.
function nameOf({ route, isWinner }: { readonly route: string; readonly isWinner: boolean }): string {
  return `${isWinner ? '*' : ''}${route.replace(/ \(\S+:\d+\)$/, '')}`
}

// For a person each step and each candidate is a line with a reason, the result stands last.
function assertReadable(explanation: RouteExplanation): void {
  const lines = explanation.toText().split('\n')
  const said = explanation.steps.flatMap(({ text, candidates }) => [
    text,
    ...candidates.map(({ reason }) => reason),
  ])
  assert.equal(lines[0], `${explanation.method} ${explanation.path}`)
  for (const [index, sentence] of said.entries())
    assert.ok(sentence !== '' && lines[index + 1]?.endsWith(sentence), sentence)
  assert.equal(lines[said.length + 1], `= ${explanation.result.text}`)
}
