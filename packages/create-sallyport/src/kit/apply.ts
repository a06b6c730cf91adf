/**
 * Writes what was planned.
 *
 * @module
 */
import { readdirSync, rmdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { writeFiles } from '../files.ts'
import { type Lock, record } from '../record.ts'
import type { Change } from './plan.ts'
import type { Tree } from './tree.ts'

/** What is to be written. */
export interface Step {
  readonly changes: readonly Change[]
  /** What the project records from now on. */
  readonly lock: Lock
  /** What it records as the texts of the kit. */
  readonly base: Tree
}

/**
 * @param folder Folder of a project.
 * @param step What to write.
 */
export function applyStep(folder: string, { changes, lock, base }: Step): void {
  const written = changes.flatMap(({ path, contents }) =>
    contents === undefined ? [] : [[path, contents] as const],
  )
  writeFiles(folder, new Map(written))
  for (const { outcome, path, from } of changes) {
    if (outcome === 'removed') remove(folder, path)
    if (from !== undefined) remove(folder, from)
  }
  writeFiles(folder, record(base, lock))
}

/**
 * Removes a file, and the folders that are empty then.
 *
 * @param folder Folder of a project.
 * @param path Path of the file.
 */
export function remove(folder: string, path: string): void {
  rmSync(join(folder, path), { force: true })
  for (let above = dirname(path); above !== '.'; above = dirname(above)) {
    if (readdirSync(join(folder, above)).length > 0) return
    rmdirSync(join(folder, above))
  }
}
