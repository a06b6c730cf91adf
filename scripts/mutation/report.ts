/**
 * The results of a mutation run as text.
 *
 * @module
 */
import type { Mutant } from './mutants.ts'

/** Result of a mutant: `stuck` was killed for taking too long, `unreached` is run by no test. */
export type Verdict = 'killed' | 'stuck' | 'survived' | 'unreached'

/** Result of the tests for one mutant. */
export interface Outcome {
  readonly verdict: Verdict
  /** The test file that killed it, when it was tried alone. */
  readonly by?: string
  /** The first test that failed. */
  readonly failure?: string
}

/** A mutant with its result. */
export interface Judged extends Mutant, Outcome {}

/** The same key for the same mistake in the same code, even if lines have moved. */
export function survivorKey({ file, kind, original, replacement }: Mutant): string {
  return JSON.stringify([file, kind, original, replacement])
}

/**
 * Writes a table of the files and the list of survivors.
 *
 * @param judged The mutants that were tried.
 * @param total Number of all mutants: the smaller the tried share, the wider the interval.
 * @returns Lines, without a final line break.
 */
export function toText(judged: readonly Judged[], total: number): string {
  const files = [...new Set(judged.map(({ file }) => file))].sort()
  const rows = files.map((file) =>
    row(
      file,
      judged.filter((each) => each.file === file),
    ),
  )
  const alive = judged.filter(isAlive).sort((a, b) => a.file.localeCompare(b.file) || a.line - b.line)
  return [
    '  score  killed  stuck  survived  unreached  file',
    ...rows,
    row('all', judged),
    interval(judged, total),
    ...alive.map(describe),
  ].join('\n')
}

/** Whether no test detected it. */
export function isAlive({ verdict }: Judged): boolean {
  return verdict === 'survived' || verdict === 'unreached'
}

function row(name: string, judged: readonly Judged[]): string {
  const count = (verdict: Verdict) => judged.filter((each) => each.verdict === verdict).length
  const cells: [number, number][] = [
    [count('killed'), 8],
    [count('stuck'), 7],
    [count('survived'), 10],
    [count('unreached'), 11],
  ]
  const score = ((1 - judged.filter(isAlive).length / judged.length) * 100).toFixed(1)
  return `${score.padStart(5)} %${cells.map(([value, width]) => String(value).padStart(width)).join('')}  ${name}`
}

/** Wilson's interval for 95 %, narrowed by the share that was tried. */
function interval(judged: readonly Judged[], total: number): string {
  const tried = judged.length
  const rate = 1 - judged.filter(isAlive).length / tried
  const z = 1.96 * Math.sqrt(total > 1 ? (total - tried) / (total - 1) : 0)
  const weight = 1 + z ** 2 / tried
  const middle = (rate + z ** 2 / (2 * tried)) / weight
  const half = (z / weight) * Math.sqrt((rate * (1 - rate)) / tried + z ** 2 / (4 * tried ** 2))
  const percent = (value: number) => (value * 100).toFixed(1)
  return `95 % interval for all ${total} mutants: ${percent(middle - half)} % to ${percent(middle + half)} %`
}

/** A survivor in a few lines: its place, the original code, the replacement. */
export function describe({ file, line, column, kind, verdict, original, replacement }: Judged): string {
  return [
    `${file}:${line}:${column} ${kind} ${verdict}`,
    ...original.split('\n').map((text) => `  - ${text}`),
    ...replacement.split('\n').map((text) => `  + ${text}`),
  ].join('\n')
}
