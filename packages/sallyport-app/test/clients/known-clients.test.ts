import assert from 'node:assert/strict'
import { it, type TestContext } from 'node:test'
import { App, Clock } from 'sallyport'
import { type Client, KnownClients, type KnownClientTables, knownClientTables } from 'sallyport-app/clients'
import { Database, type NamedMigration } from 'sallyport-app/database'
import { FrozenClock } from 'sallyport/testing'
import { type Making, onEachEngine } from '../engines.ts'

const DAY = 24 * 60 * 60
const HOME: Client = { clientAddress: '203.0.113.7', device: 'Firefox on Linux' }
const AWAY: Client = { clientAddress: '198.51.100.9', device: 'Chrome on Windows' }

interface People extends KnownClientTables {
  person: { id: string }
}

const MIGRATIONS: readonly NamedMigration[] = [
  {
    name: 'people',
    statements: ['CREATE TABLE person (id TEXT PRIMARY KEY) STRICT', ...knownClientTables('person')],
  },
]

interface Door {
  readonly clock: FrozenClock
  readonly known: KnownClients
  readonly database: Database<People>
  /** Says whether a sign-in is unusual, and of which network. */
  readonly signIn: (id: string, client: Client) => Promise<string | undefined>
}

async function door(test: TestContext, make: Making): Promise<Door> {
  const clock = new FrozenClock('2026-01-01T00:00:00Z')
  const database = await (await make<People>(test, MIGRATIONS))()
  test.after(() => database.destroy())
  await database
    .insertInto('person')
    .values([{ id: 'ada' }, { id: 'bob' }])
    .execute()
  const app = App.create().configure((definitions) => {
    definitions.set(Database<People>, database).set(Clock, clock)
  })
  await app.boot()
  const known = app.get(KnownClients)
  const signIn = async (id: string, client: Client): Promise<string | undefined> =>
    (await database.transaction().execute((transaction) => known.meet(transaction, id, client)))?.network
  return { clock, known, database, signIn }
}

onEachEngine('KnownClients', (make) => {
  it('calls a sign-in unusual with a new device or from a new network, each only the first time, and never the first one of all [RA-2401 RA-3202]', async (test) => {
    const { signIn } = await door(test, make)

    for (const [client, network] of [
      [HOME, undefined],
      [{ ...HOME, clientAddress: '203.0.113.200' }, undefined],
      [{ ...HOME, device: AWAY.device }, '203.0.113.0/24'],
      [{ ...HOME, clientAddress: AWAY.clientAddress }, '198.51.100.0/24'],
      [AWAY, undefined],
      [HOME, undefined],
      [{ clientAddress: '', device: '' }, ''],
    ] as const)
      assert.equal(await signIn('ada', client), network, JSON.stringify(client))
    assert.equal(await signIn('bob', AWAY), undefined)
  })

  it('forgets a client that was not seen for 400 days, and those of an account that is gone [RA-2401 RA-2708]', async (test) => {
    const { clock, known, database, signIn } = await door(test, make)
    await signIn('ada', HOME)
    await signIn('ada', AWAY)
    clock.advance(400 * DAY - 60)
    await signIn('ada', HOME)
    assert.equal(await known.sweep(), 0n)
    clock.advance(120)

    assert.equal(await signIn('ada', AWAY), '198.51.100.0/24')
    clock.advance(400 * DAY)
    assert.equal(await known.sweep(), 2n)
    await signIn('bob', HOME)
    await database.deleteFrom('person').execute()
    assert.deepEqual(await database.selectFrom('known_client').selectAll().execute(), [])
  })
})
