/**
 * Projects for the tests of `sallyport-kit`. They are gone when the process ends.
 *
 * @module
 */
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { writeFiles } from '../../packages/create-sallyport/src/files.ts'
import { languagesOf } from '../../packages/create-sallyport/src/languages.ts'
import { filesOf } from '../../packages/create-sallyport/src/project.ts'
import { run, succeed } from '../cli/packed-package.ts'
import { root } from './guide-code.ts'

/** The kit of this checkout. */
export const KIT: string = join(root, 'starter')

/** Parts of the preset. */
export const STANDARD: readonly string[] = ['activity', 'passkeys', 'sessions']

/** The program. */
export const PROGRAM: string = join(root, 'packages/create-sallyport/src/kit/main.ts')

/** @returns A folder. */
export function temporary(): string {
  const folder = mkdtempSync(join(tmpdir(), 'sallyport-kit-test-'))
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/**
 * @param from Folder of the kit. Default: that of this checkout.
 * @param version Version of the kit. Default: that of this checkout.
 * @param languages Its languages. Default: all of the kit.
 * @returns Folder of a project with the parts of the preset, committed.
 */
export function project(
  from: string = KIT,
  version = '0.1.0',
  languages: readonly string[] = languagesOf(from),
): string {
  const app = join(temporary(), 'my-app')
  const framework = `^${version}`
  writeFiles(app, filesOf(from, { name: 'my-app', parts: STANDARD, languages, framework, version }))
  succeed('git', ['init', '--quiet'], app)
  commit(app)
  return app
}

/** Commits everything. */
export function commit(app: string): void {
  succeed('git', ['add', '--all'], app)
  const who = ['-c', 'user.name=a', '-c', 'user.email=a@b.c']
  succeed('git', [...who, 'commit', '--quiet', '--allow-empty', '--message', 'x'], app)
}

/** How a text is changed; null for a file that is not there. */
export type Edits = Readonly<Record<string, ((text: string) => string) | null>>

/** @returns Folder of another version of the kit: that of this checkout with other texts. */
export function otherKit(edits: Edits): string {
  const copy = join(temporary(), 'kit')
  cpSync(KIT, copy, { recursive: true, filter: (path) => !/node_modules|\.data/.test(path) })
  for (const [path, edit] of Object.entries(edits))
    if (edit === null) rmSync(join(copy, path))
    else change(copy, path, edit)
  return copy
}

/** Changes the text of a file, which need not be there. */
export function change(folder: string, path: string, edit: (text: string) => string): void {
  const full = join(folder, path)
  mkdirSync(dirname(full), { recursive: true })
  writeFileSync(full, edit(existsSync(full) ? readFileSync(full, 'utf8') : ''))
}

/** @returns The text of a file. */
export function textOf(app: string, path: string): string {
  return readFileSync(join(app, path), 'utf8')
}

/** Runs the program in a project, without npm. */
export function kit(app: string, ...words: readonly string[]): ReturnType<typeof run> {
  return run(process.execPath, [PROGRAM, ...words, '--no-install'], app)
}
