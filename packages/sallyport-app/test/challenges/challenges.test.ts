import assert from 'node:assert/strict'
import { it, type TestContext } from 'node:test'
import { App, Clock } from 'sallyport'
import { Challenges, type CodeChallengeTables, codeChallengeTables } from 'sallyport-app/challenges'
import { Database, type NamedMigration } from 'sallyport-app/database'
import { FrozenClock } from 'sallyport/testing'
import { type Making, onEachEngine } from '../engines.ts'

interface People extends CodeChallengeTables {
  person: { id: string }
}

const MIGRATIONS: readonly NamedMigration[] = [
  {
    name: 'people',
    statements: ['CREATE TABLE person (id TEXT PRIMARY KEY) STRICT', ...codeChallengeTables('person')],
  },
]
const ID = 'ada'

class FiveTries extends Challenges {
  constructor() {
    super({ accounts: 'person', attempts: 5 })
  }
}

interface Opened {
  readonly clock: FrozenClock
  readonly challenges: Challenges
  readonly database: Database<People>
}

async function opened(test: TestContext, make: Making): Promise<Opened> {
  const clock = new FrozenClock('2026-01-01T00:00:00Z')
  const database = await (await make<People>(test, MIGRATIONS))()
  test.after(() => database.destroy())
  await database.insertInto('person').values({ id: ID }).execute()
  const app = App.create().configure((definitions) => {
    definitions.set(Database<People>, database).set(Clock, clock)
  })
  await app.boot()
  return { clock, challenges: app.get(FiveTries), database }
}

onEachEngine('Challenges', (make) => {
  it('allow five attempts and no more, even at the same time [FACTOR-17]', async (test) => {
    const { challenges } = await opened(test, make)

    const left = await Promise.all(Array.from({ length: 50 }, () => challenges.reserve('c1', ID)))

    assert.deepEqual(left.filter((tries) => tries !== undefined).toSorted(), [0, 1, 2, 3, 4])
    assert.equal(await challenges.reserve('c1', ID), undefined)
    assert.equal(await challenges.reserve('c2', ID), 4)
  })

  it('end once, and allow no attempt then, whatever was tried before [A-121]', async (test) => {
    const { challenges } = await opened(test, make)
    await challenges.reserve('c1', ID)
    await challenges.open('c2', ID)

    const ends = await Promise.all([challenges.end('c1'), challenges.end('c1')])
    assert.deepEqual(ends.toSorted(), [false, true])
    assert.deepEqual([await challenges.end('c2'), await challenges.end('c2')], [true, false])
    assert.equal(await challenges.end('c3'), false)
    for (const name of ['c1', 'c2']) {
      await challenges.open(name, ID)
      assert.equal(await challenges.isOpen(name), false)
      assert.equal(await challenges.reserve(name, ID), undefined)
    }
  })

  it('are none of an account that is not there any more, and go with theirs', async (test) => {
    const { challenges, database } = await opened(test, make)
    await challenges.open('c1', ID)
    await database.deleteFrom('person').execute()

    await challenges.open('c2', ID)

    assert.deepEqual([await challenges.isOpen('c1'), await challenges.isOpen('c2')], [false, false])
    assert.equal(await challenges.reserve('c3', ID), undefined)
  })

  for (const ahead of [0, 1, 365 * 24 * 3600])
    it(`keep attempts dated ${ahead} seconds ahead for an hour, and are then removed [HOLD-50]`, async (test) => {
      const { database, clock, challenges } = await opened(test, make)
      clock.advance(ahead)
      for (let i = 0; i < 5; i++) await challenges.reserve('c1', ID)
      clock.advance(-ahead)

      assert.equal(await challenges.reserve('c1', ID), undefined)
      await challenges.sweep()
      clock.advance(3600)
      await challenges.reserve('c2', ID)
      await challenges.sweep()

      const rows = await database.selectFrom('challenge').select('id').execute()
      assert.deepEqual(rows, [{ id: 'c2' }])
    })
})
