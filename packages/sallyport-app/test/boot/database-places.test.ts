import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { Secret } from 'sallyport'
import { serverAt } from 'sallyport-app/boot'
import { openPostgres } from 'sallyport-app/database/postgres'
import { PostgresServer, withoutPostgres } from 'sallyport-app/testing'

describe('a database of PostgreSQL', { skip: withoutPostgres }, () => {
  let server: PostgresServer
  before(async () => {
    server = await PostgresServer.start()
  })
  after(() => server.stop())

  it('says in one line why it cannot be opened, without the password [RA-3202]', async () => {
    const right = server.url()
    const wrong = new URL(right)
    wrong.password = 'hunter2'
    for (const [url, reason] of [
      [wrong.href, 'refuses the user or the password: correct them'],
      [`${right}_not`, 'does not exist: create it'],
    ] as const) {
      const { name, cannotUse } = serverAt('DATABASE_URL', new Secret(url))

      const failed = await openPostgres(new Secret(url), { migrations: [] }).then(
        () => assert.fail(),
        cannotUse,
      )

      assert.equal(failed.message, `the database ${name} ${reason}`)
      assert.doesNotMatch(failed.message, /hunter2/)
    }
  })
})
