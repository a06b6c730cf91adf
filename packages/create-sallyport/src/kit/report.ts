/**
 * What a command tells at its end.
 *
 * @module
 */
import type { Check } from './checks.ts'
import type { Change, Outcome } from './plan.ts'
import type { Proposal } from './proposal.ts'

/** What there is to tell. */
export interface Told {
  readonly proposal: Proposal
  readonly isDry: boolean
  readonly checks: readonly Check[]
}

// The files of these are named, under these words.
const NAMED: Readonly<Partial<Record<Outcome, string>>> = {
  conflict: 'Conflicts, with the markers of git: edit them, then run "npm run ways-in" and "npm run check"',
  beside: 'Cannot be merged. The file of the kit is beside yours: compare them, and delete it',
  merged: 'Merged with your edits',
  kept: 'Gone from the kit, and kept because you edited them',
  absent: 'Changed in the kit, and not here any more, or moved and different',
}
const MAX_NAMED = 12

/** @returns One screen of text. */
export function describe({ proposal, isDry, checks }: Told): string {
  const { title, step, security, notes } = proposal
  const paragraphs = [
    isDry ? title.dry : title.done,
    counted(step.changes),
    ...Object.entries(NAMED).map(([outcome, words]) =>
      named(
        words,
        step.changes.filter((change) => change.outcome === outcome),
      ),
    ),
    listed(
      'Security changes',
      security.map(
        ({ id, title: what, isSettled }) => `${id} ${what}${isSettled ? '' : ' (look at its files above)'}`,
      ),
    ),
    ...notes,
    listed(
      'Checks',
      checks.map(({ command, isGood }) => `${command}: ${isGood ? 'good' : 'failed'}`),
    ),
    ...checks.map(({ output }) => output),
  ]
  return `${paragraphs.filter((text) => text !== '').join('\n\n')}\n`
}

/** @returns The same for programs. */
export function toJson({ proposal, isDry, checks }: Told): object {
  const { step, security, notes, title } = proposal
  return {
    title: isDry ? title.dry : title.done,
    isDry,
    version: step.lock.version,
    parts: step.lock.parts,
    files: step.changes.map(({ outcome, path, from, kitPath }) => ({ outcome, path, from, kitPath })),
    security,
    notes,
    checks,
  }
}

function counted(changes: readonly Change[]): string {
  if (changes.length === 0) return 'No file changes.'
  const counts = Map.groupBy(changes, ({ outcome }) => outcome)
  const order: readonly Outcome[] = [
    'updated',
    'merged',
    'added',
    'removed',
    'conflict',
    'beside',
    'kept',
    'absent',
  ]
  const words = order.flatMap((outcome) => {
    const count = counts.get(outcome)?.length ?? 0
    return count === 0 ? [] : [`${count} ${outcome}`]
  })
  return `Files: ${words.join(', ')}.`
}

function named(words: string, changes: readonly Change[]): string {
  const lines = changes.map(({ outcome, path, from, kitPath }) => {
    if (from !== undefined) return `${path} (was ${from})`
    return path === kitPath || outcome === 'beside' ? path : `${path} (in the kit ${kitPath})`
  })
  return listed(words, lines)
}

function listed(words: string, lines: readonly string[]): string {
  if (lines.length === 0) return ''
  const shown = lines.slice(0, MAX_NAMED).map((line) => `  ${line}`)
  const more = lines.length - shown.length
  return [`${words}:`, ...shown, ...(more > 0 ? [`  and ${more} more; --json names all`] : [])].join('\n')
}
