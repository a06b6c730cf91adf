import assert from 'node:assert/strict'
import { it, type TestContext } from 'node:test'
import type { Kysely, Transaction } from 'kysely'
import {
  CredentialVersions,
  type EndedSessionTables,
  endedSessionTables,
  hasNotEnded,
  noteEnded,
} from 'sallyport-app/sessions'
import type { Database, NamedMigration } from 'sallyport-app/database'
import { type Making, onEachEngine } from '../engines.ts'

interface Tables extends EndedSessionTables {
  person: { id: string; credential_version: number; credential_mark: string | null }
}

const MIGRATIONS: readonly NamedMigration[] = [
  {
    name: 'all',
    statements: [
      'CREATE TABLE person (id TEXT PRIMARY KEY, credential_version INTEGER NOT NULL, credential_mark TEXT) STRICT',
      ...endedSessionTables('person'),
    ],
  },
]

class Versions extends CredentialVersions<Tables> {
  readonly ended: (string | undefined)[] = []

  override async endGranted(_transaction: Transaction<Tables>, accountId?: string): Promise<void> {
    this.ended.push(accountId)
  }
}

interface People {
  readonly database: Database<Tables>
  readonly versions: Versions
  readonly within: <T>(act: (transaction: Transaction<Tables>) => Promise<T>) => Promise<T>
}

async function begin(test: TestContext, make: Making): Promise<People> {
  const database = await (await make<Tables>(test, MIGRATIONS))()
  test.after(() => database.destroy())
  for (const id of ['ada', 'bob'])
    await database.insertInto('person').values({ id, credential_version: 1, credential_mark: null }).execute()
  return {
    database,
    versions: new Versions('person'),
    within: (act) => database.transaction().execute(act),
  }
}

async function versionsIn(database: Kysely<Tables>): Promise<readonly number[]> {
  const rows = await database.selectFrom('person').select('credential_version').orderBy('id').execute()
  return rows.map(({ credential_version: version }) => version)
}

onEachEngine('CredentialVersions', (make) => {
  it('raises one version, or every one, and ends what was granted [RA-3001]', async (test) => {
    const { database, versions, within } = await begin(test, make)

    await within((transaction) => versions.raise(transaction, 'ada'))
    await within((transaction) => versions.raise(transaction, null))

    assert.deepEqual(await versionsIn(database), [3, 2])
    assert.deepEqual(versions.ended, ['ada', undefined])
  })

  it('lets one of several changes at once happen', async (test) => {
    const { database, versions, within } = await begin(test, make)
    const advance = (): Promise<number | undefined> =>
      within((transaction) => versions.advance(transaction, 'ada', { credentialVersion: 1 }))

    const advanced = await Promise.all([advance(), advance(), advance()])

    assert.deepEqual(advanced.toSorted(), [2, undefined, undefined])
    assert.deepEqual(await versionsIn(database), [2, 1])
    assert.deepEqual(versions.ended, ['ada'])
  })

  it('confirms the present version, and an earlier one in the session that raised it', async (test) => {
    const { versions, within } = await begin(test, make)
    await within((transaction) => versions.advance(transaction, 'ada', { credentialVersion: 1, mark: 'm' }))
    const confirm = (credentialVersion: number, mark?: string): Promise<boolean> =>
      within((transaction) => versions.confirm(transaction, 'ada', { credentialVersion, mark }))

    const confirmed = [await confirm(2), await confirm(1), await confirm(1, 'm'), await confirm(1, 'other')]

    assert.deepEqual(confirmed, [true, false, true, false])
  })

  it('lets a session change nothing that another one has ended', async (test) => {
    const { database, versions, within } = await begin(test, make)
    const stands = (handle: string | null) => (transaction: Kysely<Tables>) =>
      hasNotEnded(transaction, handle)
    const held = (handle: string | null) => ({ credentialVersion: 1, stands: stands(handle) })

    await within((transaction) => noteEnded(transaction, 'ada', { handles: ['old', 'old'], now: 1000 }))

    for (const handle of ['old', null]) {
      assert.equal(await within((each) => versions.confirm(each, 'ada', held(handle))), false)
      assert.equal(await within((each) => versions.advance(each, 'ada', held(handle))), undefined)
    }
    assert.equal(await within((each) => versions.confirm(each, 'ada', held('new'))), true)
    await within((each) => noteEnded(each, 'ada', { handles: [], now: 1000 + 60 * 60 }))
    assert.equal(await hasNotEnded(database, 'old'), true)
  })
})
