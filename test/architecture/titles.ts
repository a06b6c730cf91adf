/**
 * Titles of tests that name clauses of the specification.
 *
 * @module
 */
import type { Node } from 'oxc-parser'

import { type Clause, clauseIdsOf } from '../../scripts/conformance/clauses.ts'
import { type Finding, findingAt, type SourceFile, walk } from './source-file.ts'

const rule = 'titles'
const codesInFront = /^\s*[A-Z]+-\d+(\s*,\s*[A-Z]+-\d+)*\s*:/

/**
 * Checks that the clauses in a title exist, that they stand behind its sentence, and that a test names them and not a
 * suite: `npm run conformance` counts tests only.
 *
 * @param file A test file.
 * @param clauses All clauses.
 * @returns What is broken.
 */
export function checkTitles(file: SourceFile, clauses: readonly Clause[]): Finding[] {
  const ids = new Set(clauses.map(({ id }) => id))
  const prefixes = new Set(clauses.map(({ prefix }) => prefix))
  const findings: Finding[] = []
  walk(file.program, (node) => {
    const call = titledCall(node)
    if (call === undefined) return
    const named = clauseIdsOf(call.title).filter((id) => prefixes.has(id.split('-')[0] ?? ''))
    if (codesInFront.test(call.title)) {
      const message = 'the clauses of a title stand in brackets behind the sentence: `works [AUTH-01]`'
      findings.push(findingAt(file, node.start, { rule, message }))
    }
    const unknown = named.filter((id) => !ids.has(id))
    for (const id of unknown)
      findings.push(findingAt(file, node.start, { rule, message: `there is no clause ${id}` }))
    if (call.isSuite && named.length > 0) {
      const message = `${named.join(', ')} stands in the title of a suite, which proves nothing: name it in the tests`
      findings.push(findingAt(file, node.start, { rule, message }))
    }
  })
  return findings
}

/** `describe('…')`, `it('…')`, `it.skip('…')`, `t.test('…')`. The values of a template are left out. */
function titledCall(node: Node): { title: string; isSuite: boolean } | undefined {
  if (node.type !== 'CallExpression') return undefined
  const name = nameOfCallee(node.callee)
  const [first] = node.arguments
  if (first === undefined || name === undefined) return undefined
  const isSuite = name === 'describe' || name === 'suite'
  if (!isSuite && name !== 'it' && name !== 'test') return undefined
  if (first.type === 'Literal' && typeof first.value === 'string') return { title: first.value, isSuite }
  return first.type === 'TemplateLiteral'
    ? { title: first.quasis.map(({ value }) => value.raw).join('…'), isSuite }
    : undefined
}

function nameOfCallee(callee: Node): string | undefined {
  if (callee.type === 'Identifier') return callee.name
  if (callee.type !== 'MemberExpression' || callee.object.type !== 'Identifier') return undefined
  const member = 'name' in callee.property ? callee.property.name : undefined
  return member === 'test' ? member : callee.object.name
}
