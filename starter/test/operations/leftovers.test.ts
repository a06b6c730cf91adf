import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, it } from 'node:test'
import { sql } from 'kysely'
import { MAX_AUTHENTICATORS } from '../../core/factors/factor-setups.ts'
import { MAX_SETUPS } from '../../core/factors/shown-secrets.ts'
import { EXPIRING as CORE_EXPIRING, hourlyTasks, LEFT_SECONDS } from '../../core/operations/leftovers.ts'
import { PARTS } from '../../parts.ts'
import type { Bound } from '../database/bound.ts'
import { withoutSqlite } from '../databases.ts'
import { ofParts } from '../facts-of-parts.ts'
import { START, World } from '../support.ts'

const EXPIRING = [...CORE_EXPIRING, ...PARTS.flatMap(({ expiring = [] }) => expiring)]
const NOW = Date.parse(START) / 1000

// Every table, and what keeps it from growing for ever. One that is added has to say it here.
const TABLES: Readonly<Record<string, Bound>> = {
  account: { because: 'erased when its owner has asked for it, where a part does that' },
  account_permission: { because: 'the program names every permission, and a permission is there once' },
  attempt: { because: 'deleted here when it limits nothing any more' },
  challenge: { because: 'deleted here when it is an hour old, and a password is proven for each' },
  confirmation: 'expires',
  ended_session: { because: 'an hour, and a sign-in is made for each' },
  event: { because: 'twenty of a kind and client in an hour, which `trim` deletes; sign-ins are all kept' },
  factor: { because: `${MAX_AUTHENTICATORS} authenticators and ${MAX_SETUPS} set-ups, and what parts allow` },
  kysely_migration: { because: 'one row for each migration' },
  kysely_migration_lock: { because: 'one row' },
  known_client: { because: 'deleted here when it was not seen for 400 days, and a sign-in is made for each' },
  mail: { because: 'deleted when it was sent; one that was given up is deleted here after a week' },
  password_reset: 'expires',
  recovery_code: { because: 'a set of ten, and a new one deletes the old one' },
  used_step: { because: 'the newest hundred of each authenticator' },
  ...Object.fromEntries(Object.entries(ofParts('kept')).map(([table, because]) => [table, { because }])),
  ...ofParts('lists'),
}

type Values = Readonly<Record<string, string | number>>

// What a column with a list of values takes.
const TAKES: Values = { state: 'cancelled' }

/** A row whose columns are filled as their types ask, and not twice alike. */
async function insert(world: World, table: string, given: Values): Promise<void> {
  const { rows } = await sql<{ readonly name: string; readonly type: string; readonly notnull: number }>`
    SELECT name, type, "notnull" FROM pragma_table_info(${table})`.execute(world.database)
  const values = rows
    .filter(({ name, notnull }) => name in given || notnull === 1)
    .map(({ name, type }) => ({
      name: sql.ref(name),
      value: given[name] ?? TAKES[name] ?? (type === 'TEXT' ? randomUUID() : 0),
    }))
  const [names, fills] = [values.map(({ name }) => name), values.map(({ value }) => value)]
  await sql`INSERT INTO ${sql.table(table)} (${sql.join(names)}) VALUES (${sql.join(fills)})`.execute(
    world.database,
  )
}

async function holdsOneRowEach(world: World, table: string): Promise<boolean> {
  const indexes = await sql<{ name: string; unique: number; partial: number }>`
    PRAGMA index_list(${sql.table(table)})`.execute(world.database)
  for (const { name, unique, partial } of indexes.rows) {
    const { rows } = await sql<{ name: string }>`PRAGMA index_info(${sql.table(name)})`.execute(
      world.database,
    )
    const columns = rows.map((column) => column.name)
    if (unique === 1 && partial === 0 && columns.join() === 'account_id') return true
  }
  return false
}

async function count(world: World, table: string): Promise<number> {
  const { rows } = await sql<{
    readonly count: number
  }>`SELECT count(*) AS count FROM ${sql.table(table)}`.execute(world.database)
  return rows[0]?.count ?? 0
}

describe('what is left of what has ended', () => {
  it(
    'of every table it is known what bounds it, and by what its rows end [RA-2501 RA-2708]',
    { skip: withoutSqlite },
    async (test) => {
      const world = await World.create(test)
      const { rows } = await sql<{ readonly name: string }>`
        SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%'`.execute(
        world.database,
      )

      const known = new Set([...EXPIRING, ...Object.keys(TABLES)])
      assert.deepEqual(rows.map(({ name }) => name).toSorted(), [...known].toSorted())
      for (const [table, bound] of Object.entries(TABLES)) {
        if (bound === 'one') assert.ok(await holdsOneRowEach(world, table), `${table}: one for an account`)
        if (bound === 'expires')
          assert.ok(
            EXPIRING.some((each) => each === table),
            `${table}: it ends`,
          )
      }
    },
  )

  it('is deleted 30 days after its end, and not before, in every table whose rows have one [RA-2708]', async (test) => {
    const world = await World.create(test)
    const { leftovers } = world.identity
    const people = [await world.person('ada'), await world.person('bob')]
    for (const table of EXPIRING) {
      for (const [seconds, { id }] of people.entries())
        await insert(world, table, { account_id: id, expires_at: NOW - LEFT_SECONDS + seconds })

      assert.equal(await leftovers.delete(), 1, table)
      assert.equal(await count(world, table), 1, table)
      world.clock.advance(1)
      assert.equal(await leftovers.delete(), 1, table)
      assert.equal(await leftovers.delete(), 0, table)
      world.clock.advance(-1)
    }
  })

  it('is deleted every hour, with what parts do then; a factor that counts is not [RA-1104 RA-2708]', async (test) => {
    const world = await World.create(test)
    await world.person('ada', { factor: 'enabled' })
    await world.person('eve', { factor: 'unverified' })
    const tasks = hourlyTasks(world.app)
    const ofHour = PARTS.flatMap(({ hourly = [] }) => hourly.map(({ name }) => name))
    assert.deepEqual(
      tasks.map(({ name }) => name),
      ['leftovers', ...ofHour],
    )

    for (const [seconds, left] of [
      [LEFT_SECONDS - 1, 2],
      [1, 1],
      [0, 1],
    ] as const) {
      world.clock.advance(seconds)
      for (const { run } of tasks) await run()
      assert.equal(await count(world, 'factor'), left)
    }
    assert.deepEqual(world.faults, [])
  })
})
