import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { sql } from 'kysely'
import { Challenges } from '../../core/challenges/challenges.ts'
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

  it('keeps secrets of factors sealed with a key that has a version, and outside the database [RA-2501]', async (test) => {
    const world = await World.create(test)
    const ada = await world.person('ada', { factor: 'enabled' })
    const stored = await world.database.selectFrom('factor').select('secret').executeTakeFirstOrThrow()
    const secret = stored.secret ?? ''
    const tables = [...(await columnsOf(world)).values()].flat()

    assert.equal(secret.includes(ada.secret?.reveal() ?? ''), false)
    const [version, ...rest] = secret.split('.')
    assert.match(version ?? '', /^\S+$/)
    assert.ok(rest.length > 0)
    assert.equal(tables.includes('key'), false)
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

describe('what can be had once', () => {
  it('is had by one of fifty at once: the row count decides [RA-2502]', async (test) => {
    const world = await World.create(test)
    const { id } = await world.person('ada', { factor: 'enabled' })
    const challenges = world.app.get(Challenges)
    await challenges.open('c', id)
    const fifty = async (once: () => Promise<boolean>): Promise<number> =>
      (await Promise.all(Array.from({ length: 50 }, once))).filter(Boolean).length

    assert.equal(await fifty(() => challenges.end('c')), 1)
  })
})
