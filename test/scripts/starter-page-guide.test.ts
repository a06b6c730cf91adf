import assert from 'node:assert/strict'
import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { before, describe, it } from 'node:test'
import { missingBrowser } from '../../starter/test/browser/chromium.ts'
import { succeed, TSC } from '../cli/packed-package.ts'
import { extractFiles, read, root, workspace, writeFiles } from './guide-code.ts'

const GUIDE = 'starter/docs/add-a-page.md'
const LEFT_OUT = /\/(node_modules|\.data)(\/|$)/

/** Changes of a file: the lines that are there, and what takes their place. */
interface Change {
  readonly file: string
  readonly before: string
  readonly after: string
}

/** The blocks of changed lines; each belongs to the file that is named last above it. */
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

/** A copy of the starter with what the guide adds. */
function follow(folder: string): string {
  const copy = join(folder, 'my-app')
  cpSync(join(root, 'starter'), copy, { recursive: true, filter: (path) => !LEFT_OUT.test(path) })
  const guide = read(GUIDE)
  const changes = changesOf(guide)
  const changed = new Set(changes.map(({ file }) => file))
  const files = Object.entries(extractFiles(guide)).filter(([name]) => !changed.has(name))
  assert.deepEqual(
    files.map(([name]) => name).filter((name) => existsSync(join(copy, name))),
    [],
    'files that the guide adds are not there before',
  )
  writeFiles(copy, Object.fromEntries(files))
  for (const { file, before: there, after } of changes) {
    const text = readFileSync(join(copy, file), 'utf8')
    assert.equal(text.split(there).length, 2, `${file} has these lines once:\n${there}`)
    writeFileSync(
      join(copy, file),
      text.replace(there, () => after),
    )
  }
  return copy
}

describe('the guide "Add a page" of the starter', () => {
  let copy = ''

  before(() => {
    copy = follow(workspace({ after: (hook) => void process.on('exit', hook) }))
  })

  const test = (...files: readonly string[]): string =>
    succeed(
      'env',
      ['-u', 'NODE_TEST_CONTEXT', process.execPath, '--conditions=sallyport-source', '--test', ...files],
      copy,
    )

  it('compiles', () => {
    succeed(process.execPath, [TSC, '-p', '.'], copy)
  })

  it('its page passes its own tests, and those of every message, route and way in', () => {
    const out = test(
      'parts/notes/test/notes.test.ts',
      'test/flow/session-alone.test.ts',
      'test/messages/catalogue.test.ts',
      'test/messages/words.test.ts',
      'test/browser/every-page.test.ts',
      'test/ways-in.test.ts',
    )

    assert.match(out, /^ℹ fail 0$/m)
  })

  it('its scene passes in a browser [RA-3103]', { skip: missingBrowser ?? false }, () => {
    assert.match(test('--test-name-pattern=the notes', 'test/browser/pages-parts.test.ts'), /^ℹ pass 1$/m)
  })
})
