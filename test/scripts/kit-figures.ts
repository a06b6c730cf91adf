/**
 * How well an upgrade keeps twenty edits: `node test/scripts/kit-figures.ts COMMIT` makes a project of each preset from the starter of
 * that commit, edits it, upgrades it to the starter of this checkout, and prints a table.
 *
 * @module
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chooseParts, MINIMAL, partsOf, PRESETS } from '../../packages/create-sallyport/src/catalogue.ts'
import { writeFiles } from '../../packages/create-sallyport/src/files.ts'
import { openProject } from '../../packages/create-sallyport/src/kit/opened.ts'
import type { Change } from '../../packages/create-sallyport/src/kit/plan.ts'
import { isSame } from '../../packages/create-sallyport/src/kit/tree.ts'
import { upgrade } from '../../packages/create-sallyport/src/kit/upgrade.ts'
import { languagesOf } from '../../packages/create-sallyport/src/languages.ts'
import { filesOf } from '../../packages/create-sallyport/src/project.ts'
import { EDITS } from './kit-edits.ts'
import { root } from './guide-code.ts'

/** The presets that an upgrade is for. */
export const MEASURED: readonly string[] = Object.keys(PRESETS).filter((preset) => preset !== MINIMAL)

/** What became of the files of one project. */
export interface Figures {
  readonly preset: string
  /** Files of the kit that were edited, moved or deleted. */
  readonly edited: number
  /** Those of them that the kit changed, too. */
  readonly both: number
  /** Those of these that somebody must look at. */
  readonly open: readonly string[]
  /** Files that the kit changed and nobody edited. */
  readonly untouched: number
  /** Those of them that have the new text, or are gone as in the kit. */
  readonly updated: number
}

/**
 * @param from Folder of an older starter.
 * @param to Folder of a newer one.
 * @param preset Which parts the project has.
 * @returns What an upgrade makes of a project with twenty edits.
 */
export function measure(from: string, to: string, preset: string): Figures {
  const folder = mkdtempSync(join(tmpdir(), 'sallyport-figures-'))
  try {
    const parts = chooseParts(partsOf(from), { preset, added: [], left: [] })
    const project = {
      name: 'my-app',
      parts,
      languages: languagesOf(from),
      framework: '^0.1.0',
      version: '0.1.0',
    }
    writeFiles(folder, filesOf(from, project))
    for (const edit of Object.values(EDITS)) edit(folder)
    const opened = openProject(folder)
    const { changes } = upgrade(opened, { folder: to, version: '0.2.0', changes: [] }).step
    return { preset, ...count(opened, changes) }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function count(
  { base, ours }: ReturnType<typeof openProject>,
  changes: readonly Change[],
): Omit<Figures, 'preset'> {
  const isEdited = ({ path, from }: Change): boolean => {
    const before = base.get(from ?? path)
    return before === undefined || !isSame(before, ours.get(from ?? path))
  }
  const ofEdited = changes.filter((change) => change.outcome !== 'added' && isEdited(change))
  const untouched = changes.filter((change) => change.outcome !== 'added' && !isEdited(change))
  const edited = [...base].filter(([path, contents]) => !isSame(contents, ours.get(path)))
  // That a file stays deleted is what was wanted.
  const isLeft = ({ outcome, path, kitPath }: Change): boolean =>
    ['conflict', 'beside', 'kept'].includes(outcome) || (outcome === 'absent' && path !== kitPath)
  const open = ofEdited.filter(isLeft)
  return {
    edited: edited.length,
    both: ofEdited.length,
    open: open.map(({ outcome, path }) => `${path} (${outcome})`),
    untouched: untouched.length,
    updated: untouched.filter(({ outcome }) => outcome === 'updated' || outcome === 'removed').length,
  }
}

function print(commit: string): void {
  const old = mkdtempSync(join(tmpdir(), 'sallyport-old-'))
  try {
    mkdirSync(join(old, 'starter'))
    const packed = execFileSync('git', ['archive', commit, 'starter'], { cwd: root, maxBuffer: 2 ** 28 })
    execFileSync('tar', ['-x', '-C', old], { input: packed })
    const rows = MEASURED.map((preset) => measure(join(old, 'starter'), join(root, 'starter'), preset))
    process.stdout.write(table(rows))
  } finally {
    rmSync(old, { recursive: true, force: true })
  }
}

function table(rows: readonly Figures[]): string {
  const lines = rows.map(({ preset, edited, both, open, untouched, updated }) => {
    const all = share(edited - open.length, edited)
    const changed = share(both - open.length, both)
    return `| ${preset} | ${edited} | ${all} | ${both} | ${changed} | ${untouched} | ${share(updated, untouched)} |\n`
  })
  const named = rows.map(({ preset, open }) => `\n${preset}: ${open.join(', ') || 'nothing to look at'}\n`)
  const head = [
    '| preset | edited | clean | changed in the kit, too | clean | not edited | updated |\n',
    '|---|--:|--:|--:|--:|--:|--:|\n',
  ]
  return [...head, ...lines, ...named].join('')
}

function share(some: number, all: number): string {
  return all === 0 ? '–' : `${((100 * some) / all).toFixed(1)} %`
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [, , commit] = process.argv
  if (commit === undefined) throw new Error('Name a commit of the repository')
  print(commit)
}
