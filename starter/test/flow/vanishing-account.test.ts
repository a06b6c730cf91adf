import assert from 'node:assert/strict'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, it, type TestContext } from 'node:test'
import { beforeStatements } from 'sallyport-app/testing/sql'
import type { Request } from '../crash/deed.ts'
import { DEEDS, LOGINS, PASSWORDS } from '../crash/deeds.ts'
import { withoutSqlite } from '../databases.ts'
import { type Browser, temporary, World } from '../support.ts'

// Per change, some of the statements; at night, each of them.
const STRIDE = process.env['NIGHTLY'] === '1' ? 1 : 10
const FIRST = 1 + Math.floor(Math.random() * STRIDE)

const SIGN_INS = DEEDS.filter((deed) => LOGINS.includes(deed) && deed.signsIn === true)
// The first one makes the account, the second one erases it.
const OTHERS = DEEDS.filter(
  (deed) =>
    !SIGN_INS.includes(deed) &&
    deed.name !== 'the link of a sign-up' &&
    deed.name !== 'the erasure of an account',
)

// Each statement may be the first one after another process has erased the account: whatever was read of it before is outdated.
describe('an account that is erased between any two statements', { skip: withoutSqlite }, () => {
  for (const deed of [...PASSWORDS, ...SIGN_INS])
    it(`is signed in to by nobody, and breaks nothing: ${deed.name} [RA-0405 RA-2502]`, async (test) => {
      await eraseEverywhere(test, deed, [303, 422])
    })

  for (const deed of OTHERS)
    it(`breaks nothing: ${deed.name} [RA-2501 RA-2502]`, async (test) => {
      await eraseEverywhere(test, deed, [200, 303, 401, 403, 404, 409, 410, 422])
    })
})

async function eraseEverywhere(test: TestContext, deed: Request, statuses: readonly number[]): Promise<void> {
  let number = FIRST
  while (await survives(deed, await World.open(test, temporary(test)), { number, statuses })) number += STRIDE
  assert.ok(number > 5, `the first that is not reached: ${number}`)
  test.diagnostic(`erased before statement ${FIRST} and each ${STRIDE} further ones, of less than ${number}`)
}

// Returns whether there was such a statement.
async function survives(
  deed: Request,
  world: World,
  { number, statuses }: { readonly number: number; readonly statuses: readonly number[] },
): Promise<boolean> {
  const { browser, facts } = await deed.prepare(world)
  const { id = '' } = facts
  const erased = eraseBefore(number, world, id)
  const page = await deed.act(browser, facts, world)
  beforeStatements(undefined)
  if (!erased()) return false
  assert.ok(statuses.includes(page?.status ?? 0), `before statement ${number}: ${page?.status}`)
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
