/** The same tests for both engines of databases. @module */
import { join } from 'node:path'
import { after, before, describe, type TestContext } from 'node:test'
import { Secret } from 'sallyport'
import { type Database, type NamedMigration, openDatabase } from 'sallyport-app/database'
import { openPostgres } from 'sallyport-app/database/postgres'
import { PostgresServer, withoutPostgres } from 'sallyport-app/testing'
import { temporary } from './temporary.ts'

/** Makes an empty database. What it gives opens it, once for each process of a test. */
export type Making = <Tables>(
  test: TestContext,
  migrations: readonly NamedMigration[],
) => Promise<() => Promise<Database<Tables>>>

const inFile: Making = async (test, migrations) => {
  const path = join(temporary(test), 'database.sqlite')
  return () => openDatabase(path, { migrations, durable: false })
}

/** Describes something with databases of SQLite, and with those of PostgreSQL. */
export function onEachEngine(
  subject: string,
  tests: (make: Making, engine: 'SQLite' | 'PostgreSQL') => void,
): void {
  describe(`${subject} in SQLite`, () => tests(inFile, 'SQLite'))
  describe(`${subject} in PostgreSQL`, { skip: withoutPostgres }, () => {
    let server: PostgresServer
    let databases = 0
    before(async () => {
      server = await PostgresServer.start()
    })
    after(() => server.stop())
    const atServer: Making = async (_test, migrations) => {
      databases += 1
      await server.run(`CREATE DATABASE d${databases}`)
      const url = new Secret(server.url(`d${databases}`))
      return () => openPostgres(url, { migrations })
    }
    tests(atServer, 'PostgreSQL')
  })
}
