import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { FrozenClock } from 'sallyport/testing'
import { openDatabase } from '../../../core/database/open.ts'
import { PARTS } from '../../../parts.ts'
import { runPrinted } from '../../../test/commands/printed.ts'
import { temporary } from '../../../test/support.ts'

const clock = new FrozenClock('2026-01-01T00:00:00Z')

describe('page', () => {
  it('publishes a page, and makes it a draft again', async (test) => {
    const directory = temporary(test)
    const file = join(directory, 'imprint.txt')
    writeFileSync(file, 'Imprint\n\nSallyport Ltd.\n\n1 Gate Street\n')
    const run = (...line: readonly string[]): ReturnType<typeof runPrinted> =>
      runPrinted(['page', ...line], { DATA_DIR: directory }, clock)

    const published = await run('imprint', 'en', file)
    const draft = await run('imprint', 'de', file, '--draft')

    assert.deepEqual([published.exitCode, draft.exitCode], [0, 0])
    assert.match(published.text, /\/imprint is published in en/)
    const database = await openDatabase(join(directory, 'accounts.sqlite'), { parts: PARTS })
    const rows = await database.selectFrom('page').select(['language', 'title', 'body', 'state']).execute()
    await database.destroy()
    assert.deepEqual(rows, [
      { language: 'de', title: 'Imprint', body: 'Sallyport Ltd.\n\n1 Gate Street', state: 'draft' },
      { language: 'en', title: 'Imprint', body: 'Sallyport Ltd.\n\n1 Gate Street', state: 'published' },
    ])
  })

  it('refuses a name that is a path of the program, where nobody would find the page [ROUTE-27]', async (test) => {
    const directory = temporary(test)
    const file = join(directory, 'page.txt')
    writeFileSync(file, 'Title\n')
    for (const name of ['login', 'language', 'assets', 'account']) {
      const end = await runPrinted(['page', name, 'en', file], { DATA_DIR: directory }, clock)
      assert.deepEqual(
        [end.exitCode, end.text.split('\n')[0]],
        [
          2,
          `Cannot run "page": /${name} is a path of the application itself: choose another name for the page.`,
        ],
      )
    }
    for (const line of [
      ['terms', 'en', file],
      ['terms', 'en', file, '--draft'],
      ['terms', 'en', file],
    ])
      assert.equal((await runPrinted(['page', ...line], { DATA_DIR: directory }, clock)).exitCode, 0)
  })

  it('refuses another language, a file that is not there and a name that is no path', async (test) => {
    const directory = temporary(test)
    const file = join(directory, 'page.txt')
    writeFileSync(file, 'Title\n')
    const codes = []
    for (const line of [
      ['imprint', 'fr', file],
      ['imprint', 'en', `${file}x`],
      ['../imprint', 'en', file],
      ['imprint', 'en'],
      ['--unknown'],
    ])
      codes.push((await runPrinted(['page', ...line], { DATA_DIR: directory }, clock)).exitCode)

    assert.deepEqual(codes, [2, 2, 2, 2, 2])
  })
})
