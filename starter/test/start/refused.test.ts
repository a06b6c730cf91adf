import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, it, type TestContext } from 'node:test'
import { openDatabase } from 'sallyport-app/database'
import { PARTS } from '../../parts.ts'
import { temporary } from '../support.ts'
import { Program } from './process.ts'
import { migrationsOf } from '../../core/database/migrations.ts'
import type { Schema } from '../../core/database/schema.ts'

const KEY = `${'ab'.repeat(31)}01`
const OTHER_KEY = `${'cd'.repeat(31)}01`
const PRODUCTION = { NODE_ENV: 'production', FACTOR_KEY: KEY }

type Variables = Readonly<Record<string, string>>

async function assertRefused(test: TestContext, variables: Variables, text: RegExp): Promise<void> {
  const given = { DATA_DIR: temporary(test), ...variables }
  const { code, output, errors } = await new Program(test, given).ended()
  assert.deepEqual([code, output], [1, ''])
  assert.match(errors, /^Cannot start: [^\n]+[^.\n]\.\n$/)
  assert.match(errors, text)
  assert.doesNotMatch(errors, /hunter2/)
}

/** A folder with a database of accounts, which a test then spoils. */
async function withDatabase(test: TestContext): Promise<{ DATA_DIR: string; path: string }> {
  const DATA_DIR = temporary(test)
  const path = join(DATA_DIR, 'accounts.sqlite')
  await (await openDatabase<Schema>(path, { migrations: migrationsOf(PARTS) })).destroy()
  return { DATA_DIR, path }
}

describe('npm start that fails says in one line', () => {
  for (const [title, variables, text] of [
    [
      'the data folder is not writable',
      { DATA_DIR: '/proc/sallyport' },
      /folder \/proc\/sallyport cannot be/,
    ],
    ['production lacks its key', { NODE_ENV: 'production' }, /FACTOR_KEY is missing/],
    [
      'a page has a path that begins like the base path [MEND-12 MEND-14]',
      { BASE_PATH: '/account' },
      /BASE_PATH must not begin like a page of the application, and "\/account" does/,
    ],
    [
      'PostgreSQL cannot be reached [RA-3202]',
      { DATABASE_URL: 'postgres://ada:hunter2@127.0.0.1:1/accounts' },
      /the database accounts at 127\.0\.0\.1:1 \(DATABASE_URL\) cannot be reached \(ECONNREFUSED\): start the server/,
    ],
    [
      'Redis cannot be reached [RA-3202]',
      { REDIS_URL: 'redis://:hunter2@127.0.0.1:1' },
      /the database sessions at 127\.0\.0\.1:1 \(REDIS_URL\) cannot be reached \(ECONNREFUSED\): start the server/,
    ],
  ] as const)
    it(`that ${title} [RA-3203]`, async (test) => {
      await assertRefused(test, variables, text)
    })

  it('that the port is in use', async (test) => {
    const other = createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    test.after(() => other.close())

    await assertRefused(test, { PORT: String((other.address() as AddressInfo).port) }, /in use/)
  })

  it('that a file is not a database', async (test) => {
    for (const file of ['accounts.sqlite', 'sessions.sqlite']) {
      const DATA_DIR = temporary(test)
      writeFileSync(join(DATA_DIR, file), 'not a database, but long enough to be taken for one'.repeat(100))

      await assertRefused(test, { DATA_DIR }, new RegExp(`${file} is damaged or not a database`))
    }
  })

  it('that the database is locked, lacks a table, is of a newer version, or damaged inside', async (test) => {
    const { DATA_DIR, path } = await withDatabase(test)
    const other = new DatabaseSync(path)

    other.exec('BEGIN EXCLUSIVE')
    await assertRefused(test, { DATA_DIR }, /accounts\.sqlite is locked by another program/)
    other.exec('ROLLBACK; DROP TABLE used_step')
    await assertRefused(test, { DATA_DIR }, /accounts\.sqlite has no used_step: restore it from a copy/)
    other.exec("INSERT INTO kysely_migration VALUES ('999_later', '2090-01-01T00:00:00.000Z')")
    other.close()
    await assertRefused(test, { DATA_DIR }, /made by another version/)
    const bytes = readFileSync(path)
    bytes.fill(0xff, 4096)
    writeFileSync(path, bytes)
    await assertRefused(test, { DATA_DIR }, /accounts\.sqlite is damaged/)
  })

  it('that the key has changed; without the demo account it starts, and writes an error that names the remedy [RA-3203]', async (test) => {
    const DATA_DIR = temporary(test)
    const first = new Program(test, { DATA_DIR, FACTOR_KEY: KEY })
    await first.banner()
    await first.ended('SIGTERM')

    await assertRefused(test, { DATA_DIR, FACTOR_KEY: OTHER_KEY }, /has FACTOR_KEY changed/)
    const program = new Program(test, { DATA_DIR, FACTOR_KEY: OTHER_KEY, DEMO: '0' })
    const banner = await program.banner()
    const { code, output, errors } = await program.ended('SIGTERM')

    assert.equal(code, 0)
    assert.doesNotMatch(banner, /demo@sallyport\.test/)
    assert.match(output + errors, /no key opens the secrets of some factors \(1\)/)
  })
})

describe('npm start', () => {
  it('warns when every client has one address, and so does check [RA-3203]', async (test) => {
    const variables = { ...PRODUCTION, DATA_DIR: temporary(test), ORIGIN: 'https://app.example' }
    const program = new Program(test, variables)
    await program.banner()
    const { code, output, errors } = await program.ended('SIGTERM')
    const check = await new Program(test, variables, ['check']).ended()

    assert.equal(code, 0)
    assert.match(output + errors, /TRUSTED_PROXIES is not set: every client has the address of the proxy/)
    assert.match(check.output, /Warning: TRUSTED_PROXIES is not set/)
    assert.equal((output + errors + check.output).includes(KEY), false)
  })

  it('refuses a command that does not exist or is called in a wrong way, with 2 [RA-3201]', async (test) => {
    const variables = { DATA_DIR: temporary(test) }
    const done = await new Program(test, variables, ['trim', '400']).ended()

    assert.deepEqual([done.code, done.output, done.errors], [0, '0 entries over 400 days deleted.\n', ''])
    for (const [line, text] of [
      [['cdoe'], /^Cannot run "cdoe": there is no such command\. "npm start -- help" [^\n]+[^.\n]\.\n$/],
      [['trim', '3'], /older than 3 days: use a whole number of days, 90 or more: "npm start -- trim 400"/],
      [['trim'], /an argument is missing/],
    ] as const) {
      const refused = await new Program(test, variables, line).ended()
      assert.deepEqual([refused.code, refused.output], [2, ''])
      assert.match(refused.errors, text)
    }
  })
})
