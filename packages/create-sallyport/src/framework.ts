/**
 * The framework of a project: a version, or a packed file that comes with the project because it is not published.
 *
 * @module
 */
import { existsSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import type { Files } from './files.ts'

/** What a project has of it. */
export interface Framework {
  /** What its `package.json` says. */
  readonly specifier: string
  /** The packed file. */
  readonly files: Files
}

/**
 * @param asked A version, or the path of a packed file.
 * @returns What a project has of it.
 */
export function frameworkOf(asked: string): Framework {
  if (!asked.endsWith('.tgz') || !existsSync(asked)) return { specifier: asked, files: new Map() }
  const path = `vendor/${basename(asked)}`
  return { specifier: `file:${path}`, files: new Map([[path, readFileSync(asked)]]) }
}
