import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { sql } from 'kysely'
import { EXPIRING as CORE_EXPIRING } from '../../core/operations/leftovers.ts'
import { PARTS } from '../../parts.ts'
import { MAX_AUTHENTICATORS } from '../../core/factors/factor-setups.ts'
import { MAX_SETUPS } from '../../core/factors/shown-secrets.ts'
import { withoutSqlite } from '../databases.ts'
import { ofParts } from '../facts-of-parts.ts'
import { ADD, SECURITY, signedIn, withSecretOf } from '../flow/steps.ts'
import type { Bound } from './bound.ts'
import { type Person, World } from '../support.ts'

const EXPIRING = [...CORE_EXPIRING, ...PARTS.flatMap(({ expiring = [] }) => expiring)]

// Every table with rows of an account. One that is added has to say here what bounds it.
const LISTS: Readonly<Record<string, Bound>> = {
  account_permission: { because: 'the program names every permission, and a permission is there once' },
  challenge: { because: 'an hour, and a password is proven for each' },
  ended_session: { because: 'an hour, and a sign-in is made for each' },
  event: { because: 'twenty of a kind and client in an hour, which `trim` deletes; sign-ins are all kept' },
  factor: { because: `${MAX_AUTHENTICATORS} authenticators and ${MAX_SETUPS} set-ups, and what parts allow` },
  known_client: { because: '400 days, and a sign-in is made for each' },
  password_reset: 'expires',
  recovery_code: { because: 'a set of ten, and a new one deletes the old one' },
  used_step: { because: 'the newest hundred of each authenticator' },
  ...ofParts('lists'),
}

/** Tables with an account reference, and those whose rows belong to one of them. */
async function tablesOfAccounts(world: World): Promise<readonly string[]> {
  const tables = await world.database.introspection.getTables()
  const found = new Set(
    tables.filter(({ columns }) => columns.some(({ name }) => name === 'account_id')).map(({ name }) => name),
  )
  for (let size = -1; size !== found.size;) {
    size = found.size
    for (const { name } of tables) {
      const keys = await sql<{ table: string }>`PRAGMA foreign_key_list(${sql.table(name)})`.execute(
        world.database,
      )
      if (keys.rows.some(({ table }) => found.has(table))) found.add(name)
    }
  }
  return [...found].toSorted()
}

async function holdsOneRowEach(world: World, table: string): Promise<boolean> {
  const indexes = await sql<{ name: string; unique: number; partial: number }>`
    PRAGMA index_list(${sql.table(table)})`.execute(world.database)
  for (const { name, unique, partial } of indexes.rows) {
    const { rows } = await sql<{ name: string }>`PRAGMA index_info(${sql.table(name)})`.execute(
      world.database,
    )
    const columns = rows.map((column) => column.name)
    if (unique === 1 && partial === 0 && columns.join() === 'account_id') return true
  }
  return false
}

async function addAuthenticators(world: World, { id }: Person, count: number): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    const added = await world.identity.factors.add(id, `App ${index}`, world.clock)
    await world.identity.factors.enableUnproven(added.id, world.clock)
  }
}

describe('the lists of an account', () => {
  it('are all known, with what bounds each [RA-2501]', { skip: withoutSqlite }, async (test) => {
    const world = await World.create(test)

    assert.deepEqual(await tablesOfAccounts(world), Object.keys(LISTS).toSorted())
    for (const [table, bound] of Object.entries(LISTS)) {
      if (bound === 'one')
        assert.ok(await holdsOneRowEach(world, table), `${table} has one row for an account`)
      if (bound === 'expires')
        assert.ok(
          EXPIRING.some((each) => each === table),
          `${table} is deleted at its end`,
        )
    }
  })

  it(`hold ${MAX_AUTHENTICATORS} authenticators: no page shows a secret of one more, and no code adds it; one can be replaced [RA-1104 RA-1701]`, async (test) => {
    const { world, browser, person } = await signedIn(test)
    await addAuthenticators(world, person, MAX_AUTHENTICATORS - 2)
    const shown = withSecretOf(person, await browser.open(ADD))
    await addAuthenticators(world, person, 1)

    const pages = [
      await browser.submit(ADD, { label: 'App', code: await world.code(shown) }),
      await browser.open(ADD),
    ]

    for (const { status, location } of pages) assert.deepEqual([status, location], [303, SECURITY])
    assert.match((await browser.open(SECURITY)).html, /You have 25 authenticators\. Remove one/)
    const [first, ...others] = await world.identity.factors.list(person.id)
    assert.equal(others.length, MAX_AUTHENTICATORS - 1)
    assert.equal((await browser.open(`${SECURITY}/factors/${first?.id}/replace`)).status, 200)
  })
})
