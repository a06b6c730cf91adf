import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { beforeStatements, fullReads, type Statement } from 'sallyport-app/testing/sql'
import { DEEDS } from '../crash/deeds.ts'
import { databases, withoutSqlite } from '../databases.ts'
import { ofParts, TELLINGS_OF_PARTS } from '../facts-of-parts.ts'
import { type Person, World } from '../support.ts'
import { everywhere, routesOf } from './routes.ts'

// Tables that may be read in full, and pages that are about all accounts.
const SHORT: Readonly<Record<string, string>> = {
  mail: 'mails that wait, and those that were given up',
  ...ofParts('readInFull'),
}
const DOORS = Object.values(ofParts('doors'))
const IS_NIGHT = process.env['NIGHTLY'] === '1'

/** Somebody who may see every page, and somebody with an authenticator. */
interface Cast {
  readonly root: Person
  readonly ada: Person
  readonly pages: readonly string[]
}

async function castOf(world: World): Promise<Cast> {
  const { root, values } = await everywhere(world)
  const routes = await routesOf(world, values)
  const pages = routes.filter(({ method, path }) => method === 'GET' && SHORT[path] === undefined)
  const ada = await world.person('ada', { factor: 'enabled' })
  return { root, ada, pages: pages.map(({ path }) => path) }
}

/** Opens all pages, signs in by all doors, is refused once, asks for the mails that lead in, and does the work of an hour. */
async function visit(world: World, { root, ada, pages }: Cast): Promise<void> {
  world.clock.advance(3600)
  const [inside, outside, guest] = [world.browser(), world.browser(), world.browser()]
  await inside.signIn(root)
  for (const path of pages) for (const browser of [inside, outside]) await browser.open(path)
  assert.equal(await inside.isSignedIn(), true)

  assert.equal((await world.browser().signIn(ada)).location, '/account')
  for (const { page, prove } of DOORS) {
    const browser = world.browser()
    await browser.password(ada)
    assert.equal((await browser.submit(page, await prove(browser, world))).location, '/account', page)
  }

  assert.equal((await guest.password(ada, 'wrong')).status, 422)
  for (const [path, email] of Object.entries({ '/sign-up': 'bea@example.test', '/forgot': ada.email })) {
    assert.equal((await guest.send(path, { email })).status, 303, path)
  }
  await world.identity.leftovers.delete()
}

/** The statements of some work, each once. */
async function statementsOf(work: () => Promise<unknown>): Promise<readonly Statement[]> {
  const sent = new Map<string, Statement>()
  beforeStatements((statement) => void sent.set(statement.text, statement))
  await work()
  beforeStatements(undefined)
  return [...sent.values()]
}

async function assertNoneIsFull(world: World, statements: readonly Statement[]): Promise<void> {
  const found = await fullReads(await databases.planned(world.directory), statements)
  assert.deepEqual(
    found.filter(([table]) => SHORT[table] === undefined),
    [],
  )
}

describe('no table that grows with the accounts is read in full', () => {
  it('by pages, sign-ins and the work of an hour', async (test) => {
    const world = await World.create(test, ofParts('settings'))
    const cast = await castOf(world)
    // Then there is a row of all that they leave behind.
    await visit(world, cast)

    const statements = await statementsOf(() => visit(world, cast))

    assert.deepEqual(world.faults, [])
    assert.ok(statements.length > 50, String(statements.length))
    await assertNoneIsFull(world, statements)
  })

  if (IS_NIGHT)
    it('by requests that change something', { skip: withoutSqlite }, async (test) => {
      for (const deed of [...DEEDS, ...TELLINGS_OF_PARTS]) {
        const world = await World.create(test, ofParts('settings'))
        const { browser, facts } = await deed.prepare(world)

        const statements = await statementsOf(() => deed.act(browser, facts, world))

        await assertNoneIsFull(world, statements)
      }
    })
})
