import assert from 'node:assert/strict'
import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { before, describe, it } from 'node:test'
import { missingBrowser } from '../../starter/test/browser/chromium.ts'
import { succeed, TSC } from '../cli/packed-package.ts'
import { follow } from './followed-guide.ts'
import { read, root, workspace } from './guide-code.ts'

const GUIDE = 'starter/docs/add-a-page.md'
const LEFT_OUT = /\/(node_modules|\.data)(\/|$)/

/** A copy of the starter with what the guide adds. */
function followed(folder: string): string {
  const copy = join(folder, 'my-app')
  cpSync(join(root, 'starter'), copy, { recursive: true, filter: (path) => !LEFT_OUT.test(path) })
  follow(copy, read(GUIDE))
  return copy
}

describe('the guide "Add a page" of the starter', () => {
  let copy = ''

  before(() => {
    copy = followed(workspace({ after: (hook) => void process.on('exit', hook) }))
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
