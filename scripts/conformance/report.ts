/**
 * The report of `npm run conformance`, for people and for programs.
 *
 * @module
 */
import type { Owner } from './clauses.ts'
import type { Status, Verdict } from './verdicts.ts'

const statuses: readonly Status[] = ['met', 'failing', 'untested']
const owners: readonly Owner[] = ['fw', 'app', 'both']

/**
 * Formats the report for programs.
 *
 * @param verdicts All verdicts.
 * @returns JSON: `{ "clauses": { "AUTH-01": "met", … } }`.
 */
export function toJson(verdicts: readonly Verdict[]): string {
  const clauses = Object.fromEntries(verdicts.map(({ clause, status }) => [clause.id, status]))
  return JSON.stringify({ clauses }, null, 2)
}

/**
 * Formats the report for people: every clause under its prefix, then the totals.
 *
 * @param verdicts All verdicts.
 * @param width Columns of the terminal; sentences are cut to fit.
 * @returns Lines.
 */
export function toText(verdicts: readonly Verdict[], width: number): string {
  const byPrefix = Map.groupBy(verdicts, ({ clause }) => clause.prefix)
  const sections = [...byPrefix].map(([prefix, group]) =>
    [prefix, ...group.flatMap((verdict) => lineOf(verdict, width)), ''].join('\n'),
  )
  return [...sections, ...totals(byPrefix, verdicts)].join('\n')
}

function lineOf({ clause, status, tests }: Verdict, width: number): string[] {
  const isHeldBack = status === 'untested' && tests.length > 0
  const note = isHeldBack ? '(skipped or todo) ' : ''
  const line = `  ${status.padEnd(9)} ${clause.id.padEnd(10)} ${`[${clause.owner}]`.padEnd(7)}${note}${clause.text}`
  const failures = tests
    .filter(({ outcome }) => outcome === 'failed')
    .map(({ title, error }) =>
      cut(`            ✖ ${title}${error === undefined ? '' : ` — ${error}`}`, width),
    )
  return [cut(line, width), ...failures]
}

function cut(line: string, width: number): string {
  return line.length <= width ? line : `${line.slice(0, width - 1)}…`
}

function totals(byPrefix: ReadonlyMap<string, readonly Verdict[]>, all: readonly Verdict[]): string[] {
  const head = ['', 'clauses', ...statuses, ...owners.map((owner) => `${owner} met`)]
  const rows = [...byPrefix].map(([prefix, group]) => [prefix, ...countsOf(group)])
  const table = [head, ...rows, ['all', ...countsOf(all)]]
  const widths = head.map((_, column) => Math.max(...table.map((row) => row[column]?.length ?? 0)))
  return table.map((row) =>
    row
      .map((cell, column) =>
        column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join('  '),
  )
}

/** For each column of the totals; an owner's cell is `met/clauses`. */
function countsOf(verdicts: readonly Verdict[]): string[] {
  const byStatus = statuses.map((wanted) => verdicts.filter(({ status }) => status === wanted).length)
  const byOwner = owners.map((owner) => {
    const owned = verdicts.filter(({ clause }) => clause.owner === owner)
    return owned.length === 0
      ? '–'
      : `${owned.filter(({ status }) => status === 'met').length}/${owned.length}`
  })
  return [`${verdicts.length}`, ...byStatus.map(String), ...byOwner]
}
