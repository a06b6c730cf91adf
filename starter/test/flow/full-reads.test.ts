import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { beforeStatements, fullReads, type Statement } from 'sallyport-app/testing/sql'
import { DEEDS, DOORS_OF_PARTS } from '../crash/deeds.ts'
import { databases, withoutSqlite } from '../databases.ts'
import { ofParts, TELLINGS_OF_PARTS } from '../facts-of-parts.ts'
import { World } from '../support.ts'
import { everywhere, routesOf } from './routes.ts'

// Tables that may be read in full, and pages that are about all accounts.
const SHORT: Readonly<Record<string, string>> = {
  mail: 'mails that wait, and those that were given up',
  ...ofParts('readInFull'),
}

async function assertReadsNothingInFull(world: World, work: () => Promise<unknown>): Promise<void> {
  const sent = new Map<string, Statement>()
  beforeStatements((statement) => void sent.set(statement.text, statement))
  await work()
  beforeStatements(undefined)
  const found = await fullReads(await databases.planned(world.directory), sent.values())
  assert.deepEqual(
    found.filter(([table]) => SHORT[table] === undefined),
    [],
  )
  assert.deepEqual(world.faults, [])
}

describe('no table that grows with the accounts is read in full', () => {
  it('by pages, a sign-in, mails that lead in, and the work of an hour', async (test) => {
    const world = await World.create(test, ofParts('settings'))
    const { inside, root, values } = await everywhere(world)
    const routes = await routesOf(world, values)
    const pages = routes.filter(({ method, path }) => method === 'GET' && SHORT[path] === undefined)
    const visit = async (email: string): Promise<void> => {
      world.clock.advance(3600)
      const guest = world.browser()
      await guest.password(root, 'wrong')
      for (const path of ['/sign-up', '/forgot']) await guest.send(path, { email })
      await inside.signIn(root)
      for (const { path } of pages) for (const browser of [inside, guest]) await browser.open(path)
      assert.equal(await inside.isSignedIn(), true)
      await world.identity.leftovers.delete()
    }
    // Then there is a row of all that it leaves behind.
    await visit(root.email)

    await assertReadsNothingInFull(world, () => visit('bea@example.test').then(() => visit(root.email)))
  })

  it('by requests that change something', { skip: withoutSqlite }, async (test) => {
    for (const { prepare, act } of [...DEEDS, ...DOORS_OF_PARTS, ...TELLINGS_OF_PARTS]) {
      const world = await World.create(test, ofParts('settings'))
      const { browser, facts } = await prepare(world)
      await assertReadsNothingInFull(world, () => act(browser, facts, world))
    }
  })
})
