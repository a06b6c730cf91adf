import assert from 'node:assert/strict'
import { after, before, describe, it, type TestContext } from 'node:test'
import { Client } from 'pg'
import { Secret } from 'sallyport'
import { openPostgres } from 'sallyport-app/database/postgres'
import { PostgresServer, withoutPostgres } from 'sallyport-app/testing'
import type { Database } from '../../core/database/database.ts'
import { migrationsOf } from '../../core/database/migrations.ts'
import { PARTS } from '../../parts.ts'

const EVENT = { account_id: null, kind: 'x', client_address: '', challenge_id: null }

describe('PostgreSQL', { skip: withoutPostgres }, () => {
  let server: PostgresServer
  before(async () => {
    server = await PostgresServer.start()
    await server.run('CREATE DATABASE accounts')
  })
  after(() => server.stop())

  async function open(test: TestContext, url: string): Promise<Database> {
    const database = await openPostgres(new Secret(url), { migrations: migrationsOf(PARTS) })
    test.after(() => database.destroy())
    return database
  }

  it('protects the audit trail: no entry is changed, and none is deleted within 90 days [RA-3202 RA-2501]', async (test) => {
    const url = server.url('accounts')
    const database = await open(test, url)
    const now = Math.floor(Date.now() / 1000)
    const add = (at: number): Promise<unknown> =>
      database
        .insertInto('event')
        .values({ ...EVENT, at })
        .execute()
    await add(now)
    await add(now - 91 * 24 * 60 * 60)

    const client = new Client({ connectionString: url })
    await client.connect()
    test.after(() => client.end())

    for (const statement of ['UPDATE event SET at = 0', 'TRUNCATE event', 'DELETE FROM event'])
      await assert.rejects(client.query(statement), /The audit trail is append-only/)
    const { numDeletedRows } = await database.deleteFrom('event').where('at', '<', now).executeTakeFirst()

    assert.equal(numDeletedRows, 1n)
  })
})
