/**
 * Judges each clause by the tests that name it.
 *
 * @module
 */
import { clauseIdsOf, type Clause } from './clauses.ts'
import type { Leaf } from '../test/leaves.ts'

/**
 * `met`: at least one test names the clause, all of them passed, none is marked skip or todo. `failing`: one of them
 * failed. `untested`: everything else.
 */
export type Status = 'met' | 'failing' | 'untested'

/** A clause and the result of its tests. */
export interface Verdict {
  readonly clause: Clause
  readonly status: Status
  /** The tests that name the clause. */
  readonly tests: readonly Leaf[]
}

/**
 * Judges the clauses.
 *
 * @param clauses All clauses.
 * @param leaves All tests that ran.
 * @returns One verdict for each clause, in the order given.
 */
export function judge(clauses: readonly Clause[], leaves: readonly Leaf[]): Verdict[] {
  const byId = new Map<string, Leaf[]>(clauses.map(({ id }) => [id, []]))
  for (const leaf of leaves) {
    for (const id of clauseIdsOf(leaf.title)) byId.get(id)?.push(leaf)
  }
  return clauses.map((clause) => {
    const tests = byId.get(clause.id) ?? []
    return { clause, status: statusOf(tests), tests }
  })
}

/** A test whose title names a clause that does not exist. */
export interface UnknownClause {
  readonly id: string
  readonly test: Leaf
}

/**
 * Finds ids that look like clauses but do not exist: typing errors that would leave a clause untested. Only prefixes of
 * existing clauses count, so a tag may name other things (`[R-07]`, `[OPEN-28]`).
 *
 * @param clauses All clauses.
 * @param leaves All tests that ran.
 * @returns The ids with the tests that name them.
 */
export function findUnknownClauses(clauses: readonly Clause[], leaves: readonly Leaf[]): UnknownClause[] {
  const ids = new Set(clauses.map(({ id }) => id))
  const prefixes = new Set(clauses.map(({ prefix }) => prefix))
  return leaves.flatMap((test) =>
    clauseIdsOf(test.title)
      .filter((id) => !ids.has(id) && prefixes.has(id.split('-')[0] ?? ''))
      .map((id) => ({ id, test })),
  )
}

function statusOf(tests: readonly Leaf[]): Status {
  if (tests.some(({ outcome }) => outcome === 'failed')) return 'failing'
  if (tests.length === 0 || tests.some(({ outcome }) => outcome === 'open')) return 'untested'
  return 'met'
}
