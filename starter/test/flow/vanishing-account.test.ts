import assert from 'node:assert/strict'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, it } from 'node:test'
import { beforeStatements } from 'sallyport-app/testing/sql'
import type { Request } from '../crash/deed.ts'
import { DEEDS, PASSWORDS } from '../crash/deeds.ts'
import { withoutSqlite } from '../databases.ts'
import { type Browser, temporary, World } from '../support.ts'

// Per change, some of the statements; at night, each of them.
const STRIDE = process.env['NIGHTLY'] === '1' ? 1 : 10
const FIRST = 1 + Math.floor(Math.random() * STRIDE)

// The first one makes the account, the second one erases it.
const LEFT_OUT = ['the link of a sign-up', 'the erasure of an account']

// Each statement may be the first one after another process has erased the account: whatever was read of it before is outdated.
describe('an account that is erased between any two statements', { skip: withoutSqlite }, () => {
  for (const deed of [...PASSWORDS, ...DEEDS.filter(({ name }) => !LEFT_OUT.includes(name))])
    it(`is signed in to by nobody, and breaks nothing: ${deed.name} [RA-0405 RA-2501 RA-2502]`, async (test) => {
      let number = FIRST
      while (await survives(deed, await World.open(test, temporary(test)), number)) number += STRIDE
      assert.ok(number > 5, `the first that is not reached: ${number}`)
      test.diagnostic(
        `erased before statement ${FIRST} and each ${STRIDE} further ones, of less than ${number}`,
      )
    })
})

// Returns whether there was such a statement.
async function survives(deed: Request, world: World, number: number): Promise<boolean> {
  const { browser, facts } = await deed.prepare(world)
  const { id = '' } = facts
  const erased = eraseBefore(number, world, id)
  const page = await deed.act(browser, facts, world)
  beforeStatements(undefined)
  if (!erased()) return false
  assert.ok((page?.status ?? 0) < 500, `before statement ${number}: ${page?.status}`)
  assert.equal(await isSignedInAs(browser, id), false)
  assert.deepEqual(world.faults, [])
  return true
}

async function isSignedInAs(browser: Browser, id: string): Promise<boolean> {
  if (!(await browser.isSignedIn())) return false
  return JSON.stringify((await browser.session())['_auth']).includes(id)
}

// As another process: during a transaction it has to wait, and is asked no more.
function eraseBefore(number: number, world: World, id: string): () => boolean {
  const other = new DatabaseSync(join(world.directory, 'accounts.sqlite'), { timeout: 0 })
  const erase = other.prepare('DELETE FROM account WHERE id = ?')
  let [left, isErased] = [number, false]
  beforeStatements(() => {
    left -= 1
    if (left !== 0) return
    try {
      isErased = erase.run(id).changes > 0
    } catch (error) {
      if (!String(error).includes('locked')) throw error
      left = 1
    }
  })
  return () => {
    other.close()
    return isErased
  }
}
