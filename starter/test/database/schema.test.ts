import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { sql } from 'kysely'
import { World } from '../support.ts'

async function columnsOf(world: World): Promise<ReadonlyMap<string, readonly string[]>> {
  const tables = await world.database.introspection.getTables()
  return new Map(tables.map(({ name, columns }) => [name, columns.map((column) => column.name)]))
}

describe('the schema', () => {
  it('keeps states that are meant only: of accounts, and of factors unverified and enabled [RA-2501]', async (test) => {
    const world = await World.create(test)
    const ada = await world.person('ada', { factor: 'enabled' })

    for (const [table, state] of [
      ['account', 'trusted'],
      ['factor', 'pending'],
    ] as const)
      await assert.rejects(
        sql`UPDATE ${sql.table(table)} SET state = ${state}`.execute(world.database),
        /CHECK constraint failed|violates check constraint/,
      )
    assert.equal((await world.browser().signIn(ada)).location, '/account')
  })

  it('ends every row of an account with the account, and keeps its events [RA-2501]', async (test) => {
    const world = await World.create(test)
    const ada = await world.person('ada', { factor: 'enabled' })
    await world.browser().signIn(ada)

    await world.database.deleteFrom('account').where('id', '=', ada.id).execute()

    for (const [table, columns] of await columnsOf(world)) {
      if (!columns.includes('account_id') || table === 'event') continue
      const { rows } = await sql`SELECT 1 FROM ${sql.table(table)} WHERE account_id = ${ada.id}`.execute(
        world.database,
      )
      assert.equal(rows.length, 0, table)
    }
    assert.ok((await world.events(ada)).includes('logged-in'))
  })
})
