import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { extractFiles, extractPrograms, extractSteps } from './guide-code.ts'

describe('extractPrograms()', () => {
  it('extracts blocks of TypeScript from a guide, and nothing else', () => {
    const guide = 'Text\n\n```ts\nconst a = 1\n```\n\n```sh\nnpm start\n```\n'

    assert.deepEqual(extractPrograms('a.md', guide), [{ place: 'a.md:3', text: 'const a = 1\n', files: {} }])
  })

  it('extracts the files of a guide, which are not programs', () => {
    const guide =
      '```ts\nconst a = 1\n```\n\n`views/page.edge`:\n\n```edge\n<p>\n```\n\n`b.ts`:\n\n```ts\nconst b = 2\n```\n'

    const programs = extractPrograms('a.md', guide)

    assert.deepEqual(
      programs.map(({ text }) => text),
      ['const a = 1\n'],
    )
    assert.deepEqual(programs[0]?.files, { 'views/page.edge': '<p>\n', 'b.ts': 'const b = 2\n' })
  })

  it('extracts them from a docstring, without its stars', () => {
    const source = '/**\n * Text.\n *\n * ```ts\n * const a = {\n *   b: 1,\n * }\n * ```\n */\n'

    assert.deepEqual(extractPrograms('a.ts', source), [
      { place: 'a.ts:4', text: 'const a = {\n  b: 1,\n}\n', files: {} },
    ])
  })
})

describe('extractFiles()', () => {
  it('takes the last block of a name', () => {
    const guide = '`a.json`:\n\n```json\n{}\n```\n\n`a.json`:\n\n```json\n[]\n```\n'

    assert.deepEqual(extractFiles(guide), { 'a.json': '[]\n' })
  })
})

describe('extractSteps()', () => {
  it('returns what each part of a guide adds', () => {
    const guide =
      '# A\n\n## One\n\n`a.ts`:\n\n```ts\n1\n```\n\n## Two\n\nText\n\n## Three\n\n`b.ts`:\n\n```ts\n2\n```\n'

    assert.deepEqual(extractSteps(guide), [
      { title: 'One', files: { 'a.ts': '1\n' } },
      { title: 'Three', files: { 'b.ts': '2\n' } },
    ])
  })
})
