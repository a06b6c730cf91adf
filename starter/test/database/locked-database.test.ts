import assert from 'node:assert/strict'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, it } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { withoutSqlite } from '../databases.ts'
import { World } from '../support.ts'

describe('a database that another process writes to', () => {
  it('blocks no other page while eight people sign in [HOLD-53]', { skip: withoutSqlite }, async (test) => {
    const world = await World.create(test)
    const ada = await world.person('ada')
    const signedIn = await world.inside(ada)
    const browsers = Array.from({ length: 8 }, () => world.browser())
    for (const browser of browsers) await browser.open('/login')
    const other = new DatabaseSync(join(world.directory, 'accounts.sqlite'))
    test.after(() => other.close())
    other.exec('BEGIN IMMEDIATE')

    const answered: number[] = []
    const logins = browsers.map(async (browser) => {
      const page = await browser.submit('/login', { email: ada.email, password: 'wrong' })
      answered.push(page.status)
    })
    // The home page and a page that reads the locked file.
    let served = 0
    while (answered.length === 0) {
      for (const path of ['/', '/account']) assert.equal((await signedIn.open(path)).status, 200)
      served += 2
      await nextTurn()
    }
    await Promise.all(logins)

    assert.deepEqual([answered.length, ...new Set(answered)], [8, 503])
    // In a second of waiting; what stands still serves two.
    assert.ok(served >= 10, `${served} pages`)
  })
})
