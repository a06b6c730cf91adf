/**
 * The tutorial ends with the application of `examples/notebook`: the last block of each file is that file.
 * `npm run tutorial` writes these blocks.
 *
 * @module
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { extractFiles, type Files, read, root } from './guide-code.ts'

/** The page. */
export const TUTORIAL = 'docs/tutorial.md'
const NOTEBOOK = join(root, 'examples/notebook')
// Those of the checkout compile it from the sources of the framework.
const SETTINGS = 'packages/create-sallyport/files/minimal/tsconfig.json'
// What a checkout has, and what the reader is told in other ways.
const LEFT_OUT = /^(?:node_modules|data)\/|(?:^|\/)\.|^README\.md$/

/**
 * @returns The files of the notebook that the tutorial shows. Of `package.json`, what the reader writes: npm adds the packages.
 */
export function notebookFiles(): Files {
  const paths = readdirSync(NOTEBOOK, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(NOTEBOOK.length + 1))
    .filter((path) => !LEFT_OUT.test(path))
  const files: Files = Object.fromEntries(
    paths.toSorted().map((path) => [path, readFileSync(join(NOTEBOOK, path), 'utf8')]),
  )
  const { name, type, engines, scripts, sallyport } = JSON.parse(
    read('examples/notebook/package.json'),
  ) as Record<string, unknown>
  const manifest = JSON.stringify({ name, private: true, type, engines, scripts, sallyport }, null, 2)
  return { ...files, 'package.json': `${manifest}\n`, 'tsconfig.json': read(SETTINGS) }
}

/**
 * @param text The tutorial.
 * @param files The files that it must end with.
 * @returns The tutorial with these as the last blocks of their names.
 * @throws {RangeError} If it has no block of a file.
 */
export function withLastBlocks(text: string, files: Files): string {
  const shown = extractFiles(text)
  let written = text
  for (const [name, contents] of Object.entries(files)) {
    if (!(name in shown))
      throw new RangeError(`The tutorial does not show ${name}: write a block "\`${name}\`:"`)
    const caption = `\n\`${name}\`:\n\n`
    const begin = written.indexOf('\n', written.lastIndexOf(caption) + caption.length) + 1
    const end = written.indexOf('\n```\n', begin - 1) + 1
    written = written.slice(0, begin) + contents + written.slice(end)
  }
  return written
}

if (process.argv.includes('--write'))
  writeFileSync(join(root, TUTORIAL), withLastBlocks(read(TUTORIAL), notebookFiles()))
