/**
 * The code that guides and docstrings show: programs, and files that stand below their name.
 *
 * @module
 */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { readFiles } from '../architecture/project.ts'

/** The root of the checkout. */
export const root: string = fileURLToPath(new URL('../../', import.meta.url))

/** A program in a guide or a docstring. */
export interface Example {
  /** File and line, for messages. */
  readonly place: string
  readonly text: string
  /** Files of its guide, by their path beside the program. */
  readonly files: Files
}

/** Texts by the path of their file. */
export type Files = Readonly<Record<string, string>>

/** What a guide adds to its files between two headings. */
export interface Step {
  /** The heading. */
  readonly title: string
  readonly files: Files
}

// Folders of Next.js have brackets.
const CAPTION = '`([\\w./[\\]-]+\\.\\w+)`:\\n\\n'

/**
 * Takes the programs out of a text: its fenced blocks of TypeScript without the name of a file above them.
 *
 * @param path File of the text.
 * @param text A guide, or a source whose docstrings have examples; ` * ` before a line belongs to the comment.
 * @returns The programs, in their order.
 */
export function extractPrograms(path: string, text: string): Example[] {
  const files = extractFiles(text)
  const isFile = new RegExp(`^${CAPTION}$`, 'm')
  return [...text.matchAll(/^([ \t]*(?:\* )?)```ts\n([^]*?)^[ \t]*(?:\* ?)?```/gm)]
    .filter(({ index }) => !isFile.test(text.slice(0, index).split('\n').slice(-3).join('\n')))
    .map((match) => ({
      place: `${path}:${text.slice(0, match.index).split('\n').length}`,
      text: (match[2] ?? '').replaceAll(/^[ \t]*\* ?/gm, (prefix) => (match[1]?.includes('*') ? '' : prefix)),
      files,
    }))
}

/**
 * Takes the files out of a text: the fenced blocks below a line such as `` `views/page.edge`: ``. The last block of a
 * name counts.
 *
 * @param text A guide, or a part of one.
 * @returns The files.
 */
export function extractFiles(text: string): Files {
  const blocks = text.matchAll(new RegExp(`^${CAPTION}\`\`\`\\w+\\n([^]*?)^\`\`\``, 'gm'))
  return Object.fromEntries([...blocks].map(([, name = '', content = '']) => [name, content]))
}

/**
 * Splits a guide at its headings of the second level.
 *
 * @param text The guide.
 * @returns Those parts that have files, in their order.
 */
export function extractSteps(text: string): Step[] {
  return text
    .split(/^## /m)
    .map((part) => ({ title: part.split('\n', 1)[0] ?? '', files: extractFiles(part) }))
    .filter(({ files }) => Object.keys(files).length > 0)
}

/**
 * @returns The guides, as paths from the root.
 */
export function listGuides(): string[] {
  const parts = readdirSync(join(root, 'starter/parts')).map((name) => `starter/parts/${name}`)
  const folders = ['docs', 'starter', 'starter/docs', ...parts]
  const guides = folders.flatMap((folder) =>
    readdirSync(join(root, folder)).map((name) => `${folder}/${name}`),
  )
  return ['README.md', 'SECURITY.md', ...guides].filter((path) => path.endsWith('.md'))
}

/**
 * @param path Path from the root.
 * @returns The text of that file.
 */
export function read(path: string): string {
  return readFileSync(join(root, path), 'utf8')
}

/**
 * @returns The programs of all guides and docstrings.
 */
export function readPrograms(): Example[] {
  const ofGuides = listGuides().flatMap((path) => extractPrograms(path, read(path)))
  return [...ofGuides, ...readDocstringPrograms()]
}

/**
 * @returns The programs of all docstrings.
 */
export function readDocstringPrograms(): Example[] {
  return readFiles('src').flatMap(({ path, text }) => extractPrograms(path, text))
}

/**
 * Makes a folder inside of the checkout, where `sallyport` can be imported by name. It goes with the test.
 *
 * @param t The test.
 * @returns Its path.
 */
export function workspace(t: { readonly after: (hook: () => void) => void }): string {
  mkdirSync(join(root, '.tmp'), { recursive: true })
  const folder = mkdtempSync(join(root, '.tmp', 'examples-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/**
 * @param folder Where to write.
 * @param files What to write.
 */
export function writeFiles(folder: string, files: Files): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
}
