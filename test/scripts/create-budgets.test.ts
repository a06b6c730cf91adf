import assert from 'node:assert/strict'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { chooseParts, MINIMAL, partsOf, PRESETS } from '../../packages/create-sallyport/src/catalogue.ts'
import { notebookFilesOf } from '../../packages/create-sallyport/src/notebook.ts'
import type { Files } from '../../packages/create-sallyport/src/files.ts'
import { filesOf } from '../../packages/create-sallyport/src/project.ts'
import { root } from './guide-code.ts'

// Who takes a preset has to read it. A ceiling may only fall: what needs more lines takes them from elsewhere. "standard"
// was to have 9,500 at most.
const CEILINGS: Readonly<Record<string, number>> = { minimal: 1500, standard: 8513, full: 15_873 }
const KIT = join(root, 'starter')
const TEXTS = /(?:^|\/)texts\.\w+\.ts$|^core\/messages\/\w+\//
const TESTS = /(?:^|\/)test\//

function filesOfPreset(preset: string): Files {
  const parts = chooseParts(partsOf(KIT), { preset, added: [], left: [] })
  const project = { name: 'my-app', parts, languages: ['en', 'de'], framework: '^0.1.0', version: '0.1.0' }
  return preset === MINIMAL
    ? notebookFilesOf(join(root, 'examples/notebook'), project)
    : filesOf(KIT, project)
}

function linesOf(files: Files): number {
  const programs = [...files].filter(
    ([path]) => path.endsWith('.ts') && !TEXTS.test(path) && !TESTS.test(path),
  )
  return programs.reduce((sum, [, contents]) => sum + String(contents).trimEnd().split('\n').length, 0)
}

describe('the lines of TypeScript of a preset, without tests and texts', () => {
  for (const preset of Object.keys(PRESETS)) {
    it(`stay below a ceiling: ${preset} [RA-3322]`, (t) => {
      const lines = linesOf(filesOfPreset(preset))
      const ceiling = CEILINGS[preset] ?? assert.fail(`no ceiling for ${preset}`)

      t.diagnostic(`${preset}: ${lines} lines, ceiling ${ceiling}`)
      assert.ok(lines > 0 && lines <= ceiling, `${preset} has ${lines} lines, ${lines - ceiling} too many`)
    })
  }
})
