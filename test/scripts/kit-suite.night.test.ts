import assert from 'node:assert/strict'
import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { writeFiles } from '../../packages/create-sallyport/src/files.ts'
import { applyStep } from '../../packages/create-sallyport/src/kit/apply.ts'
import { openProject } from '../../packages/create-sallyport/src/kit/opened.ts'
import { isOpen } from '../../packages/create-sallyport/src/kit/proposal.ts'
import { upgrade } from '../../packages/create-sallyport/src/kit/upgrade.ts'
import { filesOf } from '../../packages/create-sallyport/src/project.ts'
import { readRecord } from '../../packages/create-sallyport/src/record.ts'
import { run, succeed } from '../cli/packed-package.ts'
import { EDITS } from './kit-edits.ts'
import { change, commit, type Edits, KIT, otherKit, PROGRAM, textOf } from './kit-project.ts'
import { copyStarter, SHELL } from './starter-copy.ts'

// Edits after which the application still does what its tests ask for, and which need no other package.
const KEPT = [
  'renamed application',
  'other colors',
  'another logo',
  'a moved file',
  'a new page as a part',
  'a new column by a migration',
  'another text of a mail',
  'one more route of a controller',
  'one more test',
  'one language less',
]

/** @returns Folder of an older kit: each file of code ends with another line, and one file has another place. */
function olderKit(version: string, edits: Edits): string {
  const kit = otherKit(edits)
  for (const path of readdirSync(kit, { recursive: true, encoding: 'utf8' }))
    if (/^(?:core|parts)\/.*\.ts$/.test(path)) change(kit, path, (text) => `${text}// ${version}\n`)
  return kit
}

// A project of an older kit, with the packages that a new one has.
function projectOf(kit: string, version: string): string {
  const app = copyStarter()
  const { lock, base } = readRecord(app)
  for (const path of base.keys()) rmSync(join(app, path))
  writeFiles(app, filesOf(kit, { ...lock, version }))
  succeed('git', ['init', '--quiet'], app)
  commit(app)
  return app
}

describe('a project that was edited, two versions of the kit later', () => {
  it('type-checks and passes its tests, which an upgrade runs when it is asked to [RA-3311]', () => {
    const first = olderKit('0.0.8', {
      'core/messages/en/layout.ts': (text) => text.replace('Made with', 'Built with'),
      'core/clients/client-messages.ts': null,
      'core/clients/client-words.ts': () => textOf(KIT, 'core/clients/client-messages.ts'),
    })
    const second = olderKit('0.0.9', {})
    const app = projectOf(first, '0.0.8')
    for (const name of KEPT) EDITS[name]?.(app)
    commit(app)

    const { step } = upgrade(openProject(app), { folder: second, version: '0.0.9', changes: [] })
    assert.deepEqual(step.changes.filter(isOpen), [])
    applyStep(app, step)
    commit(app)
    const { code, out } = run(
      'env',
      ['-u', 'NIGHTLY', ...SHELL, process.execPath, PROGRAM, 'upgrade', '--test'],
      app,
    )

    assert.equal(code, 0, out)
    assert.match(out, /^Upgraded from version 0\.0\.9 of the kit to 0\.1\.0\.$/m)
    assert.match(out, /npm run ways-in: good\n {2}npm run check: good\n {2}npm test: good$/m)
    assert.match(textOf(app, 'core/brand.ts'), /Harbor/)
  })
})
