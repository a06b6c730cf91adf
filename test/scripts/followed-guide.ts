/**
 * A guide of a project, followed: its files are written, and its changes of files are made.
 *
 * @module
 */
import assert from 'node:assert/strict'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { extractFiles, writeFiles } from './guide-code.ts'

/** Changes of a file: the lines that are there, and what takes their place. */
interface Change {
  readonly file: string
  readonly before: string
  readonly after: string
}

/**
 * Does what a guide shows: blocks below the name of a file, and blocks of changed lines; each of these belongs to the file
 * that is named last above it.
 *
 * @param project Folder of the project.
 * @param guide The guide.
 */
export function follow(project: string, guide: string): void {
  const changes = changesOf(guide)
  const changed = new Set(changes.map(({ file }) => file))
  const files = Object.entries(extractFiles(guide)).filter(([name]) => !changed.has(name))
  assert.notEqual(files.length + changes.length, 0, 'the guide shows something')
  assert.deepEqual(
    files.map(([name]) => name).filter((name) => existsSync(join(project, name))),
    [],
    'files that the guide adds are not there before',
  )
  writeFiles(project, Object.fromEntries(files))
  for (const { file, before: there, after } of changes) {
    const text = readFileSync(join(project, file), 'utf8')
    assert.equal(text.split(there).length, 2, `${file} has these lines once:\n${there}`)
    writeFileSync(
      join(project, file),
      text.replace(there, () => after),
    )
  }
}

function changesOf(guide: string): readonly Change[] {
  let file = ''
  return [...guide.matchAll(/^`([\w./-]+\.\w+)`:$|^```diff\n([^]*?)^```/gm)].flatMap(([, name, diff]) => {
    if (name !== undefined) file = name
    if (diff === undefined) return []
    const lines = diff.trimEnd().split('\n')
    const having = (sign: string): string =>
      lines.flatMap((line) => (line.startsWith(sign) ? [] : [`${line.slice(1)}\n`])).join('')
    return [{ file, before: having('+'), after: having('-') }]
  })
}
