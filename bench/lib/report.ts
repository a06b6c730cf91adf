/**
 * The tables that `npm run bench` prints.
 *
 * @module
 */
import type { Sample } from './measure.ts'
import type { Scenario } from './scenarios.ts'

/** A contestant and its measurements, one for each round. */
export interface Measured {
  readonly name: string
  readonly samples: readonly Sample[]
}

/** Result of a scenario. */
export interface Outcome {
  /** Name of the baseline contestant. */
  readonly floor: string
  readonly measured: readonly Measured[]
  readonly failures: readonly (readonly [name: string, problem: string])[]
  /** Whether contestants were checked but not measured. */
  readonly checkedOnly: boolean
}

const columns = ['contestant', 'CPU µs', '× raw', 'lowest–highest', 'answers/s', 'p99 ms', 'core']

/**
 * Writes the table of a scenario.
 *
 * @param scenario The scenario.
 * @param outcome Its result.
 * @returns Lines, with an empty one at the end.
 */
export function formatScenario(scenario: Scenario, outcome: Outcome): string {
  const { measured, failures, floor, checkedOnly } = outcome
  const lines = [`${scenario.number}. ${scenario.title} (goal: ${scenario.goal} × raw)`]
  if (checkedOnly) lines.push(...measured.map(({ name }) => `   ${name}: answers rightly`))
  else lines.push(...formatTable(measured, measured.find(({ name }) => name === floor)?.samples ?? []))
  lines.push(...failures.map(([name, problem]) => `   ${name} failed: ${problem}`), '', '')
  return lines.join('\n')
}

/**
 * Computes the median.
 *
 * @param values The numbers; NaN is ignored.
 * @returns The median; NaN without numbers.
 */
export function median(values: readonly number[]): number {
  const sorted = values.filter((value) => !Number.isNaN(value)).toSorted((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  const upper = sorted[middle] ?? Number.NaN
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? Number.NaN)) / 2
}

function formatTable(measured: readonly Measured[], floor: readonly Sample[]): string[] {
  const rows = measured.map(({ name, samples }) => {
    // Ratios within each round: both were measured within the same seconds.
    const ratios = samples.map(
      ({ cpuMicroseconds }, round) => cpuMicroseconds / (floor[round]?.cpuMicroseconds ?? Number.NaN),
    )
    return [
      name,
      median(samples.map((sample) => sample.cpuMicroseconds)).toFixed(1),
      median(ratios).toFixed(2),
      `${Math.min(...ratios).toFixed(2)}–${Math.max(...ratios).toFixed(2)}`,
      Math.round(median(samples.map((sample) => sample.answersPerSecond))).toString(),
      median(samples.map((sample) => sample.p99Milliseconds)).toFixed(1),
      `${Math.round(median(samples.map((sample) => sample.busy)) * 100)} %`,
    ]
  })
  const widths = columns.map((head, column) =>
    Math.max(head.length, ...rows.map((row) => row[column]?.length ?? 0)),
  )
  return [columns, ...rows].map((row) =>
    row
      .map((cell, column) =>
        column === 0 ? `   ${cell.padEnd(widths[column] ?? 0)}` : cell.padStart(widths[column] ?? 0),
      )
      .join('  '),
  )
}
