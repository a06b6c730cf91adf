/**
 * What a run prints: a line for each part, failures in full, and the figures of the whole.
 *
 * @module
 */
import type { Failure, GroupResult } from './group.ts'

const MAX_DETAIL_LINES = 60

/** What came of a part, added up. */
export class PartResult {
  readonly name: string
  passed = 0
  failed = 0
  open = 0
  seconds = 0
  processorSeconds = 0
  readonly failures: Failure[] = []
  readonly skipped: Map<string, number> = new Map()
  readonly notes: string[] = []
  readonly outputs: string[] = []

  constructor(name: string) {
    this.name = name
  }

  /** Whether nothing failed. */
  get isGreen(): boolean {
    return this.failures.length === 0
  }

  /** Adds what came of one of its groups. */
  add(group: GroupResult): void {
    for (const { outcome } of group.leaves) {
      if (outcome === 'passed') this.passed += 1
      else if (outcome === 'failed') this.failed += 1
      else this.open += 1
    }
    // A hook or a process that fails is no test, and must not be lost in the count.
    const failedTests = group.leaves.filter(({ outcome }) => outcome === 'failed').length
    this.failed += Math.max(0, group.failures.length - failedTests)
    this.failures.push(...group.failures)
    for (const [reason, count] of group.skipped)
      this.skipped.set(reason, (this.skipped.get(reason) ?? 0) + count)
    this.notes.push(...group.notes)
    if (group.failures.length > 0 && group.output !== '') this.outputs.push(group.output)
    this.seconds += group.seconds
    this.processorSeconds += group.processorSeconds
  }
}

/**
 * The line of a part.
 *
 * @param part Its result.
 * @returns `✔ framework       61.2 s   58 s of processor time  3412 passed`.
 */
export function lineOf(part: PartResult): string {
  const { name, passed, failed, open, seconds, processorSeconds, isGreen } = part
  const failures = failed > 0 ? `, ${failed} failed` : ''
  const skips = open > 0 ? `, ${open} skipped` : ''
  return `${isGreen ? '✔' : '✖'} ${name.padEnd(12)}${duration(seconds)}, ${processorSeconds.toFixed(0)} s of processor time  ${passed} passed${failures}${skips}\n`
}

/**
 * The line of a static step.
 *
 * @param name Its name.
 * @param result Whether it passed, its duration in seconds, and what mends it.
 * @returns One line.
 */
export function stepLine(
  name: string,
  { passed, seconds, remedy = '' }: { passed: boolean; seconds: number; remedy?: string | undefined },
): string {
  return `${passed ? '✔' : '✖'} ${name.padEnd(12)}${duration(seconds)}${passed ? '' : `  ${remedy}`}\n`
}

/**
 * A failure in full.
 *
 * @param failure The failure.
 * @returns Lines.
 */
export function failureText({ title, place, details }: Failure): string {
  const lines = details.split('\n')
  const shown = lines.slice(0, MAX_DETAIL_LINES).map((line) => `    ${line}`)
  if (lines.length > MAX_DETAIL_LINES) shown.push(`    … ${lines.length - MAX_DETAIL_LINES} more lines`)
  return `✖ ${title}\n  ${place}\n${shown.join('\n')}\n`
}

/**
 * One line for each program that is missing.
 *
 * @param skipped Reasons of skipped tests and suites, with their number.
 * @returns `skipped: 41 tests of PostgreSQL (npm run setup installs it)`.
 */
export function skipLines(skipped: ReadonlyMap<string, number>): string {
  const lines = [...skipped].map(([reason, count]) => {
    const program = /^no ([A-Z]\w+)/.exec(reason)?.[1]
    const tests = `${count} ${count === 1 ? 'test or suite' : 'tests and suites'}`
    return program === undefined
      ? `skipped: ${tests}: ${reason || 'no reason given'}\n`
      : `skipped: ${tests} of ${program} (npm run setup installs it)\n`
  })
  return lines.toSorted().join('')
}

/**
 * One line about the parts that a quick run leaves out.
 *
 * @param files Names of parts with their number of test files.
 * @returns `not run: browser (25 files), models (32 files): npm run test:all runs them`; nothing if there is none.
 */
export function leftOutLine(files: ReadonlyMap<string, number>): string {
  const names = [...files]
    .filter(([, count]) => count > 0)
    .map(([name, count]) => `${name} (${count} ${count === 1 ? 'file' : 'files'})`)
  return names.length === 0 ? '' : `not run: ${names.join(', ')}: npm run test:all runs them\n`
}

function duration(seconds: number): string {
  return `${seconds.toFixed(1).padStart(7)} s`
}
