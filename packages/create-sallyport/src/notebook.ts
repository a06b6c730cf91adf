/**
 * The files of the preset `minimal`: the notebook of the tutorial, and what makes it a project of its own.
 *
 * @module
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Files } from './files.ts'
import { manifest } from './manifest.ts'
import { type NewProject, template } from './project.ts'
import { recordChoices } from './record.ts'

// What belongs to the checkout, or is made below.
const LEFT_OUT = /^(?:node_modules|data)\/|^(?:README\.md|package\.json)$|\.log$/

const OWN = [
  ['minimal/README.md', 'README.md'],
  ['minimal/AGENTS.md', 'AGENTS.md'],
  ['minimal/tsconfig.json', 'tsconfig.json'],
  ['ci.yml', '.github/workflows/ci.yml'],
] as const

/** The languages of the notebook. */
export const NOTEBOOK_LANGUAGES: readonly string[] = ['en']

/** @returns Folder of the notebook of this package. In a checkout, that of the example. */
export function ownNotebook(): string {
  const here = fileURLToPath(new URL('..', import.meta.url))
  const copy = join(here, 'notebook')
  return existsSync(copy) ? copy : join(here, '../../examples/notebook')
}

/**
 * @param notebook Folder of the notebook.
 * @param project What the project is; it has no parts.
 * @returns Its files. All of it is its owner's: only the choices are recorded, not the texts.
 */
export function notebookFilesOf(notebook: string, project: NewProject): Files {
  const files = new Map<string, string | Uint8Array>()
  for (const path of pathsOf(notebook))
    files.set(path === 'gitignore' ? '.gitignore' : path, readFileSync(join(notebook, path), 'utf8'))
  files.set('package.json', manifest(notebook, project))
  for (const [name, path] of OWN) files.set(path, template(name, project))
  return new Map([...files, ...recordChoices({ ...project, security: [] })])
}

function pathsOf(notebook: string): readonly string[] {
  return readdirSync(notebook, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(notebook.length + 1)
        .replaceAll(sep, '/'),
    )
    .filter((path) => !LEFT_OUT.test(path))
    .toSorted()
}
