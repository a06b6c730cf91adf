import assert from 'node:assert/strict'
import { it, type TestContext } from 'node:test'
import { App, Secret } from 'sallyport'
import { Database, type NamedMigration } from 'sallyport-app/database'
import {
  ERR_SECRET_UNREADABLE,
  KeyRing,
  SealedColumn,
  type UnreadableSecretException,
} from 'sallyport-app/keys'
import { type Making, onEachEngine } from '../engines.ts'

const OLD = 'ab'.repeat(32)
const NEW = 'cd'.repeat(32)
const LOST = 'ef'.repeat(32)

const MIGRATIONS: readonly NamedMigration[] = [
  {
    name: 'safes',
    statements: ['CREATE TABLE safe (id TEXT PRIMARY KEY, owner TEXT NOT NULL, content TEXT) STRICT'],
  },
]

interface Safes {
  safe: { id: string; owner: string; content: string | null }
}

class Contents extends SealedColumn {
  constructor() {
    super({ table: 'safe', column: 'content', owner: 'owner', purpose: 'safe', things: 'safes' })
  }
}

/** A process with its keys. */
interface Process {
  readonly contents: Contents
  readonly fill: (...ids: readonly string[]) => Promise<void>
  readonly open: (id: string) => Promise<string | undefined>
}

/** The same database, as processes with several keys see it. */
async function processes(
  test: TestContext,
  make: Making,
): Promise<(...keys: readonly string[]) => Promise<Process>> {
  const opened = await make<Safes>(test, MIGRATIONS)
  return async (...keys) => {
    const database = await opened()
    test.after(() => database.destroy())
    const ring = new KeyRing(keys.map((key) => new Secret(key)))
    const app = App.create().configure((definitions) => {
      definitions.set(Database<Safes>, database).set(KeyRing, ring)
    })
    await app.boot()
    return {
      contents: app.get(Contents),
      fill: async (...ids) => {
        for (const id of ids) {
          const content = ring.seal([`owner of ${id}`, 'safe'], new Secret(`content of ${id}`))
          await database
            .insertInto('safe')
            .values({ id, owner: `owner of ${id}`, content })
            .execute()
        }
      },
      open: async (id) => {
        const { content } = await database
          .selectFrom('safe')
          .selectAll()
          .where('id', '=', id)
          .executeTakeFirstOrThrow()
        return ring.tryToOpen([`owner of ${id}`, 'safe'], content ?? '')?.reveal()
      },
    }
  }
}

function names(word: string, count: number): readonly string[] {
  return Array.from({ length: count }, (_, number) => `${word}${number}`)
}

onEachEngine('SealedColumn', (make) => {
  it('seals every secret with the first key, and the old key is not needed any more [RA-3201 RA-3202 RA-1102 RA-2708]', async (test) => {
    const open = await processes(test, make)
    await (await open(OLD)).fill(...names('safe', 250))
    const { contents } = await open(NEW, OLD)

    assert.deepEqual(await contents.status(), { current: 0, earlier: 250, unreadable: 0 })
    assert.deepEqual([await contents.reseal(), await contents.reseal()], [250, 0])
    assert.deepEqual(await contents.status(), { current: 250, earlier: 0, unreadable: 0 })
    const after = await open(NEW)
    for (const id of ['safe0', 'safe249']) assert.equal(await after.open(id), `content of ${id}`)
  })

  it('goes on where it was interrupted, beside a process that still seals with the old key [RA-3201]', async (test) => {
    const open = await processes(test, make)
    const running = await open(OLD, NEW)
    await running.fill(...names('early', 120))
    const { contents } = await open(NEW, OLD)
    const resealing = contents.reseal()
    await running.fill(...names('late', 20))
    await resealing

    const count = await contents.reseal()

    assert.ok(count <= 20)
    assert.deepEqual(await contents.status(), { current: 140, earlier: 0, unreadable: 0 })
  })

  it('leaves alone what no key opens, and counts it [RA-3201]', async (test) => {
    const open = await processes(test, make)
    await (await open(LOST)).fill('lost')
    await (await open(OLD)).fill('old')
    const both = await open(NEW, OLD)

    assert.equal(await both.contents.reseal(), 1)

    assert.deepEqual(await both.contents.status(), { current: 1, earlier: 0, unreadable: 1 })
    assert.match(
      (await both.contents.warning()) ?? '',
      /secrets of some safes \(1\): append the key .* FACTOR_KEY/,
    )
    assert.equal(await both.open('lost'), undefined)
    assert.equal(await (await open(NEW, LOST)).contents.reseal(), 1)
  })

  it('blames nothing in the request for a secret that no key opens, and tells the operator why [RA-0404]', async (test) => {
    const { contents } = await (await processes(test, make))(NEW)
    const sealed = new KeyRing([new Secret(LOST)]).seal(['ada', 'safe'], new Secret('content'))

    assert.throws(
      () => contents.open('ada', sealed),
      ({ status, code, cause }: UnreadableSecretException) => {
        assert.deepEqual([status, code], [503, ERR_SECRET_UNREADABLE])
        assert.match(String(cause), /secret of safes: key "[0-9a-f]{8}" is not configured/)
        return true
      },
    )
  })
})
