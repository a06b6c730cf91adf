import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { keepFormerName, MAX_FORMER_NAMES } from '../../../core/accounts/users.ts'
import { ADMINISTRATOR } from '../permission.ts'
import { act, missing } from '../../../test/facts-of-parts.ts'
import { Administration } from './administration.ts'
import type { Act } from '../acts.ts'
import { type Person, World } from '../../../test/support.ts'
import { isRefusedBy } from './refused.ts'

const HERE = { clientAddress: '192.0.2.7', device: '' }
const NEW_ADDRESS = 'fresh@elsewhere.test'

function operator(name: string): Act {
  return { by: { kind: 'operator', name }, reason: 'lost the phone' }
}

function by({ id }: Person): Act {
  return { by: { kind: 'account', id, ...HERE }, reason: 'lost the phone' }
}

interface Office {
  readonly world: World
  readonly root: Person
  readonly bob: Person
}

/** An administrator called Ruth Roe, and somebody with a factor; a second person approves. */
async function office(test: TestContext): Promise<Office> {
  const world = await World.create(test, { resetNeedsApproval: true })
  const root = await world.person('root', { permissions: ADMINISTRATOR, factor: 'enabled' })
  await world.database.updateTable('account').set({ name: 'Ruth Roe' }).where('id', '=', root.id).execute()
  return { world, root, bob: await world.person('bob', { factor: 'enabled' }) }
}

async function rename({ database, clock }: World, { id }: Person, name: string): Promise<void> {
  const accounts = database.selectFrom('account').select('name').where('id', '=', id)
  const former = await accounts.executeTakeFirstOrThrow()
  await database.updateTable('account').set({ name }).where('id', '=', id).execute()
  const replaced = { name: former.name, now: clock.timestamp() }
  await database.transaction().execute((transaction) => keepFormerName(transaction, id, replaced))
}

type Change = readonly [
  name: string,
  change: (world: World, person: Person) => Promise<unknown>,
  former: readonly string[],
]

const ADDRESS_CHANGES: readonly Change[] = [
  [
    'name and address',
    async (world, person) => {
      await rename(world, person, 'Somebody New')
      await act('changeAddress')(world, person, NEW_ADDRESS)
    },
    ['Ruth Roe', 'root', 'Root@Example.test'],
  ],
  [
    'the address for a while',
    async (world, person) => {
      const restore = await act('changeAddress')(world, person, NEW_ADDRESS)
      await restore()
    },
    ['fresh', NEW_ADDRESS],
  ],
]

// Each of Ruth Roe, whose address is root@example.test.
const CHANGES: readonly Change[] = missing('address-change')
  ? [['the name', (world, person) => rename(world, person, 'Somebody New'), ['Ruth Roe', 'ruth.roe']]]
  : ADDRESS_CHANGES

describe('the two persons of a reset, of whom one has another name than before', () => {
  for (const [name, change, former] of CHANGES) {
    it(`who asks on a page, and changes ${name} afterwards, approves nothing at the command line [RA-2201 RA-2204]`, async (test) => {
      const { world, root, bob } = await office(test)
      const { resets } = world.app.get(Administration)
      await resets.reset(by(root), bob.id)
      const [request] = await resets.waiting(1)

      await change(world, root)

      for (const called of former)
        await assert.rejects(
          resets.approve(operator(called), request?.id ?? ''),
          isRefusedBy('second_person'),
          called,
        )
      await resets.approve(operator('olga'), request?.id ?? '')
      assert.deepEqual(await world.identity.factors.list(bob.id), [])
    })

    it(`an account owner who has changed ${name} approves nothing about it at the command line [RA-2201 RA-2204]`, async (test) => {
      const { world, root } = await office(test)
      const { resets } = world.app.get(Administration)
      const other = await world.person('other', { permissions: ADMINISTRATOR, factor: 'enabled' })
      await change(world, root)
      await resets.reset(by(other), root.id)
      const [request] = await resets.waiting(1)

      for (const called of former)
        await assert.rejects(
          resets.approve(operator(called), request?.id ?? ''),
          isRefusedBy('own_account'),
          called,
        )
      assert.equal((await world.identity.factors.list(root.id)).length, 1)
    })
  }

  it('the name that somebody had at first is kept however often it is changed [RA-2201]', async (test) => {
    const { world, root, bob } = await office(test)
    const { resets } = world.app.get(Administration)
    for (let times = 0; times < MAX_FORMER_NAMES + 5; times += 1) await rename(world, root, `Name ${times}`)
    await resets.reset(by(root), bob.id)
    const [request] = await resets.waiting(1)

    await assert.rejects(
      resets.approve(operator('Ruth Roe'), request?.id ?? ''),
      isRefusedBy('second_person'),
    )
    const kept = await world.database.selectFrom('former_name').select('name').execute()
    assert.equal(kept.length, MAX_FORMER_NAMES)
  })
})
