import assert from 'node:assert/strict'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { pathToFileURL } from 'node:url'

import { readFiles } from '../architecture/project.ts'
import { readDocstringPrograms, workspace, writeFiles } from './guide-code.ts'

/** What declares tests itself is run by the tests of what it proves. */
const DECLARES_TESTS = /from 'node:test'/

describe('the examples of docstrings', () => {
  const examples = readDocstringPrograms()

  it('exist for what people call most', () => {
    assert.ok(examples.length >= 50, `${examples.length} docstrings have an example`)
  })

  it('are marked as such, so that editors show them', () => {
    const unmarked = readFiles('src').flatMap(({ path, text }) =>
      [...text.matchAll(/(.*)\n *\* ```ts\n/g)]
        .filter(([, before]) => !before?.endsWith('* @example'))
        .map(() => path),
    )

    assert.deepEqual(unmarked, [])
  })

  it('show the result', () => {
    const silent = examples.filter(({ text }) => !text.includes('node:assert') && !DECLARES_TESTS.test(text))

    assert.deepEqual(
      silent.map(({ place }) => place),
      [],
    )
  })

  // All in this process: none takes what another leaves, and a process for each would take a minute.
  for (const { place, text } of examples.filter((example) => !DECLARES_TESTS.test(example.text))) {
    it(`run: ${place}`, async (t) => {
      const folder = workspace(t)
      writeFiles(folder, { 'example.ts': text })

      await assert.doesNotReject(import(pathToFileURL(join(folder, 'example.ts')).href))
    })
  }
})
