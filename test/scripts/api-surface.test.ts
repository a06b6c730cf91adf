import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'

import {
  APP,
  readAppDeclarations,
  readDeclarations,
  readEntries,
} from '../../scripts/api-surface/declarations.ts'
import { describeSurface } from '../../scripts/api-surface/surface.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))

function surfaceOf(files: Readonly<Record<string, string>>): string {
  const entries = [{ specifier: 'sallyport', file: 'index.d.ts' }]
  return describeSurface(entries, new Map(Object.entries(files)))
}

/** The signatures of one section, as they stand there. */
function sectionOf(surface: string, title: string): string | undefined {
  return surface.split(`## ${title}\n\n\`\`\`typescript\n`)[1]?.split('\n```')[0]
}

describe('describeSurface()', () => {
  it('has every export of an entry with its signature, wherever it is declared', () => {
    const surface = surfaceOf({
      'index.d.ts': `/** Entry. @module */\nexport { b as c } from './b/index.ts';\nexport { A } from './a.ts';`,
      'a.d.ts': `export declare class A {\n    #private;\n    /** M. */\n    m(): void;\n}\n`,
      'b/index.d.ts': `export { b } from './b.ts';`,
      'b/b.d.ts': `export declare function b(): void;\nexport declare function b(x: 1): void;\n`,
    })

    assert.equal(
      sectionOf(surface, '`sallyport`'),
      'class A {\n    m(): void;\n}\n\nfunction b(): void;\n\nfunction b(x: 1): void;',
    )
  })

  it('has the types that signatures need, through others and from other files', () => {
    const surface = surfaceOf({
      'index.d.ts': `export { a } from './a.ts';`,
      'a.d.ts': `import type { Options } from './o.ts';\nexport declare function a(o: Options): void;`,
      'o.d.ts': `interface Part {\n    x: number;\n}\nexport interface Options {\n    part: Part;\n}\nexport interface Other {\n}`,
    })

    assert.equal(
      sectionOf(surface, 'Types behind them'),
      'interface Options {\n    part: Part;\n}\n\ninterface Part {\n    x: number;\n}',
    )
  })

  it('fails for an export that is not declared', () => {
    const files = { 'index.d.ts': `export { a } from './a.ts';`, 'a.d.ts': '' }

    assert.throws(() => surfaceOf(files), /Cannot describe "a": a\.d\.ts does not declare it/)
  })
})

const WRITTEN: Readonly<Record<string, () => string>> = {
  'api-surface.md': () => describeSurface(readEntries(root), readDeclarations(root)),
  'app-surface.md': () => describeSurface(readEntries(root, APP), readAppDeclarations(root)),
}

for (const [name, wanted] of Object.entries(WRITTEN))
  describe(`fixture/${name}`, () => {
    it('is up to date', () => {
      const written = readFileSync(join(root, 'test', 'scripts', 'fixture', name), 'utf8')

      const isCurrent = written === wanted()

      assert.ok(
        isCurrent,
        'the public surface has changed: run "npm run api-surface", and review the difference',
      )
    })
  })
